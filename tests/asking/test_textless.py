"""A report loses its text and gets it back from the same paste."""

from hypothesis import given
from hypothesis import strategies as st

from app.asking.textless import bare
from app.matching.parsing.parser import parse

LINES = st.sampled_from(
    [
        "Traceback (most recent call last):",
        '  File "/w/train.py", line 12, in main',
        "    main()",
        "ValueError: expected 3, got 4",
        "(Worker pid=7) \x1b[36mRuntimeError: CUDA out of memory\x1b[0m",
        "[rank1]: KeyError: 'prompt'",
        "│   RuntimeError: in a box   │",
        "2026-11-20 10:00:00,123 ERROR trainer.py:88 - grad_norm: nan",
        '{"error": "first line\\nTypeError: second line"}',
        "为什么训练到一半就停了？",
        "报错：显存不足（第 3 步）",
        "a\rb\rOSError: [Errno 5] c",
        "",
    ]
)


@given(st.lists(LINES | st.text(max_size=40), max_size=30))
def test_a_report_is_had_back_exactly_or_not_kept(lines: list[str]) -> None:
    text = "\n".join(lines)
    report = parse(text)
    left = bare(report, text)
    assert left is None or left.dressed(text) == report


@given(st.lists(LINES, min_size=1, max_size=30))
def test_no_word_of_the_paste_stays(lines: list[str]) -> None:
    text = "\n".join(lines)
    left = bare(parse(text), text)
    if left is not None:
        assert {told.message.text + told.message.type for told in left.told} <= {""}
        assert {seen.frame.path + seen.frame.function for seen in left.frames} <= {""}
        assert not any((left.report.messages, left.report.frames, left.report.ends))
