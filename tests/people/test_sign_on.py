"""Single sign-on: who comes in by an identity provider, as whom, with which role, and who does not."""

import json
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi import FastAPI
from httpx2 import Response
from pydantic import SecretStr, ValidationError
from sqlalchemy import Engine, text
from starlette.testclient import TestClient

from app import config
from app.config import Settings
from app.errors import SignOnGroup, SignOnOver
from app.i18n import LANGS
from app.i18n import text as t
from app.people import members, permissions, sign_on
from app.people.identity_provider import BegunSignOn, ProvenIdentity
from app.people.provider_answers import LARGEST_ANSWER
from app.people.sign_on import EntryTerms
from app.site.frame.sign_in import PROBLEMS
from app.store.columns import now
from app.store.session import reading, writing
from tests.people.members import client_of, enrol, guide_for
from tests.people.provider import CLIENT, SECRET, StandIn, new_key, standing_in

Guide = Callable[..., FastAPI]
Run = Callable[..., Any]
NOBODY_LISTENS = "http://127.0.0.1:9"


@pytest.fixture
def provider() -> Iterator[StandIn]:
    """A provider that knows one person."""
    with standing_in() as told:
        yield told


@pytest.fixture
def guide(settings: Settings, engine: Engine, provider: StandIn) -> Iterator[Guide]:
    """Start a guide for members at the provider; keyword arguments are further settings."""
    with ExitStack() as stack:

        def _guide(**more: Any) -> FastAPI:
            given = {"oidc_issuer": provider.issuer, "oidc_client_id": CLIENT, "oidc_client_secret": SecretStr(SECRET)}
            return stack.enter_context(
                guide_for(settings.model_copy(update=given | {"oidc_label": "Lab"} | more), ("members", "members"))
            )

        yield _guide


def begin(client: TestClient, way: str = "/en/sign-on") -> str:
    """Set out to the provider; return its address."""
    led = client.get(way)
    assert (led.status_code, led.headers["cache-control"]) == (303, "no-store")
    return led.headers["location"]


def come(app: FastAPI, provider: StandIn, client: TestClient | None = None, **instead: str) -> Response:
    """Sign in at the provider and come back; keyword arguments replace what the browser brings."""
    client = client or client_of(app)
    return client.get("/sign-on/back", params=provider.authorize(begin(client)) | instead)


def problem(answer: Response) -> str:
    """Return why somebody was not let in, as the address of the page that tells them says."""
    assert answer.status_code == 303
    assert "errdex_session" not in answer.cookies
    return parse_qs(urlsplit(answer.headers["location"]).query)["problem"][0].removeprefix("sign-on-")


def everybody(engine: Engine) -> list[tuple[str, str, str]]:
    """Return name, role and address of everybody but the test's reviewer."""
    with reading(engine) as session:
        rows = session.execute(text("SELECT name, role, email FROM person WHERE name <> 'rita' ORDER BY id"))
        return [tuple(row) for row in rows]


def acts(engine: Engine) -> list[tuple[str, str]]:
    """Return what the audit log has of sign-ins, and its last word."""
    with reading(engine) as session:
        rows = session.execute(text("SELECT act, after FROM audit_record ORDER BY id"))
        return [(act, after) for act, after in rows]


def test_somebody_signs_on_becomes_a_member_and_is_led_back(guide: Guide, provider: StandIn, engine: Engine) -> None:
    provider.about |= {"preferred_username": "otto", "email": "Otto@Corp.lan", "email_verified": True}
    app = guide()
    client = client_of(app)
    page = client.get("/zh/sign-in?next=%2Fzh%2Fbrowse").text
    assert 'href="/zh/sign-on?next=%2Fzh%2Fbrowse"' in page or 'href="/zh/sign-on?next=/zh/browse"' in page
    address = begin(client, "/zh/sign-on?next=/zh/browse")
    assert address.startswith(f"{provider.issuer}/authorize?")
    answer = client.get("/sign-on/back", params=provider.authorize(address))
    assert (answer.status_code, answer.headers["location"]) == (303, "/zh/browse")
    assert client.get("/zh/browse").status_code == 200
    assert everybody(engine) == [("otto", "writer", "otto@corp.lan")]
    assert acts(engine) == [("joined", "writer"), ("sign-on", "")]
    # the way there is used up
    assert problem(client.get("/sign-on/back", params={"code": "code-0", "state": "x"})) == "over"


