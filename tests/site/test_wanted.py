"""Most wanted: what finds no entry is counted, and gone once it is answered.

Reviewers see it once several people asked, everybody once a reviewer released it, and nobody anything private.
"""

import html
import re
from datetime import timedelta

import pytest
from sqlalchemy import Engine, text
from starlette.testclient import TestClient

from app.asking import counted_pattern, unanswered
from app.asking.unanswered import AskCount
from app.config import Settings
from app.main import create_app
from app.matching.parsing.parser import parse
from app.matching.text.masks import fingerprint
from app.people import accounts, members
from app.privacy import public_pattern
from app.store.columns import now
from app.store.engine import connect
from app.store.session import reading, writing
from tests import askers
from tests.conftest import NAME, PASSWORD, add_person, create, sign_in

# put together here, so that nothing in this file looks like a secret
TOKEN = "hf_" + "kQ7mZ2xW9bN4vC8r" * 2
ERROR = "VerifierUnitError: no conversion from '{}' to 'furlong-bob' in table v{} of /home/{}/units.json for user {}"
SHOWN = "VerifierUnitError: no conversion from '‹…›' to '‹…›' in table ‹…› of ‹…› for user ‹…›"
OTHER = "RuntimeError: the unit table has no conversion for this verifier"
# one project, one customer; the rest is said by software that everybody has
PRIVATE_WORDS = "RuntimeError: projectfalcon customer acmecorp checkpoint mismatch in the optimizer state of shard {}"


def error(number: int) -> str:
    return ERROR.format(f"mile{number}", number, "alice", "alice")


def at(client: TestClient, address: str) -> TestClient:
    """A browser of its own at another address."""
    return TestClient(client.app, raise_server_exceptions=False, client=(address, 4711))


def ask(client: TestClient, times: int, lang: str = "en") -> None:
    """Have as many different people ask, each at an address of their own."""
    for number in range(times):
        somebody = at(client, f"192.0.2.{number}")
        assert somebody.post(f"/{lang}/match", data={"text": error(number)}).status_code == 200


def as_reviewer(client: TestClient) -> TestClient:
    return sign_in(TestClient(client.app, raise_server_exceptions=False))


def decide(client: TestClient, what: str) -> None:
    """Have a reviewer press a button of the first error in their list."""
    reviewer = as_reviewer(client)
    found = re.search(r'name="fingerprint" value="([^"]+)"', reviewer.get("/en/wanted").text)
    assert found
    assert reviewer.post(f"/en/wanted/{what}", data={"fingerprint": found[1]}).url.path == "/en/wanted"


def listed(client: TestClient, lang: str = "en") -> str:
    page = client.get(f"/{lang}/wanted")
    assert page.status_code == 200
    return html.unescape(re.sub(r"<[^>]+>", "", page.text))


def stored(client: TestClient, settings: Settings) -> list[tuple[int, str]]:
    # askings of one second are written together
    client.app.state.services.counter.write()  # type: ignore[attr-defined]
    return rows(settings)


def rows(settings: Settings) -> list[tuple[int, str]]:
    engine = connect(settings)
    with reading(engine) as session:
        found = session.execute(text("SELECT asked, pattern FROM wanted ORDER BY asked")).all()
    engine.dispose()
    return [(row[0], row[1]) for row in found]


def test_what_three_people_asked_and_a_reviewer_released_is_shown_without_values_names_and_numbers(
    client: TestClient, settings: Settings
) -> None:
    ask(client, 2)
    assert stored(client, settings) == [(2, "")]
    ask(client, 3, "zh")
    decide(client, "release")
    assert SHOWN in listed(client)
    assert "asked 5 times" in listed(client)
    assert "被查过 5 次" in listed(client, "zh")
    assert not re.search("alice|bob|units|mile", listed(client))


@pytest.mark.parametrize(
    "addresses", [["192.0.2.9"], ["127.0.0.1", "::1", "127.8.8.8"], ["2001:db8::1", "2001:db8::2"]]
)
def test_what_one_client_asks_again_and_again_nobody_sees(
    client: TestClient, settings: Settings, addresses: list[str]
) -> None:
    for number in range(6):
        somebody = at(client, addresses[number % len(addresses)])
        somebody.post("/en/match", data={"text": PRIVATE_WORDS.format(number)})
    assert stored(client, settings) == [(6, "")]
    for reader in (client, as_reviewer(client)):
        assert "mismatch" not in listed(reader)


