"""Whatever is pasted, the parser answers, and says the truth about places."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.matching.parsing.assembler import HALF_WIDTH
from app.matching.parsing.parser import HEAD_LINES, LONGEST, TAIL_LINES, Parser, parse
from app.matching.parsing.project_names import Projects
from app.matching.ranking.query import Query
from app.matching.text.masks import MASKS, fingerprint, mask

PIECES = st.sampled_from(
    [
        "Traceback (most recent call last):\n",
        '  File "/a/b/c.py", line 3, in run\n    go()\n',
        "ValueError: bad value 3\n",
        "\x1b[36m(Worker pid=1)\x1b[0m RuntimeError: gone\n",
        "[36m(Actor pid=7, ip=10.0.0.1)[0m KeyError: 'x'\n",
        "[rank3]:[rank3]: torch.OutOfMemoryError: CUDA out of memory.\n",
        "│ /x/y.py:66 in handler │\n",
        "╰────╯\n",
        "> > > quoted: Error\n",
        "2026-01-02 03:04:05,678 ERROR [core.py:39] it failed\n",
        "训练时显存不够怎么办？\n",
        "a\r\nb\rc\\nd\\r\\ne\n",
        "step 3 - loss: nan\n",
        "\n",
        "😀 tail\n",
        "x" * 300,
        "\x00\ud800\ufeff",
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=30).map("".join))


@given(TEXTS)
def test_any_text_is_parsed_and_prepared(text: str) -> None:
    report = parse(text)
    assert report.length == len(text)
    assert report.lines == (text.count("\n") + (not text.endswith("\n")) if text else 0)
    query = Query.of(report, Projects())
    assert all(0 < worth <= 2 for worth in query.terms.values())


@given(TEXTS, st.lists(st.integers(min_value=0, max_value=300), max_size=8))
def test_how_a_paste_is_cut_into_chunks_makes_no_difference(text: str, cuts: list[int]) -> None:
    parser = Parser()
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    for low, high in pairwise(places):
        parser.feed(text[low:high])
    assert parser.close() == parse(text)


@settings(max_examples=15, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=6), st.integers(min_value=1, max_value=5000), st.integers(1, 3))
def test_chunks_make_no_difference_in_a_long_log_either(pieces: list[str], step: int, times: int) -> None:
    text = (
        ("".join(pieces) + "y" * 40 + "\n") * (HEAD_LINES + TAIL_LINES) + "z" * (LONGEST * times + 7) + "\nError: end"
    )
    parser = Parser()
    for at in range(0, len(text), step * 101):
        parser.feed(text[at : at + step * 101])
    assert parser.close() == parse(text)


@given(TEXTS)
def test_every_span_slices_back_to_the_text(text: str) -> None:
    report = parse(text)
    for message in report.messages:
        for part in message.segments:
            assert 0 <= part.source < part.end <= len(text)
            if part.width:
                # put right from another encoding
                assert part.length == 1
                continue
            shown = text[part.source : part.end]
            assert len(shown) == part.length
            cleaned = message.text[part.clean : part.clean + part.length]
            # full-width punctuation of machine output is read as the usual one
            assert shown.translate(HALF_WIDTH).startswith(cleaned.translate(HALF_WIDTH))
        for span in message.spans(0, len(message.text)):
            assert 0 <= span.start < span.end <= len(text)
    for frame in report.frames:
        assert frame.function in text[frame.span.start : frame.span.end]


@given(st.one_of(TEXTS, st.text(alphabet="<>az/:.0-9 \\x@", max_size=80)))
def test_masking_twice_is_masking_once(text: str) -> None:
    assert mask(mask(text)) == mask(text)


@pytest.mark.parametrize(("name", "expression"), MASKS)
@given(data=st.data())
def test_no_mask_fits_a_word_of_letters_alone(name: str, expression: str, data: st.DataObject) -> None:
    assert not data.draw(st.from_regex(expression)).isalpha()


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_numbers_do_not_change_a_fingerprint(one: int, other: int) -> None:
    assert fingerprint(f"rank {one} failed at 0x{one:x}") == fingerprint(f"rank {other} failed at 0x{other:x}")
