"""What versions mean for an entry is said once, in the same sentences on the page and on a terminal."""

from typing import Any

import pytest

from app.asking.verdict import verdict
from app.asking.version_words import seen_lines, verdict_lines, verdicts_json
from app.i18n import LANGS, Lang
from app.matching.parsing.versions import versions_in
from errdex_client.answer_text import terminal_lines
from tests.asking.test_verdict import PASTES, Entry

ERROR = "RuntimeError: the gasket leaked\n"
PAIR = {"pairs": [{"works": False, "versions": {"trl": "<0.17", "vllm": ">=0.8.5"}}]}
VLLM = {"affects": {"vllm": ">=0.6,<0.10.2"}}
BOTH = VLLM | PAIR


def on_terminal(rows: list[dict[str, Any]], versions: list[dict[str, Any]], lang: Lang) -> list[str]:
    """Return the lines of an answer with one match that has these rows."""
    match = {"slug": "a/b", "title": "T", "url": "/en/e/a/b", "score": 90.0, "confidence": "high", "reasons": []}
    report = {"errors": [], "versions": versions}
    answer = {"matches": [match | {"versions": rows}], "related": [], "report": report}
    return ["".join(text for text, _ in line).strip() for line in terminal_lines(answer, lang)]


@pytest.mark.parametrize(
    ("entry", "paste", "said"),
    [
        (VLLM, "vllm==0.8.5", ["affected"]),
        # both packages of a pair have a row, and so has each version of a package
        (PAIR, "trl==0.16.1\nvllm==0.8.5", ["affected"]),
        (VLLM, "vllm==0.8.5\n[worker] vLLM version 0.9.1", ["unknown"]),
        (BOTH, "trl==0.16.1\nvllm==0.8.5", ["affected", "affected"]),
        (VLLM, "torch==2.6.0", ["unknown"]),
        ({}, "vllm==0.8.5", []),
    ],
)
@pytest.mark.parametrize("lang", LANGS)
def test_what_two_rows_say_is_said_once(entry: Entry, paste: str, said: list[str], lang: Lang) -> None:
    rows = verdict(entry, versions_in(ERROR + paste))
    lines = verdict_lines(rows, lang)
    assert [judged for judged, _ in lines] == said
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("lang", LANGS)
def test_a_terminal_says_of_versions_what_the_page_says(lang: Lang) -> None:
    for entry, paste, _, _ in PASTES:
        seen = versions_in(ERROR + paste)
        rows = verdict(entry, seen)
        shown = on_terminal(verdicts_json(rows, lang), [one._asdict() for one in seen], lang)
        page = [text for _, text in verdict_lines(rows, lang)]
        assert page == shown[len(shown) - len(page) :]
        assert all(text in shown[0] for text, _ in seen_lines(seen, 12))


def test_a_package_is_told_once_with_all_its_versions() -> None:
    seen = versions_in(ERROR + "vllm==0.8.5\ntorch==2.6.0\n[worker] vLLM version 0.9.1")
    assert sorted(seen_lines(seen, 12)) == [("torch 2.6.0", False), ("vllm 0.8.5, 0.9.1", True)]
    assert len(seen_lines(seen, 1)) == 1
