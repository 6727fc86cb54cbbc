"""The HTML pages, one module per page family."""

from fastapi import APIRouter, Depends

from app.site import browse, entry, history, home, match, review, sign_in, submit
from app.site.errors import error_response
from app.site.page import remember_who

__all__ = ["error_response", "router"]

router = APIRouter(dependencies=[Depends(remember_who)])
for _family in (home, match, browse, submit, review, sign_in, history, entry):
    router.include_router(_family.router)