def test_a_person_is_the_subject_whatever_they_are_called(guide: Guide, provider: StandIn, engine: Engine) -> None:
    app = guide()
    for subject, name in (("1", "otto"), ("1", "otto the second"), ("2", "otto"), ("3", "former member 7"), ("4", "")):
        provider.about = {"sub": subject}
        # told on the page about the person only
        provider.more = {"name": name}
        assert come(app, provider).headers["location"] == "/en/"
    assert [name for name, _, _ in everybody(engine)] == ["otto", "otto 2", "member", "member 2"]


def test_somebody_who_comes_twice_at_once_is_one_person(engine: Engine) -> None:
    identity = ProvenIdentity("https://login.corp.lan", "subject-1", ("otto",), "", frozenset({"boss"}))
    terms = EntryTerms(frozenset(), {"boss": "admin"}, joins_by_email=False, days=1, key="key", audit_days=1)
    with ThreadPoolExecutor(4) as pool:
        tokens = list(pool.map(lambda _: sign_on.enter(engine, identity, terms), range(8)))
    assert len(set(tokens)) == 8
    assert everybody(engine) == [("otto", "admin", "")]


def test_who_is_called_like_somebody_here_is_somebody_else(guide: Guide, provider: StandIn, engine: Engine) -> None:
    provider.about |= {"preferred_username": "rita", "email": "rita@corp.lan", "email_verified": True}
    assert come(guide(), provider).status_code == 303
    assert everybody(engine) == [("rita 2", "writer", "rita@corp.lan")]


@pytest.mark.parametrize(
    ("verified", "setting", "known"),
    [(True, True, True), (False, True, False), ("true", True, False), (True, False, False)],
)
def test_a_verified_address_leads_to_the_account_that_has_it_where_the_setting_says_so(
    guide: Guide, provider: StandIn, engine: Engine, *, verified: object, setting: bool, known: bool
) -> None:
    with writing(engine) as session:
        session.execute(text("UPDATE person SET email = 'rita@corp.lan'"))
    provider.about |= {"preferred_username": "r", "email": "Rita@corp.lan", "email_verified": verified}
    app = guide(oidc_join_by_email=setting)
    client = client_of(app)
    come(app, provider, client)
    assert ("rita" in client.get("/en/account").text) is known
    assert len(everybody(engine)) == (0 if known else 1)
    # somebody who was given that address later is not her
    provider.about["sub"] = "subject-2"
    come(app, provider, client)
    assert "<h1>rita</h1>" not in client.get("/en/account").text


ADDRESSES = [
    ("otto@corp.lan", True, ""),
    ("otto@CORP.lan", True, ""),
    ("otto@corp.lan", False, "unverified"),
    ("otto@corp.lan", None, "unverified"),
    ("", True, "unverified"),
    ("otto@evil.example", True, "domain"),
    ("otto@corp.lan@evil.example", True, "domain"),
    ("otto@sub.corp.lan", True, "domain"),
]


def test_only_verified_addresses_of_the_domains_sign_on(guide: Guide, provider: StandIn, engine: Engine) -> None:
    app = guide(oidc_domains="other.lan, corp.lan")
    for number, (email, verified, why) in enumerate(ADDRESSES):
        provider.about = {"sub": str(number), "email": email, "email_verified": verified}
        answer = come(app, provider)
        found = "" if answer.headers["location"] == "/en/" else problem(answer)
        assert found == why, (email, verified)
    assert [email for _, _, email in everybody(engine)] == ["otto@corp.lan", "otto@corp.lan"]
    assert [after for act, after in acts(engine) if act == "sign-on-failed"] == [why for _, _, why in ADDRESSES if why]


