"""Where people open the site, as commands print it."""

from app.config import Settings


def address(found: Settings) -> str:
    """Return the address that people open."""
    if found.base_url:
        return found.base_url
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(found.host, found.host)  # noqa: S104
    return f"http://[{host}]:{found.port}" if ":" in host else f"http://{host}:{found.port}"
