"""Most wanted: what finds no entry is counted, shown without anything private, and gone once it is answered."""

import html
import re

import pytest
from sqlalchemy import Engine, text
from starlette.testclient import TestClient

from app import wanted
from app.config import Settings
from app.main import create_app
from app.matching.report import parse
from app.store.session import connect, reading, writing
from tests.conftest import create, sign_in

# put together here, so that nothing in this file looks like a secret
TOKEN = "hf_" + "kQ7mZ2xW9bN4vC8r" * 2
ERROR = "VerifierUnitError: no conversion from '{}' to 'furlong-bob' in table v{} of /home/{}/units.json for user {}"
SHOWN = "VerifierUnitError: no conversion from '‹…›' to '‹…›' in table v‹…› of ‹…› for user ‹…›"


def error(number: int) -> str:
    return ERROR.format(f"mile{number}", number, "alice", "alice")


def ask(client: TestClient, times: int, lang: str = "en") -> None:
    for number in range(times):
        assert client.post(f"/{lang}/match", data={"text": error(number)}).status_code == 200


def listed(client: TestClient, lang: str = "en") -> str:
    page = client.get(f"/{lang}/wanted")
    assert page.status_code == 200
    return html.unescape(re.sub(r"<[^>]+>", "", page.text))


def stored(client: TestClient, settings: Settings) -> list[tuple[int, str]]:
    # askings of one second are written together
    client.app.state.tally.write()  # type: ignore[attr-defined]
    return rows(settings)


def rows(settings: Settings) -> list[tuple[int, str]]:
    engine = connect(settings)
    with reading(engine) as session:
        found = session.execute(text("SELECT asked, pattern FROM wanted ORDER BY asked")).all()
    engine.dispose()
    return [(row[0], row[1]) for row in found]


def test_what_was_asked_three_times_is_shown_without_values_names_and_numbers(
    client: TestClient, settings: Settings
) -> None:
    ask(client, 2)
    assert stored(client, settings) == [(2, "")]
    assert "VerifierUnitError" not in listed(client)
    ask(client, 1, "zh")
    assert SHOWN in listed(client)
    assert "asked 3 times" in listed(client)
    assert "被查过 3 次" in listed(client, "zh")
    assert not re.search("alice|bob|units|mile", listed(client))


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
    client.post("/api/v1/match", json={"text": error(7)})
    client.post("/api/v1/match", content=error(8), headers={"content-type": "text/plain"})
    assert SHOWN in listed(client)


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
    page = client.get("/en/wanted").text
    sent = re.search(r'action="/en/submit/draft"[^>]*><input type="hidden" name="text" value="([^"]+)"', page)
    assert sent
    form = client.post("/en/submit/draft", data={"text": html.unescape(sent[1])}).text
    assert "VerifierUnitError: no conversion from &#39;&lt;*&gt;&#39; to" in form


def test_a_reviewer_dismisses_one_and_it_does_not_come_back(client: TestClient) -> None:
    ask(client, 3)
    assert "/wanted/dismiss" not in client.get("/en/wanted").text
    reviewer = sign_in(TestClient(client.app, raise_server_exceptions=False))
    found = re.search(r'name="fingerprint" value="([^"]+)"', reviewer.get("/en/wanted").text)
    assert found
    assert client.post("/en/wanted/dismiss", data={"fingerprint": found[1]}).url.path == "/en/sign-in"
    assert "VerifierUnitError" in listed(client)
    reviewer.post("/en/wanted/dismiss", data={"fingerprint": found[1]})
    assert "VerifierUnitError" not in listed(client)
    ask(client, 3)
    assert "VerifierUnitError" not in listed(client)


def test_what_an_entry_answers_by_now_is_gone(client: TestClient) -> None:
    ask(client, 3)
    assert "VerifierUnitError" in listed(client)
    reviewer = sign_in(TestClient(client.app, raise_server_exceptions=False))
    fields = {
        "project": "verl",
        "title": "No conversion between units",
        "symptom": "It stops.",
        "patterns": "VerifierUnitError: no conversion from '<*>' to '<*>' in table <*>",
    }
    assert reviewer.post("/en/submit", data=fields).status_code == 200
    number = re.findall(r'href="/en/review/(\d+)"', reviewer.get("/en/review").text)[0]
    reviewer.post(f"/en/review/{number}/approve", data={"version": "1", "note": ""})
    assert "VerifierUnitError" not in listed(client)


def test_the_list_is_by_how_often_it_was_asked(client: TestClient) -> None:
    ask(client, 3)
    for _ in range(4):
        client.post("/en/match", data={"text": "GreenhouseValveError: the valve has frozen shut over night"})
    page = listed(client)
    assert page.index("GreenhouseValveError") < page.index("VerifierUnitError")


def test_a_count_that_fails_leaves_the_answer_as_it_is(client: TestClient, settings: Settings) -> None:
    engine = connect(settings)
    with writing(engine) as session:
        session.execute(text("DROP TABLE wanted"))
    engine.dispose()
    assert "Not in the guide yet" in client.post("/en/match", data={"text": error(1)}).text
    assert client.post("/api/v1/match", json={"text": error(1)}).status_code == 200


def test_what_was_asked_once_and_long_ago_is_forgotten(engine: Engine, settings: Settings) -> None:
    wanted.count(engine, {wanted.pattern_of(parse("GreenhouseValveError: the valve has frozen shut over night")): 1})
    with writing(engine) as session:
        session.execute(text("UPDATE wanted SET last = '2020-01-01 00:00:00'"))
    wanted.count(engine, {wanted.pattern_of(parse(error(1))): 1})
    assert rows(settings) == [(1, "")]


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
    pattern = wanted.pattern_of(parse(paste))
    assert pattern
    assert PRIVATE[paste] not in pattern
    assert not re.search(r"\d", pattern)
    assert len(pattern) <= wanted.LONGEST_PATTERN
