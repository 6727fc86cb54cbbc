"""Of a text of any size a client sends its telling windows, and knows where they stood."""

import itertools
from collections.abc import Iterator

import pytest

from bench import made_logs
from errdex_client.excerpts import EARLY, LATE, WHOLE, Excerpt, Windows, excerpt_of

ORDINARY = "INFO step {} of 90000: loss 0.31, 1432 tokens/s, all is well\n"
FAILURE = (
    'Traceback (most recent call last):\n  File "train.py", line 7, in <module>\n    main()\nZorbError: the frob left\n'
)
LINES = 40_000


def log(places: dict[int, str]) -> str:
    """A log of ordinary lines, with a text before those of these numbers."""
    return "".join(places.get(number, "") + ORDINARY.format(number) for number in range(LINES)) + places.get(LINES, "")


def words_of(excerpt: Excerpt, text: str, word: str) -> Iterator[tuple[int, str]]:
    """The line of each such word of an excerpt, and what stands at its place in the text."""
    at = excerpt.text.find(word)
    while at >= 0:
        place = excerpt.stretches
        yield excerpt.line(at), text[place.start(at) : place.end(at + len(word))]
        at = excerpt.text.find(word, at + 1)


@pytest.mark.parametrize("text", ["", "one line", "KeyError: 1\n", "a\r\nb\r\n", "中文\n" * 1000, "x" * WHOLE])
def test_a_small_text_is_taken_as_it_is(text: str) -> None:
    excerpt = excerpt_of(text)
    assert (excerpt.text, excerpt.trimmed) == (text, False)
    assert excerpt.lines == len(text.splitlines())
    assert excerpt.line(len(text)) == 1 + text.count("\n")


@pytest.mark.parametrize("number", [0, 1, 29, 31, 700, 13_107, 20_000, LINES - 61, LINES - 1, LINES])
def test_an_error_is_kept_with_what_stands_around_it_wherever_it_is(number: int) -> None:
    text = log({number: FAILURE})
    excerpt = excerpt_of(text)
    assert FAILURE in excerpt.text
    assert excerpt.trimmed
    assert len(excerpt.text) < 30_000
    assert excerpt.lines == LINES + 4
    assert list(words_of(excerpt, text, "ZorbError")) == [(number + 4, "ZorbError")]
    assert ORDINARY.format(0) in excerpt.text
    assert ORDINARY.format(LINES - 1) in excerpt.text
    if 30 < number < LINES - 7:
        assert ORDINARY.format(number - 28) in excerpt.text
        assert ORDINARY.format(number + 7) in excerpt.text


def test_every_kept_line_is_a_line_of_the_text_under_its_number() -> None:
    text = log({700: FAILURE, 20_000: FAILURE.replace("Zorb", "Frob"), 20_020: FAILURE.replace("Zorb", "Third")})
    lines = text.splitlines()
    excerpt = excerpt_of(text)
    at = kept = 0
    for line in excerpt.text.splitlines(keepends=True):
        if line.strip() and not line.startswith("[…"):
            assert lines[excerpt.line(at) - 1] == line.rstrip("\n")
            kept += 1
        at += len(line)
    assert 150 < kept < 300
    assert excerpt.text.count("lines left out") == 3


def test_how_a_text_was_cut_makes_no_difference() -> None:
    text = log({700: FAILURE, 20_000: "FATAL " + "y" * 5000 + "\n", LINES: FAILURE})
    expected = excerpt_of(text)
    for sizes in ([7919], [65_536], [1, 1_000_000, 17]):
        windows, at = Windows(), 0
        for size in itertools.cycle(sizes):
            if at >= len(text):
                break
            windows.feed(text[at : at + size])
            at += size
        found = windows.close()
        assert found.text == expected.text
        assert [found.line(at) for at in range(0, len(found.text), 97)] == [
            expected.line(at) for at in range(0, len(found.text), 97)
        ]


def test_when_every_line_is_another_error_the_first_and_the_last_are_kept() -> None:
    names = ["".join(letters) for letters in itertools.product("abcdefghij", repeat=5)]
    text = "".join(f"{name.title()}Error: {name} went away and took everything with it\n" for name in names)
    excerpt = excerpt_of(text)
    assert len(excerpt.text) <= EARLY + LATE + 2_000
    assert text[:1000] in excerpt.text
    assert text[-1000:] in excerpt.text
    assert excerpt.lines == len(names)


def test_a_line_that_repeats_but_for_its_numbers_does_not_crowd_out_another() -> None:
    text = log(dict.fromkeys(range(100, 30_000), "ERROR retry 17 failed\n") | {15_000: FAILURE})
    excerpt = excerpt_of(text)
    assert "ZorbError" in excerpt.text
    assert len(excerpt.text) < 30_000


@pytest.mark.parametrize("crowded", [1_200_000, 2_500_000])
def test_an_error_among_ordinary_lines_is_kept_after_and_before_many_others(crowded: int) -> None:
    """What was looked at of a crowded stretch does not hide the first lines that are none of it."""
    calm = "".join(ORDINARY.format(number) for number in range(20_000))
    others = made_logs.other_errors(crowded)
    early = excerpt_of(FAILURE.replace("Zorb", "First") + others + calm)
    assert "FirstError" in early.text
    text = others + calm + FAILURE + calm
    late = excerpt_of(text)
    assert list(words_of(late, text, "ZorbError")) == [(text[: text.index("ZorbError")].count("\n") + 1, "ZorbError")]
    assert late.lines == text.count("\n")
    assert len(late.text) <= EARLY + LATE + 50_000


@pytest.mark.parametrize("place", [0, 900_000, 2_400_000])
def test_of_a_line_without_an_end_its_ends_and_its_errors_are_kept(place: int) -> None:
    text = "a" + " progress" * 300_000
    text = text[:place] + "\rZorbError: the frob left" + text[place:] + " the end"
    excerpt = excerpt_of(text)
    assert len(excerpt.text) < 20_000
    assert ("ZorbError", 1) in [(word, line) for line, word in words_of(excerpt, text, "ZorbError")]
    assert excerpt.text.endswith("the end")
