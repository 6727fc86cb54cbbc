"""People in the browser: how they come in, what they change, and how they leave."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import Engine, text
from starlette.testclient import TestClient

from app.config import Settings
from app.people import accounts, members, tokens
from app.people.accounts import Who
from app.store.session import reading, writing
from app.wiki import proposals
from tests.databases import document
from tests.people.members import client_of, enrol, guide_for

Run = Callable[..., Any]
OLD, NEW = "correct horse battery", "a long enough password"


@pytest.fixture
def app(settings: Settings, engine: Engine) -> Iterator[FastAPI]:
    """A guide for members, without an admin yet."""
    with guide_for(settings, ("members", "members")) as app:
        yield app


def link(engine: Engine, kind: members.Kind, **more: Any) -> str:
    """Make a one-time link, and return its address."""
    with writing(engine) as session:
        return f"/en/join/{members.make_link(session, kind, by=0, **more)}"


def shown_link(page: Response) -> str:
    """The address of the link that a page shows, without its host."""
    found = re.search(r'value="https?://[^/]+(/en/join/[^"]+)"', page.text)
    assert found
    return found.group(1)


def role_of(engine: Engine, name: str) -> tuple[str, str]:
    """Return the role and the state of a person."""
    with reading(engine) as session:
        row = session.execute(text("SELECT role, state FROM person WHERE name = :name"), {"name": name}).one()
        return row[0], row[1]


def enter(app: FastAPI, name: str, password: str) -> Response:
    """Sign in through the form."""
    return client_of(app).post("/en/sign-in", data={"name": name, "password": password})


def test_the_first_admin_comes_by_a_link_that_is_good_once_and_only_while_there_is_none(
    app: FastAPI, engine: Engine
) -> None:
    earlier, newest = link(engine, "admin"), link(engine, "admin")
    client = client_of(app)
    assert client.get(earlier).status_code == 410
    page = client.get(newest)
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    came = client.post(newest, data={"name": "mila", "password": NEW})
    assert came.status_code == 303
    assert client.get("/en/people").status_code == 200
    assert client.get(newest).status_code == 410
    assert client.get(link(engine, "admin")).status_code == 410
    assert role_of(engine, "mila") == ("admin", "active")


def test_an_invited_person_chooses_name_and_password_and_is_in(app: FastAPI, engine: Engine) -> None:
    admin = client_of(app, enrol(engine, "admin"))
    made = admin.post("/en/people", data={"role": "writer"})
    assert made.headers["cache-control"] == "no-store"
    invited = client_of(app)
    assert invited.get("/en/").status_code == 303
    assert invited.post(shown_link(made), data={"name": "otto", "password": NEW}).headers["location"] == "/en/"
    assert invited.get("/en/submit").status_code == 200
    assert role_of(engine, "otto") == ("writer", "active")
    assert client_of(app).post(shown_link(made), data={"name": "two", "password": NEW}).status_code == 410
    assert "otto" in admin.get("/en/people").text


@pytest.mark.parametrize(
    ("name", "password", "told"),
    [
        ("otto", "brief", "easy to guess"),
        ("otto", "1234567890", "easy to guess"),
        ("rita", NEW, "has this name already"),
        ("former member 7", NEW, "has this name already"),
        ("", NEW, "1 to 80 characters"),
        ("x" * 81, NEW, "1 to 80 characters"),
        ("ot\u0007to", NEW, "1 to 80 characters"),
    ],
)
def test_what_cannot_be_taken_keeps_the_name_and_the_link(
    app: FastAPI, engine: Engine, name: str, password: str, told: str
) -> None:
    invite = link(engine, "invite", role="reader")
    client = client_of(app)
    page = client.post(invite, data={"name": name, "password": password})
    assert page.status_code == 422
    assert told in page.text
    assert password not in page.text
    assert client.post(invite, data={"name": "fine", "password": NEW}).status_code == 303


def test_an_old_link_is_over(app: FastAPI, engine: Engine) -> None:
    invite = link(engine, "invite", role="reader")
    with writing(engine) as session:
        session.execute(text("UPDATE one_time_link SET expires = '2020-01-01 00:00:00'"))
    assert client_of(app).get(invite).status_code == 410
    assert client_of(app).post(invite, data={"name": "otto", "password": NEW}).status_code == 410


def test_a_reset_link_gives_a_new_password_and_ends_every_session(app: FastAPI, engine: Engine) -> None:
    admin, number = client_of(app, enrol(engine, "admin")), enrol(engine, "writer", "otto")
    before = client_of(app, number)
    reset = shown_link(admin.post(f"/en/people/{number}/reset"))
    assert "otto" in client_of(app).get(reset).text
    assert client_of(app).post(reset, data={"password": NEW}).status_code == 303
    assert before.get("/en/account").status_code == 303
    assert enter(app, "otto", OLD).status_code == 401
    assert enter(app, "otto", NEW).status_code == 303


def test_an_admin_changes_a_role_and_it_holds_at_once(app: FastAPI, engine: Engine) -> None:
    admin, number = client_of(app, enrol(engine, "admin")), enrol(engine, "reader", "otto")
    otto = client_of(app, number)
    assert otto.get("/en/submit").status_code == 403
    assert admin.post(f"/en/people/{number}/role", data={"role": "writer"}).status_code == 303
    assert otto.get("/en/submit").status_code == 200
    assert admin.post(f"/en/people/{number}/role", data={"role": "emperor"}).status_code == 422
    assert admin.post("/en/people/999/role", data={"role": "reader"}).status_code == 404


def test_who_is_deactivated_is_out_at_once_and_can_be_let_in_again(app: FastAPI, engine: Engine) -> None:
    admin, number = client_of(app, enrol(engine, "admin")), enrol(engine, "writer", "otto")
    otto = client_of(app, number)
    assert admin.post(f"/en/people/{number}/state", data={"state": "deactivated"}).status_code == 303
    assert otto.get("/en/account").status_code == 303
    assert enter(app, "otto", OLD).status_code == 401
    assert admin.post(f"/en/people/{number}/state", data={"state": "active"}).status_code == 303
    assert enter(app, "otto", OLD).status_code == 303


def test_the_last_admin_can_be_neither_demoted_nor_deactivated_nor_removed(
    app: FastAPI, engine: Engine, run: Run
) -> None:
    number = enrol(engine, "admin", "mila")
    admin = client_of(app, number)
    for path, typed in (
        ("role", {"role": "reader"}),
        ("state", {"state": "deactivated"}),
        ("remove", {"name": "mila"}),
    ):
        refused = admin.post(f"/en/people/{number}/{path}", data=typed)
        assert refused.status_code == 409
        assert "last admin" in refused.text
    for words in (("role", "mila", "reader"), ("deactivate", "mila"), ("remove", "mila")):
        assert run("user", *words).exit_code == 2
    assert role_of(engine, "mila") == ("admin", "active")
    enrol(engine, "admin", "second")
    assert admin.post(f"/en/people/{number}/role", data={"role": "reader"}).status_code == 303


def test_a_person_changes_the_password_and_every_other_session_ends(app: FastAPI, engine: Engine) -> None:
    number = enrol(engine, "writer", "otto")
    here, there = client_of(app, number), client_of(app, number)
    old = here.cookies["errdex_session"]
    wrong = here.post("/en/account/password", data={"old_password": "no", "password": NEW})
    assert (wrong.status_code, "not your current password" in wrong.text) == (422, True)
    weak = here.post("/en/account/password", data={"old_password": OLD, "password": "1234567890"})
    assert (weak.status_code, "easy to guess" in weak.text) == (422, True)
    assert here.post("/en/account/password", data={"old_password": OLD, "password": NEW}).status_code == 303
    assert here.cookies["errdex_session"] != old
    assert here.get("/en/account").status_code == 200
    assert there.get("/en/account").status_code == 303
    assert enter(app, "otto", NEW).status_code == 303


def test_a_person_sees_their_sessions_and_ends_one_or_all_others(app: FastAPI, engine: Engine) -> None:
    number = enrol(engine, "writer", "otto")
    here, there, third = (client_of(app, number) for _ in range(3))
    page = here.get("/en/account").text
    assert page.count("this browser") == 1
    chosen = re.findall(r'name="session" value="([0-9a-f]{64})"', page)
    assert len(chosen) == 2
    here.post("/en/account/sessions", data={"session": chosen[0]})
    assert sorted(one.get("/en/account").status_code for one in (there, third)) == [200, 303]
    here.post("/en/account/sessions")
    assert [one.get("/en/account").status_code for one in (here, there, third)] == [200, 303, 303]


def test_nobody_ends_a_session_of_somebody_else(app: FastAPI, engine: Engine) -> None:
    otto, mila = (client_of(app, enrol(engine, "writer", name)) for name in ("otto", "mila"))
    with reading(engine) as session:
        digests = session.execute(text("SELECT digest FROM login_session")).scalars().all()
    for digest in digests:
        mila.post("/en/account/sessions", data={"session": digest})
    assert otto.get("/en/account").status_code == 200


def test_the_language_that_a_person_chose_greets_them(app: FastAPI, engine: Engine) -> None:
    client = client_of(app, enrol(engine, "writer", "otto"))
    assert client.post("/en/account/language", data={"language": "zh"}).headers["location"].startswith("/zh/account")
    assert enter(app, "otto", OLD).headers["location"] == "/zh/"


def test_signing_in_ends_the_session_that_the_browser_had(app: FastAPI, engine: Engine) -> None:
    number = enrol(engine, "writer", "otto")
    client = client_of(app, number)
    old = client.cookies["errdex_session"]
    client.post("/en/sign-in", data={"name": "otto", "password": OLD})
    before = client_of(app)
    before.cookies.set("errdex_session", old, domain="testserver.local")
    assert before.get("/en/account").status_code == 303
    assert client.get("/en/account").status_code == 200


def test_who_has_no_password_cannot_sign_in_with_an_empty_one(app: FastAPI, engine: Engine) -> None:
    number = enrol(engine, "writer", "otto")
    with writing(engine) as session:
        members.member(session, number).password = ""
    assert enter(app, "otto", "").status_code == 401


def leave(engine: Engine) -> int:
    """Have somebody do a bit of everything; return their number."""
    number = enrol(engine, "reviewer", "otto")
    who = Who(number, "otto", "reviewer")
    with writing(engine) as session:
        row, _ = proposals.submit(session, document("verl/a"), lang="en", submitter="otto", note="ask @otto", by=number)
        proposals.approve(session, row.id or 0, 1, who, "checked by @otto")
        row, _ = proposals.submit(session, document("verl/b"), lang="en", submitter="ann", note="otto is a name")
        proposals.reject(session, row.id or 0, 1, who, "no")
    return number


def test_who_is_removed_becomes_a_former_member_everywhere_and_their_texts_stay(app: FastAPI, engine: Engine) -> None:
    number = leave(engine)
    admin, otto = client_of(app, enrol(engine, "admin")), client_of(app, number)
    assert admin.post(f"/en/people/{number}/remove", data={"name": "ottto"}).status_code == 422
    assert admin.post(f"/en/people/{number}/remove", data={"name": "otto"}).status_code == 303
    assert otto.get("/en/account").status_code == 303
    assert enter(app, "otto", OLD).status_code == 401
    history = admin.get("/en/e/verl/a/history").text
    assert f"former member {number}" in history
    assert "@otto" not in history
    assert f"前成员 {number}" in admin.get("/zh/e/verl/a/history").text
    assert "The valve of verl/a" in admin.get("/en/e/verl/a").text
    assert f"former member {number}" in admin.get("/en/audit").text
    with reading(engine) as session:
        kept = session.execute(text("SELECT name, password, email, state FROM person WHERE id = :id"), {"id": number})
        assert tuple(kept.one()) == (f"former member {number}", "", "", "removed")
        # a word of somebody else that is no mention
        assert (
            session.execute(text("SELECT note FROM submission WHERE slug = 'verl/b'")).scalar_one() == "otto is a name"
        )
    assert admin.get(f"/en/people/{number}").status_code == 404


def test_a_person_is_given_what_is_kept_of_them(engine: Engine, run: Run) -> None:
    number = leave(engine)
    found = json.loads(run("user", "export", "otto").stdout)
    assert (found["number"], found["name"], found["role"], found["has_password"]) == (number, "otto", "reviewer", True)
    assert [row["slug"] for row in found["published"]] == ["verl/a"]
    assert [row["decision"] for row in found["decided"]] == ["approved", "rejected"]
    assert [row["slug"] for row in found["proposed"]] == ["verl/a"]
    assert {"submitted", "approved", "rejected"} <= {row["act"] for row in found["acts"]}
    assert "argon2" not in run("user", "export", "otto").stdout
    assert run("user", "export", "nobody").exit_code == 1


def test_the_command_line_can_what_the_pages_can(app: FastAPI, engine: Engine, run: Run) -> None:
    enrol(engine, "admin")
    number = enrol(engine, "reader", "otto")
    assert run("user", "role", "otto", "reviewer").exit_code == 0
    assert role_of(engine, "otto") == ("reviewer", "active")
    assert run("user", "role", "otto", "emperor").exit_code == 2
    assert run("user", "deactivate", "otto").exit_code == 0
    assert role_of(engine, "otto") == ("reviewer", "deactivated")
    assert "deactivated" in run("user", "list").stdout
    assert run("user", "activate", "otto").exit_code == 0
    client = client_of(app, number)
    assert "1 times" in run("user", "sessions", "otto", "--end").stdout
    assert client.get("/en/account").status_code == 303
    assert run("user", "language", "otto", "zh").exit_code == 0
    assert run("user", "language", "otto", "fr").exit_code == 2
    for words in (("reset", "otto"), ("invite", "--role", "reader")):
        address = run("user", *words).stdout.strip()
        assert client_of(app).get("/en/join/" + address.rpartition("/")[2]).status_code == 200
    assert "former member" in run("user", "remove", "otto").stdout


def test_who_did_what_is_listed_and_filtered(app: FastAPI, engine: Engine, run: Run) -> None:
    leave(engine)
    admin = client_of(app, enrol(engine, "admin"))
    assert enter(app, "otto", "wrong").status_code == 401
    assert enter(app, "no such name: hunter2", "wrong").status_code == 401
    everything = admin.get("/en/audit").text
    assert "hunter2" not in everything
    rows = everything.partition("<tbody>")[2]
    assert "wrong password" in rows
    assert "proposed" in rows
    only = admin.get("/en/audit?act=approved").text.partition("<tbody>")[2]
    assert "published" in only
    assert "wrong password" not in only
    assert "Nothing like that." in admin.get("/en/audit?since=2999-01-01").text
    for odd in ("act=%00", "actor=99999999999", "actor=x", "since=soon", "before=-1"):
        assert admin.get(f"/en/audit?{odd}").status_code == 200
    lines = [json.loads(line) for line in run("audit", "--act", "approved").stdout.splitlines()]
    assert [(line["name"], line["act"], line["kind"]) for line in lines] == [("otto", "approved", "submission")]
    assert len(run("audit", "--who", "otto").stdout.splitlines()) == 3
    unknown = run("audit", "--act", "aproved")
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert "Do you mean approved?" in unknown.stderr
    assert "sign-in-failed" in unknown.stderr


def test_an_admins_token_reads_who_did_what(app: FastAPI, engine: Engine) -> None:
    assert enter(app, "otto", "wrong").status_code == 401
    number = enrol(engine, "admin")
    with writing(engine) as session:
        admin = members.member(session, number)
        sent = {
            scope: {"authorization": f"Bearer {tokens.add(session, admin, scope, scope, 1, by=number)[1]}"}
            for scope in ("review", "admin")
        }
    client = client_of(app)
    assert client.get("/api/v1/audit").status_code == 401
    assert client.get("/api/v1/audit", headers=sent["review"]).status_code == 403
    first = client.get("/api/v1/audit?limit=1", headers=sent["admin"]).json()
    assert [(item["act"], item["name"]) for item in first["items"]] == [("token-added", "admin")]
    rest = client.get(f"/api/v1/audit?cursor={first['next']}", headers=sent["admin"]).json()["items"]
    assert [item["act"] for item in rest] == ["token-added", "sign-in-failed"]
    failed = client.get("/api/v1/audit?act=sign-in-failed&since=2026-01-01", headers=sent["admin"]).json()["items"]
    assert [(item["actor"], item["act"], item["kind"]) for item in failed] == [(None, "sign-in-failed", "")]
    assert client.get(f"/api/v1/audit?actor={number}&since=2999-01-01", headers=sent["admin"]).json()["items"] == []
    assert client.get("/api/v1/audit?since=0", headers=sent["admin"]).status_code == 422
    assert client.get("/api/v1/audit?act=guessed", headers=sent["admin"]).status_code == 422


def test_what_is_older_than_the_setting_says_is_forgotten(settings: Settings, engine: Engine) -> None:
    enrol(engine, "writer", "otto")
    with writing(engine) as session:
        members.make_link(session, "invite", by=0, role="reader")
        session.execute(text("UPDATE audit_record SET at = '2020-01-01 00:00:00'"))
    with guide_for(settings, ("open", "anyone")) as app:
        assert enter(app, "otto", OLD).status_code == 303
    with reading(engine) as session:
        assert session.execute(text("SELECT act FROM audit_record")).scalars().all() == ["sign-in"]


def test_a_role_that_was_taken_away_holds_for_what_lies_in_the_form(app: FastAPI, engine: Engine) -> None:
    """Somebody who was demoted while they wrote does not publish."""
    number = enrol(engine, "reviewer", "otto")
    client: TestClient = client_of(app, number)
    with writing(engine) as session:
        row, _ = proposals.submit(session, document("verl/a"), lang="en")
        enrolled = accounts.named(session, "otto")
        members.change_role(session, enrolled, "writer", by=0)
    assert client.post(f"/en/review/{row.id}/approve", data={"version": "1"}).status_code == 403
