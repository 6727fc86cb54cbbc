"""A link for a colleague: it carries masked signatures, shows all that it carries, and is asked again."""

import base64
import html
import json
import re
import zlib
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app.asking import share_link
from app.asking.question_service import Questions
from app.asking.share_link import BrokenLink
from app.config import ROOT
from app.content import bundle
from app.matching.parsing.parser import parse
from app.privacy import redaction

LEAST_SHARE = 0.95
LONGEST_ADDRESS = 1_500
LOG = (ROOT / "content/roll/torch-compile-cache-race/examples/interleaved-workers.txt").read_text(encoding="utf-8")
# put together here, so that nothing in this file looks like a secret
TOKEN = "hf_" + "kQ7mZ2xW9bN4vC8r" * 2
PRIVATE = ("alice", "secret-run", "10.20.30.41", "4711", "node-17.corp.acme.com", "bob@acme.com", TOKEN)
PASTE = f"""starting for alice@acme.com
Traceback (most recent call last):
  File "/home/alice/secret-run/greenhouse.py", line 4711, in open_valve
    turn(valve)
GreenhouseValveError: valve 4711 on node-17.corp.acme.com (10.20.30.41) is frozen, \
see /data/alice/secret-run/valve.log or ask bob@acme.com with token {TOKEN}
"""


def ask(client: TestClient, text: str, lang: str = "en") -> str:
    return str(client.post(f"/{lang}/match", data={"text": text}).text)


def address(page: str) -> str:
    found = re.search(r'<input id="link-address"[^>]* value="([^"]+)"', page)
    assert found
    return html.unescape(found[1])


def shown(page: str) -> str:
    """What the page says that the link carries."""
    part = page.partition('<ul class="carried"')[2].partition("</ul>")[0]
    return html.unescape(re.sub(r"<[^>]+>", "", part))


def tail(link: str) -> str:
    return parse_qs(urlsplit(link).query)["s"][0]


def first(page: str) -> str:
    found = re.search(r'id="answer-1"><a href="/\w+/e/([^"]+)"', page)
    return found[1] if found else ""


def test_over_all_examples_the_first_answer_stays_the_same(questions: Questions) -> None:
    asked = same = 0
    for slug, folder in bundle.folders(ROOT / "content"):
        for text in bundle.read(folder, slug).examples:
            answer = questions.ask(text)
            if not answer.matches:
                continue
            carried = share_link.decode(share_link.encode(share_link.share(answer.report, answer.matches[0].reasons)))
            again = questions.ask(redaction.fill_placeholders(share_link.as_text(carried)))
            asked += 1
            same += bool(again.matches) and again.matches[0].slug == answer.matches[0].slug
    print(f"the link keeps the first answer of {same} of {asked} examples ({same / asked:.1%})")  # noqa: T201
    assert same / asked >= LEAST_SHARE


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_colleague_who_opens_the_link_sees_the_same_first_answer(client: TestClient, lang: str) -> None:
    page = ask(client, LOG, lang)
    link = address(page)
    assert len(link) <= LONGEST_ADDRESS
    opened = client.get(link)
    assert opened.status_code == 200
    assert first(opened.text) == first(page) == "roll/torch-compile-cache-race"
    assert "<mark>" in opened.text
    assert 'content="noindex"' in opened.text


def test_the_link_holds_no_value_of_the_paste(client: TestClient) -> None:
    page = ask(client, PASTE)
    carried = json.dumps([(one.text, one.frames) for one in share_link.decode(tail(address(page)))])
    assert "GreenhouseValveError" in carried
    assert "greenhouse.py:open_valve" in carried
    assert not [value for value in PRIVATE if value in carried]


def test_the_page_shows_all_that_the_link_carries_before_it_is_sent(client: TestClient) -> None:
    page = ask(client, PASTE)
    carried = share_link.decode(tail(address(page)))
    told = shown(page)
    assert all(one.text in told and all(frame in told for frame in one.frames) for one in carried)
    packed = base64.urlsafe_b64decode(tail(address(page)).partition(".")[2] + "==")
    assert json.loads(zlib.decompress(packed)) == [[one.text, *one.frames] for one in carried]


