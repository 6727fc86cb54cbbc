"""`errdex mcp`: the tools over standard input and output, for an agent that starts its own server."""

from fastapi import FastAPI

from app.mcp.rest import at, inside
from app.mcp.tools import server_for


async def serve_database(app: FastAPI) -> None:
    """Serve from an application in this process until standard input ends."""
    async with app.router.lifespan_context(app):
        await server_for(inside(app)).run_stdio_async()


async def serve_remote(url: str, token: str) -> None:
    """Serve from a server far away until standard input ends."""
    await server_for(at(url, token)).run_stdio_async()
