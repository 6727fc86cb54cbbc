"""What an answer costs at least: a bare Starlette application that gives back the body, or the query of the address.

`/bytes/N` gives back N bytes, for what is asked with little and answered with much.
"""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


async def echo(request: Request) -> Response:
    """Return what was sent."""
    return Response(await request.body() or str(request.url.query), media_type="application/json")


async def fill(request: Request) -> Response:
    """Return so many bytes as the address says."""
    return Response(b"x" * int(request.path_params["number"]), media_type="text/html")


app = Starlette(routes=[Route("/bytes/{number:int}", fill), Route("/{path:path}", echo, methods=["GET", "POST"])])
