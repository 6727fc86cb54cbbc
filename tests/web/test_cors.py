"""Scripts of other sites call the API only where a setting names their site, and never as somebody signed in."""

import pytest
from pydantic import ValidationError
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app

SITE = "https://ci.corp.lan"
ASKS = {"access-control-request-method": "POST", "access-control-request-headers": "content-type, authorization"}


def client(settings: Settings, origins: str) -> TestClient:
    """The application under a setting."""
    return TestClient(create_app(settings.model_copy(update={"cors_origins": origins})), raise_server_exceptions=False)


@pytest.mark.parametrize(("origins", "allowed"), [(f"http://localhost:3000, {SITE}", SITE), ("*", "*")])
def test_a_site_that_is_named_may_ask_and_read(settings: Settings, engine: Engine, origins: str, allowed: str) -> None:
    api = client(settings, origins)
    asked = api.options("/api/v1/match", headers={"origin": SITE, **ASKS})
    assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (200, allowed)
    assert {"content-type", "authorization"} <= set(asked.headers["access-control-allow-headers"].lower().split(", "))
    found = [
        api.post("/api/v1/match", json={"text": "x"}, headers={"origin": SITE}),
        api.get("/api/v1/entries", headers={"origin": SITE}),
        api.get("/api/v1/entries/a/b", headers={"origin": SITE}),
        api.get("/openapi.json", headers={"origin": SITE}),
    ]
    for answer in found:
        assert answer.headers["access-control-allow-origin"] == allowed
        assert "ETag" in answer.headers["access-control-expose-headers"]
    for answer in (asked, *found):
        assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize(
    ("origins", "site"), [("", SITE), (SITE, "https://evil.example"), (SITE, f"{SITE}.evil.example")]
)
def test_any_other_site_is_told_nothing(settings: Settings, engine: Engine, origins: str, site: str) -> None:
    api = client(settings, origins)
    for answer in (
        api.options("/api/v1/match", headers={"origin": site, **ASKS}),
        api.get("/api/v1/entries", headers={"origin": site}),
    ):
        assert "access-control-allow-origin" not in answer.headers


def test_pages_are_for_no_other_site(settings: Settings, engine: Engine) -> None:
    api = client(settings, "*")
    for path in ("/en/", "/healthz", "/metrics", "/mcp"):
        assert "access-control-allow-origin" not in api.get(path, headers={"origin": SITE}).headers


@pytest.mark.parametrize(
    "origins", ["ci.corp.lan", "https://ci.corp.lan/", "https://CI.corp.lan", "null", "*, ftp://x"]
)
def test_what_is_no_origin_is_refused_at_the_start(origins: str) -> None:
    with pytest.raises(ValidationError, match="no origin"):
        Settings(cors_origins=origins)