def test_groups_give_the_role_at_every_sign_in_and_the_page_only_shows_it(
    guide: Guide, provider: StandIn, engine: Engine
) -> None:
    admin = enrol(engine, "admin", "mila")
    app = guide(oidc_roles="lab=writer, lab-reviewers=reviewer, lab-admins=admin")
    provider.about |= {"preferred_username": "otto", "groups": ["lab", "lab-reviewers", "elsewhere"]}
    assert come(app, provider).headers["location"] == "/en/review"
    provider.about["groups"] = "lab"
    come(app, provider)
    assert everybody(engine)[1:] == [("otto", "writer", "")]
    with reading(engine) as session:
        rows = session.execute(text("SELECT origin, before, after FROM audit_record WHERE act = 'role'"))
        assert [tuple(row) for row in rows] == [("provider", "reviewer", "writer")]
        number = session.execute(text("SELECT id FROM person WHERE name = 'otto'")).scalar_one()
    looking = client_of(app, admin)
    page = looking.get(f"/en/people/{number}").text
    assert 'id="f-role"' not in page
    assert "sign-in service" in page
    refused = looking.post(f"/en/people/{number}/role", data={"role": "admin"})
    assert refused.status_code == 409
    assert 'id="f-role"' in looking.get(f"/en/people/{admin}").text
    assert "identity provider" in looking.get("/en/audit").text
    provider.about["groups"] = ["elsewhere"]
    assert problem(come(app, provider)) == "group"
    assert everybody(engine)[1:] == [("otto", "writer", "")]


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ((), "groups: the provider names none"),
        (("guests", "elsewhere"), "groups: none of 2 has a role"),
    ],
)
def test_the_log_says_whether_the_provider_named_groups_at_all(
    engine: Engine, groups: tuple[str, ...], reason: str
) -> None:
    """A scope or a mapper that is missing is the fault of whoever set it up, not of who signs on."""
    identity = ProvenIdentity("https://login.corp.lan", "subject-1", ("otto",), "", frozenset(groups))
    terms = EntryTerms(frozenset(), {"boss": "admin"}, joins_by_email=False, days=1, key="key", audit_days=1)
    with pytest.raises(SignOnGroup) as refused:
        sign_on.enter(engine, identity, terms)
    assert refused.value.reason == reason


GROUPS: list[tuple[dict[str, object], str]] = [
    ({"roles": ["lab"]}, "reader"),
    ({"realm_access": {"roles": ["lab", "boss"]}}, "admin"),
    ({"realm_access.roles": ["lab"]}, "writer"),
    ({"realm_access": {"roles": [7, None, {"lab": 1}]}}, "reader"),
    ({"realm_access": "lab"}, "reader"),
]


def test_groups_are_found_where_the_setting_says_and_the_star_is_everybody(
    guide: Guide, provider: StandIn, engine: Engine
) -> None:
    app = guide(oidc_groups_claim="realm_access.roles", oidc_roles="lab=writer,boss=admin,*=reader")
    for number, (about, _) in enumerate(GROUPS):
        provider.about = {"sub": str(number)} | about
        come(app, provider)
    assert [role for _, role, _ in everybody(engine)] == [role for _, role in GROUPS]


def test_the_last_admin_is_not_demoted(guide: Guide, provider: StandIn, engine: Engine) -> None:
    app = guide(oidc_roles="boss=admin, *=reader")
    provider.about["groups"] = ["boss"]
    come(app, provider)
    provider.about["groups"] = []
    assert come(app, provider).status_code == 303
    assert [role for _, role, _ in everybody(engine)] == ["admin"]
    enrol(engine, "admin", "mila")
    come(app, provider)
    assert [role for _, role, _ in everybody(engine)] == ["reader", "admin"]


