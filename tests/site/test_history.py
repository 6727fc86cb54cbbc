"""The revisions of an entry: reading them, and bringing one back."""

import html
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from httpx2 import Response
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.content.schema import EntryDocument
from app.errors import Conflict, Forbidden, NotFound
from app.main import create_app
from app.people import accounts
from app.store import entries
from app.store.engine import connect
from app.store.session import reading, writing
from app.wiki import publishing
from tests.conftest import add_person, sign_in
from tests.site.pages import BEHIND
from tests.site.test_entry import publish

SLUG = "verl/small-one"
HISTORY = f"/en/e/{SLUG}/history"
OLD = {"title": "The old title", "body": "## Fix\nDo the old thing.\n"}
NEW = {"title": "The new title", "body": "## Fix\nDo the <new> thing.\n"}


@pytest.fixture
def rita(empty_client: TestClient) -> TestClient:
    return sign_in(empty_client)


@pytest.fixture
def sam(empty_client: TestClient, engine: Engine) -> Iterator[TestClient]:
    word = "another long password"
    add_person(engine, "sam", word)
    client = TestClient(empty_client.app, raise_server_exceptions=False)
    client.post("/en/sign-in", data={"name": "sam", "password": word})
    yield client
    client.close()


@pytest.fixture
def twice(engine: Engine) -> Engine:
    """An entry with two revisions."""
    publish(engine, en=OLD)
    publish(engine, en=NEW, tags=["install"])
    return engine


def restore(client: TestClient, number: int = 1, **fields: str) -> Response:
    sent = {"revision": "2", "note": "The new one was wrong."} | fields
    answer: Response = client.post(f"{HISTORY}/{number}/restore", data=sent, follow_redirects=False)
    return answer


def numbers(engine: Engine) -> list[tuple[int, str, str]]:
    with reading(engine) as session:
        return [(row.number, row.actor, row.note) for row in entries.revisions(session, SLUG)]


def changed_lines(page: str) -> list[str]:
    lines = re.findall(r"<(?:ins|del)>([^\n]*)", page)
    return [html.unescape(re.sub(r"</?mark>", "", line)) for line in lines]


def test_an_entry_leads_to_its_history_which_lists_the_newest_first(empty_client: TestClient, twice: Engine) -> None:
    assert f'href="{HISTORY}"' in empty_client.get(f"/en/e/{SLUG}").text
    page = empty_client.get(HISTORY).text
    assert re.findall(rf'href="{HISTORY}/(\d+)"', page) == ["2", "1"]
    assert page.count(">current<") == 1
    assert "UTC" in page
    assert "test · <time" in page
    assert "第 2 版" in empty_client.get(HISTORY.replace("/en/", "/zh/")).text


def test_a_revision_is_shown_as_it_was_and_marked_as_old(empty_client: TestClient, twice: Engine) -> None:
    old, new = (empty_client.get(f"{HISTORY}/{number}").text for number in (1, 2))
    assert "Do the old thing." in old
    assert "This is an old version." in old
    assert "This is the first version" in old
    assert "SmallError: " in old
    assert "This is an old version." not in new
    assert "旧版本" in empty_client.get(f"/zh/e/{SLUG}/history/1").text


def test_a_revision_shows_what_it_changed_by_file_and_line(empty_client: TestClient, twice: Engine) -> None:
    page = empty_client.get(f"{HISTORY}/2").text
    assert re.findall(r"<h3><code>([^<]+)", page) == ["entry.toml", "en.md"]
    assert changed_lines(page) == [
        "-tags = []",
        '+tags = ["install"]',
        "-# The old title",
        "+# The new title",
        "-Do the old thing.",
        "+Do the <new> thing.",
    ]


def test_long_unchanged_parts_are_folded(empty_client: TestClient, engine: Engine) -> None:
    lines = [f"line {number}" for number in range(60)]
    publish(engine, en={"title": "Long", "body": "\n".join(lines)})
    publish(engine, en={"title": "Long", "body": "\n".join([*lines[:50], "new", *lines[51:]])})
    page = empty_client.get(f"{HISTORY}/2").text
    assert re.findall(r"<summary>(… [^<]+)", page) == ["… 49 unchanged lines", "… 6 unchanged lines"]


def test_what_an_entry_holds_never_runs(empty_client: TestClient, engine: Engine) -> None:
    bad = "<script>alert(1)</script>"
    for title in ("One", bad):
        publish(engine, en={"title": title, "body": bad}, examples=[bad + title])
    with writing(engine) as session:
        document = publishing.published(session, SLUG)[1].model_copy(update={"tags": ("x",)})
        publishing.publish(session, document, actor=bad, note=bad)
    for path in (HISTORY, f"{HISTORY}/2", f"{HISTORY}/3"):
        page = empty_client.get(path).text
        assert "<script>" not in page
        assert " style=" not in page


