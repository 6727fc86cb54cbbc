"""`errdex mcp` on the database: the tools over standard streams, for an agent that starts its own server."""

from fastapi import FastAPI

from app.mcp.rest import inside
from errdex_client.mcp.tools import server_for


async def serve_database(app: FastAPI) -> None:
    """Serve from an application in this process until standard input ends."""
    async with app.router.lifespan_context(app):
        await server_for(inside(app)).run_stdio_async()
