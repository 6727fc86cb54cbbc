"""What coding agents ask: the tools of the Model Context Protocol. They need the official SDK, on Python 3.10 or later.

Each tool asks the REST API and hands on what that answers. The server has the same tools, at /mcp and on its database.
This module is imported without the SDK.
"""

from __future__ import annotations

from errdex_client.exits import USAGE, Ended

# The bounds are those of the extra.
SDK = "mcp>=2.3,<3"
WITHOUT_SDK = f"errdex mcp needs Python 3.10 or later and the extra errdex-client[mcp], that is: pip install '{SDK}'"


def need_sdk() -> None:
    """Raise `Ended` where the SDK is not installed."""
    try:
        # An earlier major version of the SDK is imported by another name.
        import mcp.server.mcpserver  # noqa: F401
    except ImportError:
        raise Ended(USAGE, WITHOUT_SDK) from None


def serve(url: str, token: str) -> None:
    """Serve the tools over standard input and output, in front of the server at `url`, until the input ends.

    `token` is shown to the server unless it is empty. It needs the SDK.
    """
    from asyncio import run

    from errdex_client.mcp.rest import at
    from errdex_client.mcp.tools import server_for

    run(server_for(at(url, token)).run_stdio_async())