def test_what_a_family_of_entries_answers_is_not_listed(client: TestClient, settings: Settings) -> None:
    """The message alone answers nothing, but its entries are there, and the rest of the log tells them apart."""
    shared, engine = "RuntimeError: CUDA error: invalid argument", connect(settings)
    assert not client.post("/api/v1/match", json={"text": shared}).json()["matches"]
    for pattern in (shared, OTHER):
        askers.ask(engine, pattern)
        askers.release(engine, pattern)
    engine.dispose()
    for reader in (client, as_reviewer(client)):
        assert "no conversion for this verifier" in listed(reader)
        assert "invalid argument" not in listed(reader)


def test_who_met_it_too_counts_a_person_once_and_others_once_a_day(client: TestClient, settings: Settings) -> None:
    ask(client, 3)
    assert stored(client, settings)
    reviewer = as_reviewer(client)
    found = re.search(r'name="fingerprint" value="([^"]+)"', reviewer.get("/en/wanted").text)
    assert found
    too = {"fingerprint": found[1]}
    # nobody else sees it yet, so that nobody else can have met it
    at(client, "192.0.2.7").post("/en/wanted/too", data=too)
    assert rows(settings)[0][0] == 3
    decide(client, "release")
    for _ in range(2):
        reviewer.post("/en/wanted/too", data=too)
        for address in ("192.0.2.7", "192.0.2.8"):
            at(client, address).post("/zh/wanted/too", data=too)
    assert rows(settings)[0][0] == 6
    at(client, "192.0.2.9").post("/en/wanted/too", data={"fingerprint": "never-was"})
    assert [row[0] for row in rows(settings)] == [6]


def test_what_three_addresses_asked_on_one_day_reviewers_see_and_the_public_does_not(client: TestClient) -> None:
    for number in range(3):
        at(client, f"2001:db8:{number}::1").post("/zh/match", data={"text": PRIVATE_WORDS.format(number)})
    assert "mismatch" not in listed(client)
    reviewer = as_reviewer(client)
    assert "RuntimeError: ‹…› checkpoint mismatch in the optimizer state of shard ‹…›" in listed(reviewer)
    assert "only reviewers see it" in listed(reviewer)
    assert "1 only for reviewers" in reviewer.get("/en/review").text
    assert not re.search("falcon|customer|acme", listed(reviewer))


def test_a_release_is_for_everybody_and_can_be_taken_back(client: TestClient) -> None:
    ask(client, 3)
    decide(client, "release")
    assert SHOWN in listed(client)
    assert "everybody sees it" in listed(as_reviewer(client))
    assert "wanted/release" not in client.get("/en/wanted").text
    decide(client, "withdraw")
    assert "VerifierUnitError" not in listed(client)
    assert SHOWN in listed(as_reviewer(client))


@pytest.mark.parametrize("what", ["release", "withdraw", "dismiss"])
def test_only_a_reviewer_decides_what_is_shown(client: TestClient, settings: Settings, what: str) -> None:
    ask(client, 3)
    sent = {"fingerprint": fingerprint(stored(client, settings)[0][1])}
    assert client.post(f"/en/wanted/{what}", data=sent).url.path == "/en/sign-in"
    assert "VerifierUnitError" not in listed(client)
    assert SHOWN in listed(as_reviewer(client))


def test_three_people_who_signed_in_at_one_address_are_three_people(client: TestClient, settings: Settings) -> None:
    engine = connect(settings)
    for name in ("sam", "uma"):
        add_person(engine, name, PASSWORD)
    for number, name in enumerate((NAME, NAME, "sam", "uma")):
        assert stored(client, settings) == ([(number, "")] if number else [])
        person = TestClient(client.app, raise_server_exceptions=False)
        person.post("/en/sign-in", data={"name": name, "password": PASSWORD})
        person.post("/en/match", data={"text": error(number)})
    assert [row[0] for row in stored(client, settings) if row[1]] == [4]
    with reading(engine) as session:
        # who asked is known no longer than needed
        assert session.execute(text("SELECT count(*) FROM wanted_person")).scalar_one() == 0
    engine.dispose()


def test_somebody_who_is_removed_takes_along_what_they_asked(client: TestClient, settings: Settings) -> None:
    as_reviewer(client).post("/en/match", data={"text": error(1)})
    stored(client, settings)
    engine = connect(settings)
    with writing(engine) as session:
        assert session.execute(text("SELECT count(*) FROM wanted_person")).scalar_one() == 1
        members.remove(session, accounts.named(session, NAME), by=0)
    with reading(engine) as session:
        assert session.execute(text("SELECT count(*) FROM wanted_person")).scalar_one() == 0
    engine.dispose()


