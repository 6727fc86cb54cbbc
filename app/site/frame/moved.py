"""The way from an earlier address of an entry to the present one."""

import re

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from app.errors import Moved

# Revisions of an earlier slug are numbered by themselves, so a single one has no counterpart at the present slug.
_BELOW_HISTORY = re.compile("(?<=/history)/.*")


def moved_response(request: Request, moved: Moved) -> Response:
    """Lead to the same page of the present slug; for good, except when a form was sent."""
    before, _, after = request.url.path.partition(f"/e/{moved.former}")
    status = 301 if request.method == "GET" else 303
    return RedirectResponse(f"{before}/e/{moved.slug}{_BELOW_HISTORY.sub('', after)}", status)