def test_who_was_deactivated_stays_out_and_who_was_removed_is_forgotten(
    guide: Guide, provider: StandIn, engine: Engine, run: Run
) -> None:
    provider.about |= {"preferred_username": "otto", "email": "otto@corp.lan", "email_verified": True}
    app = guide(oidc_join_by_email=True)
    come(app, provider)
    kept = json.loads(run("user", "export", "otto").stdout)
    assert [(one["issuer"], one["subject"]) for one in kept["identities"]] == [(provider.issuer, "subject-1")]
    assert run("user", "deactivate", "otto").exit_code == 0
    assert problem(come(app, provider)) == "deactivated"
    assert run("user", "remove", "otto").exit_code == 0
    with reading(engine) as session:
        assert session.execute(text("SELECT count(*) FROM person_identity")).scalar_one() == 0


def test_who_comes_back_without_having_set_out_is_not_let_in(guide: Guide, provider: StandIn) -> None:
    app = guide()
    brought = provider.authorize(begin(client_of(app)))
    # another browser, such as one that was led here by a stranger
    assert problem(client_of(app).get("/sign-on/back", params=brought)) == "over"
    client = client_of(app)
    begin(client)
    assert problem(client.get("/sign-on/back", params=brought)) == "over"
    client = client_of(app)
    client.cookies.set("errdex_sign_on", "x" * 200)
    assert problem(client.get("/sign-on/back", params=brought)) == "over"
    for odd in ("", "?state=%ED%B2%80&code=1", f"?code={'x' * 5000}"):
        assert problem(client_of(app).get(f"/sign-on/back{odd}")) == "over"


def test_the_way_to_the_provider_takes_ten_minutes_at_most(guide: Guide) -> None:
    client = client_of(guide())
    begin(client)
    cookie = next(one for one in client.cookies.jar if one.name == "errdex_sign_on")
    assert (cookie.path, cookie.has_nonstandard_attr("HttpOnly"), cookie.secure) == ("/sign-on/back", True, False)
    assert 590 < (cookie.expires or 0) - time.time() <= 600


def test_what_a_browser_keeps_meanwhile_is_sealed_and_good_for_ten_minutes() -> None:
    begun = BegunSignOn("state", "nonce", "verifier", "zh", "/zh/browse?q=芙蓉")
    sealed = sign_on.seal(begun, "key", 1000.0)
    assert not {"state", "nonce", "verifier"} & set(re.split(r"\W", sealed))
    assert sign_on.unseal(sealed, "key", 1599.0) == begun
    for text_, key, at in (
        (sealed, "key", 1600.0),
        (sealed, "other", 1000.0),
        (sealed[:-2], "key", 1000.0),
        ("", "key", 1000.0),
        ("eyJhbGciOiJub25lIn0.eyJzdGF0ZSI6ImEifQ.", "key", 1000.0),
    ):
        with pytest.raises(SignOnOver):
            sign_on.unseal(text_, key, at)


FORGED: dict[str, dict[str, Any]] = {
    "another nonce": {"nonce": "n"},
    "no nonce": {"nonce": None},
    "another issuer": {"iss": "http://127.0.0.1:1"},
    "for another client": {"aud": "another"},
    "for several, but given to another": {"aud": [CLIENT, "another"], "azp": "another"},
    "too old": {"exp": int(time.time()) - 3600},
    "not yet": {"nbf": int(time.time()) + 3600},
    "no subject": {"sub": ""},
    "a subject without end": {"sub": "x" * 300},
    "another access token": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
}