def test_nothing_else_of_the_paste_is_in_the_database(client: TestClient, settings: Settings) -> None:
    for _ in range(4):
        client.post("/en/match", data={"text": f"canary4711 says hello\n{error(1)}\ncanary4711 {TOKEN}"})
    assert len(stored(client, settings)) == 1
    engine = connect(settings)
    with reading(engine) as session:
        rows = session.execute(text("SELECT * FROM wanted")).all()
    engine.dispose()
    assert not re.search(f"canary|4711|alice|{TOKEN}", repr(rows))


def test_programs_that_ask_over_the_api_are_counted_too(client: TestClient) -> None:
    ask(client, 1)
    at(client, "192.0.2.7").post("/api/v1/match", json={"text": error(7)})
    plain = {"content-type": "text/plain"}
    at(client, "192.0.2.8").post("/api/v1/match", content=error(8), headers=plain)
    assert SHOWN in listed(as_reviewer(client))


def test_the_same_paste_seen_in_the_other_language_counts_once(client: TestClient, settings: Settings) -> None:
    client.post("/en/match", data={"text": error(1)})
    client.post("/zh/match", data={"text": error(1), "again": "1"})
    assert stored(client, settings) == [(1, "")]


def test_an_opened_link_is_not_counted(client: TestClient, settings: Settings) -> None:
    page = client.post("/en/match", data={"text": error(1)}).text
    found = re.search(r'<a href="(/en/match\?s=[^"]+)"', page)
    assert found
    client.get(html.unescape(found[1]))
    assert stored(client, settings) == [(1, "")]


@pytest.mark.parametrize("asked", ["KeyError: 'env_class'", "qzxjvwkrp flurbl", "显卡驱动装不上怎么办呢朋友们"])
def test_what_has_an_answer_or_is_a_persons_words_is_not_counted(
    client: TestClient, settings: Settings, asked: str
) -> None:
    client.post("/en/match", data={"text": asked})
    assert stored(client, settings) == []


def test_who_asked_is_told_what_is_counted(client: TestClient) -> None:
    words = "counts how often this error is asked about"
    assert words in client.post("/en/match", data={"text": error(1)}).text
    assert words not in client.post("/en/match", data={"text": "qzxjvwkrp flurbl"}).text
    assert words not in client.post("/en/match", data={"text": "KeyError: 'env_class'"}).text


def test_counting_can_be_switched_off(settings: Settings, shipped: Settings) -> None:
    create(settings, shipped)
    with TestClient(create_app(settings.model_copy(update={"wanted": False}))) as client:
        ask(client, 3)
        client.post("/api/v1/match", json={"text": error(1)})
        assert stored(client, settings) == []
        assert "switched off" in listed(client)


def test_one_click_leads_to_the_half_filled_form(client: TestClient) -> None:
    ask(client, 3)
    decide(client, "release")
    page = client.get("/en/wanted").text
    sent = re.search(r'action="/en/submit/draft"[^>]*><input type="hidden" name="text" value="([^"]+)"', page)
    assert sent
    form = client.post("/en/submit/draft", data={"text": html.unescape(sent[1])}).text
    assert "VerifierUnitError: no conversion from &#39;&lt;*&gt;&#39; to" in form


@pytest.mark.parametrize("released", [True, False])
def test_a_reviewer_dismisses_one_and_neither_it_nor_its_text_comes_back(
    client: TestClient, settings: Settings, released: bool
) -> None:
    ask(client, 3)
    if released:
        decide(client, "release")
    decide(client, "dismiss")
    ask(client, 3)
    assert stored(client, settings) == [(6, "")]
    for reader in (client, as_reviewer(client)):
        assert "VerifierUnitError" not in listed(reader)


def test_what_an_entry_answers_by_now_is_gone(client: TestClient) -> None:
    ask(client, 3)
    decide(client, "release")
    assert "VerifierUnitError" in listed(client)
    reviewer = as_reviewer(client)
    fields = {
        "project": "verl",
        "title": "No conversion between units",
        "symptom": "It stops.",
        "signature": "VerifierUnitError: no conversion from '<*>' to '<*>' in table <*>",
    }
    assert reviewer.post("/en/submit", data=fields).status_code == 200
    number = re.findall(r'href="/en/review/(\d+)"', reviewer.get("/en/review").text)[0]
    reviewer.post(f"/en/review/{number}/approve", data={"version": "1", "note": ""})
    assert "VerifierUnitError" not in listed(client)


