"""The HTML pages, one module per page family."""

from fastapi import APIRouter, Depends

from app.site.contribute import review, submit
from app.site.entry import entry_page, feedback, history
from app.site.find import browse, changes, feeds, opensearch, project, search, sitemap
from app.site.frame import sign_in
from app.site.frame.errors import error_response
from app.site.frame.moved import moved_response
from app.site.frame.page import remember_who
from app.site.paste import home, most_wanted, result

__all__ = ["error_response", "moved_response", "router"]

_PEOPLE = (
    home,
    result,
    search,
    browse,
    project,
    changes,
    submit,
    feedback,
    most_wanted,
    review,
    sign_in,
    history,
    entry_page,
)
_PROGRAMS = (feeds, sitemap, opensearch)

router = APIRouter()
# asked at every letter that is typed, or by programs: nobody's name stands on these
router.include_router(search.program_router)
for _family in _PROGRAMS:
    router.include_router(_family.router)
for _family in _PEOPLE:
    router.include_router(_family.router, dependencies=[Depends(remember_who)])
