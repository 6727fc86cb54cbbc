"""Text that was read in the wrong encoding is put right, and places still point at the text as received."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.matching.parsing.encoding import mend
from app.matching.parsing.parser import parse

TEXT = "训练时显存不足，OOM 怎么办"
WRONG = {
    "utf-8 as latin-1": ("utf-8", "latin-1"),
    "utf-8 as gb18030": ("utf-8", "gb18030"),
    "gb18030 as latin-1": ("gb18030", "latin-1"),
}


@pytest.mark.parametrize(("written", "read"), WRONG.values(), ids=WRONG)
def test_chinese_read_in_another_encoding_is_put_right(written: str, read: str) -> None:
    text = "显存不足怎么解决" if read == "gb18030" else TEXT
    mended = mend("[rank0] " + text.encode(written).decode(read) + " end")
    assert mended is not None
    assert mended.text == f"[rank0] {text} end"


def test_bytes_that_windows_leaves_open_survive() -> None:
    shown = "".join(
        bytes([byte]).decode("cp1252") if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(byte)
        for byte in "不够".encode()
    )
    mended = mend(shown)
    assert mended is not None
    assert mended.text == "不够"


def test_what_is_left_between_lost_bytes_is_put_right() -> None:
    mended = mend(TEXT.encode().decode("gbk", "replace"))
    assert mended is not None
    assert "显" in mended.text or "练" in mended.text or "存" in mended.text


@pytest.mark.parametrize(
    "line",
    [
        "显存不足怎么办", "联通", "créée à Orléans", "naïve façade", "Größe überschritten", "│ ❱ 88 │", "🔥 step 3",
        "Îles très éloignées", "плохо", "エラーが発生しました", "“quoted” – text…", "",
    ],
)  # fmt: skip
def test_what_is_right_is_left_alone(line: str) -> None:
    assert mend(line) is None


def test_places_point_at_the_text_as_received() -> None:
    line = "a " + "显存".encode().decode("latin-1") + " b"
    mended = mend(line)
    assert mended is not None
    assert mended.places == ((0, 1), (1, 2), (2, 5), (5, 8), (8, 9), (9, 10))


def test_a_message_of_a_mended_line_has_spans_in_the_paste() -> None:
    text = "ok\nRuntimeError: " + "显存不足".encode().decode("latin-1") + " on GPU 0"
    message = parse(text).errors[0]
    assert message.text == "RuntimeError: 显存不足 on GPU 0"
    start = message.text.index("存")
    (span,) = message.spans(start, start + 1)
    assert text[span.start : span.end] == "存".encode().decode("latin-1")
    assert text[message.span.start : message.span.end] == text.split("\n")[1]


@given(st.text(max_size=80))
def test_places_cover_the_line_in_order(line: str) -> None:
    mended = mend(line)
    if mended is not None:
        assert len(mended.places) == len(mended.text)
        assert all(0 <= low < high <= len(line) for low, high in mended.places)
        assert list(mended.places) == sorted(mended.places)
