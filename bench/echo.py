"""What an answer costs at least: a bare Starlette application that gives back the body, or the query of the address."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


async def echo(request: Request) -> Response:
    """Return what was sent."""
    return Response(await request.body() or str(request.url.query), media_type="application/json")


app = Starlette(routes=[Route("/{path:path}", echo, methods=["GET", "POST"])])
