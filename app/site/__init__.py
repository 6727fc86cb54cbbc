"""The HTML pages, one module per page family.

A module in one of the rooms below is found by what it holds: `router` has what people look at, `program_router` what
programs ask for, or a script at every letter that is typed.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from fastapi import APIRouter, Depends

from app.site import contribute, entry, find, frame, paste, people
from app.site.frame.errors import error_response
from app.site.frame.moved import moved_response
from app.site.frame.page import remember_who

__all__ = ["error_response", "modules", "moved_response", "router"]

# The order in which an address is looked for. `/review/feedback`, in the room of entries, comes before
# `/review/{number}`, which fits it too; what is asked most comes first.
_ROOMS = (paste, find, entry, contribute, people, frame)


def modules() -> Iterator[ModuleType]:
    """Yield every module of the rooms."""
    for room in _ROOMS:
        for found in iter_modules(room.__path__, f"{room.__name__}."):
            yield import_module(found.name)


def _router() -> APIRouter:
    made = APIRouter()
    for module in modules():
        if isinstance(own := getattr(module, "program_router", None), APIRouter):
            made.include_router(own)
        if isinstance(own := getattr(module, "router", None), APIRouter):
            # Answers for programs do not show who is signed in, so nobody is looked up for them.
            made.include_router(own, dependencies=[Depends(remember_who)])
    return made


router = _router()