def test_what_cannot_be_verified_lets_nobody_in(guide: Guide, provider: StandIn, engine: Engine) -> None:
    app, honest = guide(), provider.about
    for name, forged in FORGED.items():
        provider.about = honest | forged
        assert problem(come(app, provider)) == "untrusted", name
    assert everybody(engine) == []
    assert acts(engine) == [("sign-on-failed", "untrusted")] * len(FORGED)
    provider.about = honest
    assert come(app, provider).headers["location"] == "/en/"


def test_an_answer_of_another_issuer_is_refused_before_its_code_is_sent_anywhere(
    guide: Guide, provider: StandIn
) -> None:
    app = guide()
    assert problem(come(app, provider, iss="http://127.0.0.1:1")) == "untrusted"
    client = client_of(app)
    brought = provider.authorize(begin(client))
    del brought["iss"]
    assert problem(client.get("/sign-on/back", params=brought)) == "untrusted"
    assert "/token" not in provider.asked


def test_a_new_key_of_the_provider_is_fetched_and_an_old_or_foreign_one_refused(
    guide: Guide, provider: StandIn
) -> None:
    app = guide()
    assert come(app, provider).headers["location"] == "/en/"
    old, provider.key = provider.key, new_key()
    provider.shown = [provider.key]
    assert come(app, provider).headers["location"] == "/en/"
    assert provider.asked.count("/keys") == 2
    provider.key = old
    assert problem(come(app, provider)) == "untrusted"
    provider.key = new_key()
    assert problem(come(app, provider)) == "untrusted"
    # of another key, under the name of one that the provider shows
    provider.key = new_key()
    provider.name = provider.shown[0].kid
    assert problem(come(app, provider)) == "untrusted"


def test_a_token_that_says_it_needs_no_signature_is_refused(guide: Guide, provider: StandIn) -> None:
    app = guide()
    # {"alg":"none"}.{"sub":"a"}.
    token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."
    provider.instead["/token"] = (
        200,
        json.dumps({"access_token": "a", "token_type": "Bearer", "id_token": token}).encode(),
    )
    assert problem(come(app, provider)) == "untrusted"


def test_somebody_elses_page_is_refused(guide: Guide, provider: StandIn) -> None:
    provider.more = {"sub": "somebody else", "email": "a@corp.lan"}
    app = guide()
    assert problem(come(app, provider)) == "untrusted"


@pytest.mark.parametrize(("error", "why"), [("access_denied", "declined"), ("<script>", "declined")])
def test_who_is_turned_away_there_is_told_so(guide: Guide, provider: StandIn, error: str, why: str) -> None:
    app = guide()
    assert problem(come(app, provider, error=error)) == why


WELL_KNOWN = "/.well-known/openid-configuration"
# what the provider answers instead, and what becomes of it; its keys are kept once they were read, so they come first
NONSENSE = [
    (WELL_KNOWN, 500, b"{}", "away"),
    (WELL_KNOWN, 200, b"<html>", "away"),
    (WELL_KNOWN, 200, b"[]", "away"),
    (WELL_KNOWN, 200, b'{"issuer": "http://127.0.0.1:1"}', "untrusted"),
    (WELL_KNOWN, 200, b"x" * (LARGEST_ANSWER + 1), "away"),
    ("/keys", 500, b"", "away"),
    ("/keys", 200, b'{"keys": [{"kty": "oct", "k": "AAAA"}]}', "away"),
    ("/token", 503, b"", "away"),
    ("/token", 200, b"[]", "away"),
    ("/token", 200, b"{}", "untrusted"),
    ("/token", 200, b"x" * (LARGEST_ANSWER + 1), "away"),
    ("/token", 401, b'{"error": "invalid_client"}', "untrusted"),
    ("/token", 400, b'{"error": "invalid_grant"}', "over"),
    ("/about", 500, b"", "away"),
]


def test_a_provider_that_is_away_or_answers_nonsense_lets_nobody_in(guide: Guide, provider: StandIn) -> None:
    app = guide()
    for path, status, body, why in NONSENSE:
        provider.instead = {path: (status, body)}
        answer = client_of(app).get("/en/sign-on") if path == WELL_KNOWN else come(app, provider)
        assert problem(answer) == why, (path, status, body[:40])
    # and once it is well, so is signing in
    provider.instead = {}
    assert come(app, provider).headers["location"] == "/en/"


