"""Static files: those whose address carries a mark of their content are kept by the browser for good."""

from os import PathLike, stat_result

from fastapi.staticfiles import StaticFiles
from starlette.datastructures import QueryParams
from starlette.responses import Response
from starlette.types import Scope

FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


class Static(StaticFiles):
    """A folder of static files; `?v=` in an address stands for one content (`app.site.frame.page.static`)."""

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return the answer for a file."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        is_marked = "v" in QueryParams(scope.get("query_string", b""))
        response.headers["cache-control"] = FOR_GOOD if is_marked else ASK_AGAIN
        return response