@pytest.mark.parametrize("number", ["0", "3", "-1", "x", "01", "1.0", "٣", "9" * 10, "9" * 5000, "%00"])
def test_unknown_numbers_are_not_found(empty_client: TestClient, twice: Engine, number: str) -> None:
    assert empty_client.get(f"{HISTORY}/{number}").status_code == 404


def test_names_that_no_entry_has_are_not_found(rita: TestClient) -> None:
    for name in ("verl/never-was", "verl/%00", "VERL/x", "verl/" + "x" * 5000):
        for path in ("history", "history/1"):
            assert rita.get(f"/en/e/{name}/{path}").status_code == 404
        assert rita.post(f"/en/e/{name}/history/1/restore").status_code == 404


def test_a_long_history_has_pages(empty_client: TestClient, engine: Engine) -> None:
    for number in range(51):
        publish(engine, en={"title": f"Title {number}", "body": "x"})
    first = empty_client.get(HISTORY).text
    (older,) = re.findall(r'href="([^"]+before=[^"]+)"', first)
    assert re.findall(rf'href="{HISTORY}/(\d+)"', empty_client.get(older).text) == ["1"]
    for odd in ("", "0", "x", "9" * 30):
        assert f"{HISTORY}/51" in empty_client.get(f"{HISTORY}?before={odd}").text


