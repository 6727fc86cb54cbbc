"""Links that hold a secret by nature: it is in no log, in no error, and is told to no other site."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx2
from sqlalchemy import Engine, text

from app.config import Settings
from app.people import accounts, members
from app.store.engine import connect
from app.store.session import reading, writing
from app.wiki import proposals
from tests.conftest import NAME
from tests.databases import document
from tests.servers import ServerProcess

NEW = "a long enough password"
# what a page fetches by itself, or sends somewhere
FETCHED = re.compile(
    r'<(?:link|script|img|form|iframe|source|video)\b[^>]*?\s(?:href|src|srcset|action|data)="([^"]*)"'
)
LINKED = re.compile(r'<a\b[^>]*?\shref="([^"]*)"')


def secrets_of(engine: Engine) -> dict[str, tuple[str, str]]:
    """Make a link of each kind; return its address and its secret by what it is for."""
    found: dict[str, tuple[str, str]] = {}
    with writing(engine) as session:
        for kind in ("admin", "invite", "reset", "sign-in"):
            name = {"reset": NAME, "sign-in": "otto"}.get(kind)
            person = accounts.named(session, name) if name else None
            secret = members.make_link(session, kind, by=0, role="reader", person=person)
            found[kind] = f"/en/join/{secret}", secret
        _, secret = proposals.submit(session, document("orchid/own-text"), lang="en")
        found["submission"] = f"/en/s/{secret}", secret
    return found


def use(client: httpx2.Client, path: str, secret: str) -> list[httpx2.Response]:
    """Ask for a link in every way, and at last use it up."""
    referring = {"referer": f"{client.base_url}{path}", "sec-fetch-site": "same-origin"}
    return [
        client.get(path),
        client.get(path.replace("/en/", "/zh/"), headers=referring),
        client.get("/static/errdex.css", headers=referring),
        client.get(f"/api/v1/submissions/{secret}"),
        client.get(f"{path}/again?next={secret}"),
        client.request("DELETE", path),
        client.post(path, data={"name": "", "password": ""}),
        client.post(path, data={"name": f"new {secret[:8]}", "password": "short"}),
        client.post(path, headers={"origin": "https://evil.example"}),
        client.post(path, data={"name": f"new {secret[:8]}", "password": NEW}),
        client.get(path),
        client.post(path),
    ]


def test_a_secret_in_a_link_is_in_no_log_and_told_to_no_other_site(
    start: Callable[..., ServerProcess], settings: Settings
) -> None:
    server = start(ERRDEX_LOG_LEVEL="debug")
    engine = connect(settings)
    accounts.add_person(engine, "otto", NEW, "writer")
    links = secrets_of(engine)
    with reading(engine) as session:
        stored = [
            str(row)
            for table in ("one_time_link", "submission", "login_session", "audit_record")
            for row in session.execute(text(f"SELECT * FROM {table}"))
        ]
    assert not [kind for kind, (_, secret) in links.items() if secret in "".join(stored)]
    for path, secret in links.values():
        with server.client() as client:
            for answer in use(client, path, secret):
                check(answer, path, secret)
    # errors of the database would quote what was asked for
    with writing(engine) as session:
        for table in ("one_time_link", "review", "suggested_name", "submission"):
            session.execute(text(f"DROP TABLE {table}"))
    engine.dispose()
    with server.client() as client:
        for path, secret in links.values():
            check(client.get(path), path, secret)
    log, lines = server.ended()
    assert not [kind for kind, (_, secret) in links.items() if secret in log]
    assert {"/{lang}/join/{token}", "/{lang}/s/{token}"} <= {line.get("route") for line in lines}


def check(answer: httpx2.Response, path: str, secret: str) -> None:
    """What a browser is told keeps the secret on this site, and an error names it nowhere but in the address itself."""
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert secret not in str({name: value for name, value in answer.headers.items() if name != "location"})
    if "text/html" not in answer.headers.get("content-type", ""):
        return
    page = answer.text
    own = urlsplit(str(answer.url)).netloc
    elsewhere = [one for one in FETCHED.findall(page) if urlsplit(one).netloc not in ("", own)]
    assert elsewhere == []
    if answer.status_code >= 400 and answer.status_code != 422:
        shown = LINKED.sub("", page)
        assert secret not in shown, (path, answer.status_code)