def test_the_list_is_by_how_often_it_was_asked(client: TestClient) -> None:
    ask(client, 3)
    for number in range(4):
        at(client, f"192.0.2.{number}").post("/en/match", data={"text": OTHER})
    page = listed(as_reviewer(client))
    assert page.index(OTHER) < page.index("VerifierUnitError")


def test_a_count_that_fails_leaves_the_answer_as_it_is(client: TestClient, settings: Settings) -> None:
    engine = connect(settings)
    with writing(engine) as session:
        session.execute(text("DROP TABLE wanted"))
    engine.dispose()
    assert "Not in the guide yet" in client.post("/en/match", data={"text": error(1)}).text
    assert client.post("/api/v1/match", json={"text": error(1)}).status_code == 200


def test_what_few_asked_and_long_ago_is_forgotten(engine: Engine, settings: Settings) -> None:
    long_ago = now() - unanswered.KEPT - timedelta(days=1)
    unanswered.count(engine, {OTHER: AskCount(7, {"192.0.2.1", "192.0.2.2"}, {1})}, askers.KEY, long_ago)
    assert rows(settings) == [(7, "")]
    askers.ask(engine, counted_pattern.pattern_of(parse(error(1))), clients=1, times=1)
    assert rows(settings) == [(1, "")]
    with reading(engine) as session:
        assert session.execute(text("SELECT count(*) FROM wanted_person")).scalar_one() == 0


@pytest.mark.parametrize("address", ["/en/wanted?page=1", "/en/wanted?page=-1", "/zh/wanted?page=99999999999999999999"])
def test_a_page_beyond_the_last_says_that_nothing_is_wanted(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 200


def test_every_page_leads_to_the_list(client: TestClient) -> None:
    assert 'href="/zh/wanted"' in client.get("/zh/").text


PRIVATE = {
    f"RuntimeError: cannot log in to registry with token {TOKEN} of this account": TOKEN,
    "RuntimeError: user zhangsan has no quota left on this cluster today": "zhangsan",
    "ValueError: could not reach gpu-17.corp.acme.com from the scheduler process": "acme",
    "ValueError: model acme/secret-7b is not in the registry of served models": "acme",
    "ValueError: run_name=alice-try is already used in this tracking project": "alice",
    "FileNotFoundError: the checkpoint of alice_run.pt was not written completely": "alice",
    "ValueError: the dataset 'acme salaries' has no column that was asked for": "salaries",
    "ConnectionError: the peer 203.0.113.9:4711 closed the connection too early": "203",
    "RuntimeError: mail to bob@acme.com could not be delivered by this trainer": "bob",
    "RuntimeError: worker 3f2a9c1b of job 17-b went away without saying goodbye": "3f2a",
}


@pytest.mark.parametrize("paste", PRIVATE)
def test_a_pattern_never_holds_names_paths_or_numbers(paste: str) -> None:
    pattern = counted_pattern.pattern_of(parse(paste))
    assert pattern
    assert PRIVATE[paste] not in pattern
    assert not re.search(r"\d", pattern)
    assert len(pattern) <= public_pattern.LONGEST_PATTERN


def test_an_error_of_which_too_little_is_public_is_not_counted(client: TestClient, settings: Settings) -> None:
    for number in range(3):
        text = "RuntimeError: projectfalcon customer acmecorp checkpoint mismatch"
        at(client, f"192.0.2.{number}").post("/en/match", data={"text": text})
    assert stored(client, settings) == []


def test_what_an_earlier_version_kept_loses_its_private_words_and_its_release(
    engine: Engine, settings: Settings
) -> None:
    old = "RuntimeError: projectfalcon checkpoint mismatch in the optimizer state"
    new = "RuntimeError: <*> checkpoint mismatch in the optimizer state"
    for pattern in (old, "KeyError: projectfalcon", OTHER):
        askers.ask(engine, pattern, times=4)
        askers.release(engine, pattern)
    askers.ask(engine, new, times=1, clients=1)
    assert unanswered.hole_again(engine) == 2
    assert sorted(rows(settings)) == [(4, OTHER), (5, new)]
    with reading(engine) as session:
        released = session.execute(text("SELECT fingerprint FROM wanted_released")).scalars().all()
    assert released == [fingerprint(OTHER)]
    assert unanswered.hole_again(engine) == 0
