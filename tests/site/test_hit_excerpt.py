"""The words of a search, and the piece of a text that is shown for them."""

import pytest

from app.content.schema import EntryDocument
from app.site.find.hit_excerpt import LENGTH, left_out, shown_hit, words_of
from app.store.search_box import Hit

HIT = Hit(1, "verl/one", "verl", "error", "A title", "")
DOCUMENT = EntryDocument.model_validate(
    {
        "slug": "verl/one",
        "updated": "2026-11-20",
        "signatures": [{"pattern": "OneError: <*> of the valve"}],
        "titles": {"en": ["Why is it cold"]},
        "en": {
            "title": "A title",
            "body": "## Symptom\nIt `waits`.\n\n## Fix\n" + "word " * 80 + "thaw the [pipes](http://x).",
        },
    }
)


@pytest.mark.parametrize(
    ("q", "words"),
    [
        ("CUDA out of memory", ("cuda", "out", "of", "memory")),
        ("rewards are", ("reward", "are")),
        ("显存不足", ("显存", "存不", "不足")),
        ("nan 值", ("nan", "值")),
        ("<script> ''", ("script",)),
        ("", ()),
    ],
)
def test_the_words_of_a_search(q: str, words: tuple[str, ...]) -> None:
    assert words_of(q) == words


@pytest.mark.parametrize(
    ("q", "field", "marked"),
    [
        ("pipes thaw", "Fix", ["thaw", "pipe"]),
        ("waits", "Symptom", ["wait"]),
        ("cold", "titles", ["cold"]),
        ("the valve", "signature", ["the", "valve"]),
        ("aits", "Symptom", []),
        ("", "Symptom", []),
    ],
)
def test_the_field_with_most_of_the_words_is_shown(q: str, field: str, marked: list[str]) -> None:
    shown = shown_hit(HIT, DOCUMENT, words_of(q), "en")
    assert shown.field == field
    assert [piece.text for piece in shown.pieces if piece.marked] == marked
    assert sum(len(piece.text) for piece in shown.pieces) <= LENGTH + 2


def test_words_that_no_hit_has_are_left_out_as_they_were_typed() -> None:
    assert left_out([DOCUMENT], words_of("thaw the furlongs 显存"), "thaw the furlongs 显存") == ("furlongs", "显存")
    assert left_out([DOCUMENT], words_of("thaw"), "thaw") == ()
