"""The HTML pages, one module per page family."""

from fastapi import APIRouter, Depends

from app.site import (
    browse,
    changes,
    crawlers,
    entry,
    feedback,
    feeds,
    history,
    home,
    match,
    opensearch,
    project,
    review,
    search,
    sign_in,
    submit,
    wanted,
)
from app.site.errors import error_response
from app.site.page import remember_who

__all__ = ["error_response", "router"]

_PEOPLE = (home, match, search, browse, project, changes, submit, feedback, wanted, review, sign_in, history, entry)
_PROGRAMS = (feeds, crawlers, opensearch)

router = APIRouter()
# asked at every letter that is typed, or by programs: nobody's name stands on these
router.include_router(search.typing_router)
for _family in _PROGRAMS:
    router.include_router(_family.router)
for _family in _PEOPLE:
    router.include_router(_family.router, dependencies=[Depends(remember_who)])