def test_an_opened_link_shows_the_masks_and_never_what_was_asked_in_their_place(client: TestClient) -> None:
    opened = html.unescape(client.get(address(ask(client, PASTE))).text)
    assert "GreenhouseValveError: valve <number> on <host> (<ip>) is frozen" in re.sub(r"</?mark>", "", opened)
    assert "valve 1" not in opened


def test_an_opened_link_can_be_described_with_holes_for_the_masks(client: TestClient) -> None:
    opened = client.get(address(ask(client, PASTE))).text
    carried = re.search(r'id="sent-paste".*?name="text" value="([^"]*)"', opened, re.DOTALL)
    assert carried
    form = client.post("/en/submit/draft", data={"text": html.unescape(carried[1])}).text
    assert "GreenhouseValveError: valve &lt;*&gt; on &lt;*&gt;" in form


def test_an_opened_link_is_seen_in_the_other_language_by_one_click(client: TestClient) -> None:
    link = address(ask(client, LOG))
    switch = re.search(r'<a class="switch" href="([^"]+)"', client.get(link).text)
    assert switch
    other = client.get(html.unescape(switch[1]))
    assert other.url.path == "/zh/match"
    assert first(other.text) == "roll/torch-compile-cache-race"


def test_of_a_question_only_words_that_the_guide_has_are_carried(client: TestClient) -> None:
    page = ask(client, "Zacharias asks: how do I fix CUDA out of memory during training with sglang?")
    assert first(page)
    assert "memory" in shown(page).lower()
    assert "Zacharias" not in shown(page)


def test_a_text_without_anything_that_may_leave_it_has_no_link(client: TestClient) -> None:
    assert 'id="link-address"' not in ask(client, "qzxjvwkrp flurbl")


BROKEN = {
    "cut": "1.eNqLVg",
    "no version": "eNqLVgIA",
    "of another version": "9.eNqLVgIA",
    "no base64": "1.***",
    "too long": "1." + "A" * 9000,
    "no list": "1." + base64.urlsafe_b64encode(zlib.compress(b'{"a": 1}')).decode(),
    "numbers": "1." + base64.urlsafe_b64encode(zlib.compress(b"[[1, 2]]")).decode(),
    "nothing": "1." + base64.urlsafe_b64encode(zlib.compress(b"[]")).decode(),
    "empty": "1." + base64.urlsafe_b64encode(zlib.compress(b'[[""]]')).decode(),
    "a bomb": "1." + base64.urlsafe_b64encode(zlib.compress(b'[["' + b"a" * 1_000_000 + b'"]]', 9)).decode(),
    "deep": "1." + base64.urlsafe_b64encode(zlib.compress(b"[" * 15_000, 9)).decode(),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=list(BROKEN))
def test_a_link_that_was_cut_leads_to_the_box_with_a_friendly_word(client: TestClient, broken: str) -> None:
    for lang, words in (("en", "That link is cut off"), ("zh", "这个链接不完整")):
        answer = client.get(f"/{lang}/match", params={"s": broken})
        assert answer.status_code == 400
        assert words in answer.text
        assert 'id="paste"' in answer.text


def test_a_link_without_signatures_leads_to_the_box(client: TestClient) -> None:
    assert client.get("/zh/match").url.path == "/zh/"


def test_what_somebody_wrote_into_a_link_is_shown_as_text(client: TestClient) -> None:
    evil = share_link.encode(
        [share_link.SharedMessage("ValueError: <script>alert(1)</script>", ('x".py:<img src=x>',))]
    )
    assert "<script>alert" not in client.get("/en/match", params={"s": evil}).text


def test_a_mark_of_the_paste_box_stays_a_mask() -> None:
    assert redaction.redact("login of <USER#2> failed with <TOKEN#11>") == "login of <user> failed with <token>"


@given(st.text(max_size=3000))
def test_any_paste_has_a_link_of_bounded_length_that_says_what_it_carries(text: str) -> None:
    carried = share_link.share(parse(text), ())
    if carried:
        link = share_link.encode(carried)
        assert len(link) <= share_link.LONGEST_LINK
        said = share_link.as_text(carried)
        assert len(redaction.fill_placeholders(said)) == len(said)
        share_link.restore_text(parse(redaction.fill_placeholders(said)), said)


@given(st.text(max_size=200))
def test_the_tail_of_a_link_is_read_or_refused(text: str) -> None:
    for value in (text, f"1.{text}"):
        try:
            share_link.decode(value)
        except BrokenLink:
            continue