def test_the_page_for_signing_in_says_what_went_wrong_and_offers_the_way_again(guide: Guide) -> None:
    client = client_of(guide())
    for key, status in PROBLEMS.items():
        for lang in LANGS:
            page = client.get(f"/{lang}/sign-in", params={"problem": key})
            assert page.status_code == status
            assert t(lang, f"error.{key}.title") in page.text
            assert t(lang, "sign-in.at-provider", provider="Lab") in page.text
    assert client.get("/en/sign-in?problem=no-such").status_code == 200


def test_the_site_starts_and_is_read_while_nobody_listens_at_the_provider(settings: Settings, engine: Engine) -> None:
    given = {"oidc_issuer": NOBODY_LISTENS, "oidc_client_id": CLIENT, "oidc_label": "Lab"}
    with guide_for(settings.model_copy(update=given), ("open", "anyone")) as app:
        assert client_of(app).get("/en/").status_code == 200
        assert problem(client_of(app).get("/en/sign-on?next=/en/browse")) == "away"


def test_signing_out_ends_the_session_and_then_offers_to_end_that_of_the_provider(
    guide: Guide, provider: StandIn, engine: Engine
) -> None:
    app = guide()
    client = client_of(app)
    come(app, provider, client)
    left = client.post("/en/sign-out")
    assert left.headers["location"] == "/en/signed-out"
    page = client.get("/en/signed-out")
    assert f'href="{provider.issuer}/end?client_id={CLIENT}"' in page.text
    assert "Sign out of Lab" in page.text
    assert client.get("/en/account").status_code == 303
    local = client_of(app, enrol(engine, "writer"))
    assert local.post("/en/sign-out").headers["location"] == "/en/"


def test_without_passwords_only_the_provider_and_a_link_by_command_let_somebody_in(
    guide: Guide, provider: StandIn, engine: Engine, run: Run
) -> None:
    provider.about |= {"preferred_username": "otto", "groups": ["boss"]}
    app = guide(local_passwords=False, oidc_roles="boss=admin")
    page = client_of(app).get("/en/sign-in").text
    assert "Sign in with Lab" in page
    assert 'name="password"' not in page
    refused = client_of(app).post("/en/sign-in", data={"name": "rita", "password": "correct horse battery"})
    assert (refused.status_code, "errdex user link NAME" in refused.text) == (403, True)
    client = client_of(app)
    come(app, provider, client)
    assert 'id="password"' not in client.get("/en/account").text
    assert "through the sign-in service" in client.get("/en/people").text
    assert client.post("/en/people", data={"role": "reader"}).status_code == 403
    assert client.post("/en/people/1/reset").status_code == 403
    assert client.post("/en/account/password", data={"old_password": "", "password": "x" * 20}).status_code == 403
    given = {"ERRDEX_LOCAL_PASSWORDS": "false", "ERRDEX_OIDC_ISSUER": NOBODY_LISTENS, "ERRDEX_OIDC_CLIENT_ID": "x"}
    for words in (("invite",), ("reset", "rita")):
        assert run("user", *words, **given).exit_code == 2
    opened(app, run("user", "link", "otto", **given).stdout.strip(), "otto")


