"""What is shown of a paste: the telling lines, marked, and never too much."""

from hypothesis import given
from hypothesis import strategies as st

from app.matching.model import Span
from app.site.paste.excerpt import LONGEST_LINE, Stretch, excerpt

LINES = "\n".join(f"line {number}" for number in range(1, 101))


def span_of(text: str) -> Span:
    start = LINES.index(text)
    return Span(start, start + len(text))


def shown(stretches: tuple[Stretch, ...]) -> list[int]:
    return [line.number for stretch in stretches if not stretch.folded for line in stretch.lines]


def marked(stretches: tuple[Stretch, ...]) -> str:
    return "".join(piece.text for part in stretches for line in part.lines for piece in line.pieces if piece.marked)


def test_three_lines_around_a_mark_are_shown_and_the_rest_is_folded() -> None:
    found = excerpt(LINES, [span_of("line 50")])
    assert shown(found) == list(range(47, 54))
    assert [part.count for part in found] == [46, 7, 47]
    assert marked(found) == "line 50"


def test_two_marks_close_to_each_other_share_a_stretch() -> None:
    assert shown(excerpt(LINES, [span_of("line 50"), span_of("line 58")])) == list(range(47, 62))


def test_without_marks_the_beginning_is_shown() -> None:
    assert shown(excerpt(LINES, [])) == list(range(1, 8))


def test_an_overlong_line_is_cut_around_its_mark() -> None:
    (part,) = excerpt("x" * 5000 + "HERE" + "y" * 5000, [Span(5000, 5004)])
    assert marked((part,)) == "HERE"
    assert sum(len(piece.text) for piece in part.lines[0].pieces) <= LONGEST_LINE + 2


def test_a_paste_full_of_marks_stays_short() -> None:
    text = "boom\n" * 100_000
    found = excerpt(text, [Span(at, at + 4) for at in range(0, len(text), 5)])
    assert sum(len(part.lines) for part in found) <= 220
    assert sum(part.count for part in found) == 100_000


def test_a_paste_of_line_feeds_only_is_quick_and_short() -> None:
    assert sum(len(part.lines) for part in excerpt("\n" * 2**24 + "x", [Span(2**24, 2**24 + 1)])) < 250


def test_gaps_that_are_light_enough_are_whole_and_the_others_only_counted() -> None:
    noise = "".join(f"{number * 7919 % 999983}\n" for number in range(5000))
    text = f"{LINES}\nHERE\n{noise}THERE\n{LINES}"
    found = excerpt(text, [Span(at, at + 4) for at in (text.index("HERE"), text.index("THERE"))])
    folded = [(part.count, len(part.lines)) for part in found if part.folded]
    assert folded == [(97, 97), (4994, 0), (97, 97)]


def test_a_line_that_is_cut_short_still_shows_its_mark() -> None:
    (part,) = excerpt("x" * 500 + "HERE" + "y" * 500, [Span(500, 504)], longest=100)
    assert marked((part,)) == "HERE"


@given(st.text("ab\n", min_size=1, max_size=80), st.lists(st.tuples(st.integers(-2, 90), st.integers(0, 6))))
def test_every_line_is_counted_once_and_marks_are_exact(text: str, places: list[tuple[int, int]]) -> None:
    spans = [Span(start, start + length) for start, length in places]
    found = excerpt(text, spans, context=1)
    kept = text.rstrip()
    assert sum(part.count for part in found) == kept.count("\n") + 1
    lines = ["".join(piece.text for piece in line.pieces) for part in found for line in part.lines]
    assert "\n".join(lines) == kept
    inside = [char for at, char in enumerate(kept) if char != "\n" and any(a <= at < b for a, b in spans)]
    assert marked(found) == "".join(inside)
