"""Scripts of other sites: they may call the API where the settings name their site (ERRDEX_CORS_ORIGINS)."""

from collections.abc import Sequence

from starlette.middleware.cors import CORSMiddleware

from app.web.middleware import App, Receive, Scope, Send

API = ("/api/", "/openapi.json")
# What a browser lets a script send, and read, beside what it always does.
SENT = ("Accept", "Authorization", "Content-Encoding", "Content-Type", "If-None-Match", "X-Request-Id")
READ = ("Content-Language", "ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id")
# A browser asks again after so many seconds whether it may.
REMEMBERED = 600


class OtherSites(CORSMiddleware):
    """Lets scripts of these sites read answers of the API, never with cookies; pages and the rest stay as they are."""

    def __init__(self, app: App, origins: Sequence[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=("GET", "HEAD", "POST"),
            allow_headers=SENT,
            expose_headers=READ,
            allow_credentials=False,
            max_age=REMEMBERED,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        is_api = scope["type"] == "http" and scope["path"].startswith(API)
        await (super().__call__ if is_api else self.app)(scope, receive, send)