def test_a_link_by_command_signs_in_once(guide: Guide, engine: Engine, run: Run) -> None:
    app = guide()
    enrol(engine, "writer", "otto")
    assert run("user", "link", "nobody").exit_code == 1
    earlier, link = (run("user", "link", "otto").stdout.strip() for _ in range(2))
    assert client_of(app).get(path_of(earlier)).status_code == 410
    opened(app, link, "otto")
    assert client_of(app).post(path_of(link)).status_code == 410
    assert acts(engine)[-1] == ("sign-in", "link")
    old = run("user", "link", "otto").stdout.strip()
    with writing(engine) as session:
        session.execute(text("UPDATE one_time_link SET expires = :at"), {"at": now()})
    assert client_of(app).post(path_of(old)).status_code == 410
    link = run("user", "link", "otto").stdout.strip()
    assert run("user", "deactivate", "otto").exit_code == 0
    assert client_of(app).post(path_of(link)).status_code == 410
    assert run("user", "link", "otto").exit_code == 2


def test_without_passwords_the_first_admin_takes_a_name_only_and_no_link_gives_a_password(
    guide: Guide, engine: Engine
) -> None:
    app = guide(local_passwords=False)
    with writing(engine) as session:
        first = members.make_link(session, "admin", by=0)
        reset = members.make_link(session, "reset", by=0, person=members.member(session, 1))
    client = client_of(app)
    page = client.get(f"/en/join/{first}").text
    assert ("Choose a name. Your role: Admin." in page, 'name="password"' in page) == (True, False)
    assert client.post(f"/en/join/{first}", data={"name": "rita"}).status_code == 422
    assert client.post(f"/en/join/{first}", data={"name": "mila"}).status_code == 303
    assert client.get("/en/people").status_code == 200
    assert client_of(app).get(f"/zh/join/{reset}").status_code == 403
    assert client_of(app).post(f"/en/join/{reset}", data={"password": "meadow lantern copper"}).status_code == 410


def path_of(link: str) -> str:
    """The address of a link without its host."""
    return urlsplit(link).path


def opened(app: FastAPI, link: str, name: str) -> None:
    """Sign in by a link; looking at it does not use it up."""
    client = client_of(app)
    for _ in range(2):
        page = client.get(path_of(link))
        assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
        assert f"signs you in as {name}" in page.text
        assert 'name="password"' not in page.text
    assert client.post(path_of(link)).status_code == 303
    assert name in client.get("/en/account").text


def test_an_address_is_noted_by_command(engine: Engine, run: Run) -> None:
    assert run("user", "email", "rita", " Rita@Corp.lan ").exit_code == 0
    with reading(engine) as session:
        assert session.execute(text("SELECT email FROM person")).scalars().all() == ["rita@corp.lan"]
    for wrong in ("rita", "@corp.lan", "rita@", "ri ta@corp.lan", f"{'x' * 250}@corp.lan"):
        assert run("user", "email", "rita", wrong).exit_code == 2
    assert run("user", "email", "rita", "").exit_code == 0


def test_without_a_provider_there_are_no_such_pages(settings: Settings, engine: Engine) -> None:
    with guide_for(settings, ("open", "anyone")) as app:
        for path in ("/en/sign-on", "/sign-on/back", "/en/signed-out"):
            assert client_of(app).get(path).status_code == 404
        assert "sign-on" not in client_of(app).get("/en/sign-in").text


@pytest.mark.parametrize(
    "given",
    [
        {"oidc_issuer": "login.corp.lan", "oidc_client_id": "errdex"},
        {"oidc_issuer": "https://login.corp.lan"},
        {"local_passwords": False},
        {"oidc_roles": "lab=emperor"},
        {"oidc_roles": "admin"},
        {"oidc_scopes": "email"},
        {"oidc_client_secret": "a", "oidc_client_secret_file": "b"},
        {"oidc_client_secret_file": "/no/such/file"},
    ],
)
def test_settings_that_cannot_work_are_refused_at_the_start(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings(**given)


def test_the_secret_can_lie_in_a_file(tmp_path: Any) -> None:
    path = tmp_path / "secret"
    path.write_text("from a file\n")
    assert Settings(oidc_client_secret_file=str(path)).oidc_secret == "from a file"


def test_settings_know_the_roles_there_are() -> None:
    assert config.ROLES == permissions.ROLES