def test_a_former_name_leads_to_the_history_of_the_entry(empty_client: TestClient, engine: Engine) -> None:
    publish(engine, slug="verl/old-name")
    publish(engine, slug="verl/old-name", status="withdrawn")
    publish(engine, former=["verl/old-name"])
    for path in ("history", "history/1"):
        answer = empty_client.get(f"/zh/e/verl/old-name/{path}", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (301, f"/zh/e/{SLUG}/history")


def test_two_withdrawn_entries_that_had_each_others_name_do_not_lead_in_circles(
    rita: TestClient, engine: Engine
) -> None:
    for slug, former in (("verl/a", ["verl/b"]), ("verl/b", ["verl/a"])):
        publish(engine, slug=slug, former=former)
        publish(engine, slug=slug, former=former, status="withdrawn")
    assert rita.get("/en/e/verl/a/history", follow_redirects=False).status_code == 200


def test_a_withdrawn_entry_keeps_its_history_for_reviewers(empty_client: TestClient, twice: Engine) -> None:
    publish(twice, status="withdrawn")
    for path in (HISTORY, f"{HISTORY}/1"):
        assert empty_client.get(path).status_code == 404
    rita = sign_in(empty_client)
    assert "The entry is withdrawn" in rita.get(HISTORY).text
    assert f'href="/en/e/{SLUG}"' not in rita.get(f"{HISTORY}/1").text
    assert restore(rita, revision="3").status_code == 303
    assert "Do the old thing." in rita.get(f"/en/e/{SLUG}").text


def test_a_reviewer_restores_a_revision(rita: TestClient, twice: Engine) -> None:
    page = rita.get(f"{HISTORY}/1").text
    assert '<input type="hidden" name="revision" value="2">' in page
    answer = restore(rita)
    assert (answer.status_code, answer.headers["location"]) == (303, HISTORY)
    assert numbers(twice)[0] == (3, "rita", "The new one was wrong.")
    assert "same text as revision 1" in rita.get(HISTORY).text
    assert "Do the old thing." in rita.get(f"/en/e/{SLUG}").text
    with reading(twice) as session:
        third, _, first = entries.revisions(session, SLUG)
    assert (third.document, third.digest) == (first.document, first.digest)


def test_a_restored_entry_is_found_by_its_old_messages(rita: TestClient, engine: Engine) -> None:
    for word in ("Quux", "Zorb"):
        publish(engine, signatures=[{"pattern": f"{word}Error: the {word.lower()} ran out of <*> frobs"}])
    paste = {"text": "QuuxError: the quux ran out of 7 frobs"}
    assert rita.post("/api/v1/match", json=paste).json()["matches"] == []
    restore(rita)
    assert [found["slug"] for found in rita.post("/api/v1/match", json=paste).json()["matches"]] == [SLUG]


def test_a_restored_revision_is_written_to_the_mirror(settings: Settings, engine: Engine, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    publish(engine, en=OLD)
    publish(engine, en=NEW)
    with TestClient(create_app(settings.model_copy(update={"mirror": str(mirror)}))) as client:
        restore(sign_in(client))
    assert "Do the old thing." in (mirror / SLUG / "en.md").read_text(encoding="utf-8")


def test_only_reviewers_restore(empty_client: TestClient, twice: Engine) -> None:
    assert "/restore" not in empty_client.get(f"{HISTORY}/1").text
    refused = restore(empty_client)
    assert refused.status_code == 401
    assert 'href="/en/sign-in"' in refused.text
    assert len(numbers(twice)) == 2


def test_a_form_from_another_site_restores_nothing(rita: TestClient, twice: Engine) -> None:
    address = f"{HISTORY}/1/restore"
    answer = rita.post(address, data={"revision": "2"}, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert len(numbers(twice)) == 2


def test_the_present_text_is_not_offered_for_restoring(rita: TestClient, twice: Engine) -> None:
    assert "/restore" not in rita.get(f"{HISTORY}/2").text
    restore(rita)
    page = rita.get(f"{HISTORY}/1").text
    assert "/restore" not in page
    assert "the same text as the current one" in page
    assert restore(rita, number=3, revision="3").status_code == 303
    assert len(numbers(twice)) == 3


def test_an_unknown_revision_is_not_restored(rita: TestClient, twice: Engine) -> None:
    assert restore(rita, number=7).status_code == 404
    assert len(numbers(twice)) == 2


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_who_restores_after_somebody_published_is_told_and_keeps_the_note(
    rita: TestClient, sam: TestClient, twice: Engine, lang: str
) -> None:
    assert restore(rita).status_code == 303
    sent = {"revision": "2", "note": 'Sam\'s "note" & <more>'}
    answer = sam.post(f"/{lang}/e/{SLUG}/history/1/restore", data=sent, follow_redirects=False)
    assert answer.status_code == 409
    page = html.unescape(answer.text)
    assert ("rita published revision 3" in page) or ("rita 发布了第 3 版" in page)
    assert 'Sam\'s "note" & <more>' in page
    assert f'href="/{lang}/e/{SLUG}/history/3"' in page
    assert f'href="/{"en" if lang == "zh" else "zh"}/e/{SLUG}/history/1"' in page
    assert len(numbers(twice)) == 3


def test_a_kept_note_can_be_sent_after_a_look_at_the_present_state(rita: TestClient, twice: Engine) -> None:
    publish(twice, en={"title": "The newest", "body": "x"})
    page = restore(rita, note="Still right.").text
    assert 'name="revision" value="3"' in page
    assert 'value="Still right."' in page
    assert restore(rita, note="Still right.", revision="3").status_code == 303
    assert numbers(twice)[0] == (4, "rita", "Still right.")


@pytest.mark.parametrize("revision", ["", "0", "x", "-2", "2.0", "9" * 5000])
def test_a_form_without_the_present_number_restores_nothing(rita: TestClient, twice: Engine, revision: str) -> None:
    assert restore(rita, revision=revision).status_code == 409
    assert len(numbers(twice)) == 2


def test_of_two_who_restore_at_the_very_same_moment_one_wins(rita: TestClient, sam: TestClient, twice: Engine) -> None:
    publish(twice, en={"title": "The newest", "body": "x"})
    start, codes = threading.Barrier(2), list[int]()

    def run(call: Callable[[], Response]) -> None:
        start.wait()
        codes.append(call().status_code)

    calls = (lambda: restore(rita, 1, revision="3"), lambda: restore(sam, 2, revision="3"))
    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [303, 409]
    assert len(numbers(twice)) == 4


@pytest.mark.parametrize(
    ("role", "number", "expected", "error"),
    [("guest", 1, 2, Forbidden), ("reviewer", 9, 2, NotFound), ("reviewer", 1, 1, Conflict), ("admin", 1, 3, Conflict)],
)
def test_restoring_says_what_is_wrong(
    twice: Engine, role: str, number: int, expected: int, error: type[Exception]
) -> None:
    with pytest.raises(error), writing(twice) as session:
        publishing.restore(session, SLUG, number, expected, accounts.Who(1, "rita", role))
    with reading(twice) as session:
        assert publishing.published(session, SLUG)[0].revision == 2


def test_restoring_a_withdrawn_revision_withdraws_the_entry(rita: TestClient, engine: Engine) -> None:
    publish(engine, en=OLD)
    publish(engine, en=OLD, status="withdrawn")
    publish(engine, en=NEW)
    assert "takes the entry out of the guide" in rita.get(f"{HISTORY}/2").text
    assert restore(rita, 2, revision="3").status_code == 303
    assert rita.get(f"/en/e/{SLUG}").status_code == 404
    assert "The entry is withdrawn" in rita.get(HISTORY).text


def test_a_restored_text_is_recognised_however_far_back_it_is(reviewer: TestClient, settings: Settings) -> None:
    with writing(connect(settings)) as session:
        for number in (*range(60), 0):
            text = {"title": "T", "body": f"## Symptom\nr{number}\n"}
            document = EntryDocument.model_validate(BEHIND | {"slug": "verl/long", "en": text})
            publishing.publish(session, document, actor="ann")
    assert "same text as revision 1" in reviewer.get("/en/e/verl/long/history").text
