"""Characters that show nothing or deceive: what is refused, what reviewers are told of, and what is left alone."""

import pytest
from pydantic import ValidationError

from app.content.characters import deceptive, is_visible
from app.content.schema import WRITTEN, EntryDocument

INVISIBLE = {
    "zero width": "\u200b\u200c\u200d\u2060\ufeff",
    "spaces": " \u00a0\u2003\u3000\t",
    "controls": "\x01\x1b\x7f\u0085",
    "directions": "\u202e\u2066\u200f",
    "marks without a letter": "\u0301\u0489\u20dd",
    "soft hyphen": "\u00ad",
    "letters that show nothing": "\u115f\u3164\uffa0\u2800",
    "tags": "\U000e0041\U000e0042",
}
VISIBLE = ("a", "显存", "🙂", "👩\u200d💻", "e\u0301", "\u200bx", "?", "µ", "`")


@pytest.mark.parametrize("text", INVISIBLE.values(), ids=INVISIBLE)
def test_a_title_or_a_section_that_shows_nothing_is_refused(text: str) -> None:
    assert not is_visible(text)
    for title, body in (
        (text, "## Fix\n\nWait."),
        ("Valve", text.strip() or "\u200b"),
        ("Valve", f"## Fix\n\n{text.strip() or chr(0x200B)}\n\n## Check\n\nWait."),
        ("Valve", f"## \u2060{text}\n\nWait."),
    ):
        plain = {"slug": "verl/valve", "updated": "2026-11-20", "en": {"title": title, "body": body}}
        with pytest.raises(ValidationError, match="invisible"):
            EntryDocument.model_validate(plain, context=WRITTEN)


@pytest.mark.parametrize("text", VISIBLE)
def test_whatever_shows_something_is_taken(text: str) -> None:
    assert is_visible(text)
    body = f"## Fix\n\n{text}\n\n## Check\n\n```text\n\u200b\n```"
    plain = {"slug": "verl/valve", "updated": "2026-11-20", "en": {"title": text, "body": body}}
    assert EntryDocument.model_validate(plain, context=WRITTEN).en


def test_what_is_stored_already_can_be_read_whatever_it_shows() -> None:
    plain = {"slug": "verl/valve", "updated": "2026-11-20", "en": {"title": "\u200b", "body": "\u200b"}}
    assert EntryDocument.model_validate(plain).en


MARKED = {
    "pip install p\u0430ypal": ("mixed", "p[U+0430 CYRILLIC SMALL LETTER A]ypal"),
    "\u0421UDA out of memory": ("mixed", "[U+0421 CYRILLIC CAPITAL LETTER ES]UDA"),
    "t\u03bfrch": ("mixed", "t[U+03BF GREEK SMALL LETTER OMICRON]rch"),
    "显存n\u0456l不足": ("mixed", "显存n[U+0456 CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I]l不足"),
    "rm \u202etxt.sh": ("bidi", "rm [U+202E RIGHT-TO-LEFT OVERRIDE]txt.sh"),
    "not\nthis a\u2066b\nnor that": ("bidi", "this a[U+2066 LEFT-TO-RIGHT ISOLATE]b"),
    "a\u2067b": ("bidi", "a[U+2067 RIGHT-TO-LEFT ISOLATE]b"),
    "a\u200eb": ("bidi", "a[U+200E LEFT-TO-RIGHT MARK]b"),
    "a\u061cb": ("bidi", "a[U+061C ARABIC LETTER MARK]b"),
}


@pytest.mark.parametrize("text", MARKED)
def test_a_reviewer_is_told_which_character_is_not_what_it_looks_like(text: str) -> None:
    found = list(deceptive(text))
    assert [one.kind for one in found] == [MARKED[text][0]]
    assert "".join(f"[{name}]" if name else part for part, name in found[0].parts) == MARKED[text][1]


@pytest.mark.parametrize(
    "text",
    [
        "显存不足CUDA报错，把max_tokens调小",
        "用vLLM跑DeepSeek-R1时的OOM",
        "5 µs, 3 μm, Δt, λmax, σ, π alone, α and β",
        "loss_α and ε=1e-8, αβ",
        "ошибка в API-ключ и PDF",
        "👩\u200d💻 and 🏳️\u200d🌈",
        "naïve résumé Ünal",
        "か\u3099 カタカナ한국어",
        "zero\u200bwidth",
    ],
)
def test_what_is_written_so_with_good_reason_is_not_marked(text: str) -> None:
    assert list(deceptive(text)) == []
