"""What a paste shows without saying it: text that repeats itself."""

import pytest

from app.matching.parsing.parser import parse
from app.matching.ranking.symptoms import repeats, shown

LOOPS = [
    "So the answer is 12. " * 6,
    "the the the the the the the the the the the the the",
    "Generated: Now is the winterrrrrrrrrrrrrrrrrrrrrrrrrrrrSSHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH",
    "答案是十二。答案是十二。答案是十二。答案是十二。答案是十二。",
    "response: Wait, let me check. Wait, let me check. Wait, let me check. Wait, let me check. Wait, let",
]
OTHERS = [
    "",
    "the answer is 12. So the answer is 12.",
    "Training: 45%|████████████████████████████      | 45/100 [00:12<00:15,  3.6it/s]",
    "========================================================================",
    "| 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |",
    "GPU 0: 512 MiB used GPU 1: 512 MiB used GPU 2: 512 MiB used GPU 3: 512 MiB used GPU 4: 512 MiB used",
    "loss 0.12 loss 0.11 loss 0.10 loss 0.09 loss 0.08 loss 0.07 loss 0.06 loss 0.05",
    "data:image/png;base64,iVBORw0KGgoAAAAAAAAAAAAAAAAAAAAAAAAAKr4BVfYQdI0a7sHkW2cYpLq9Zt8uM5nEx3oRgDj1TbU6Cw",
    "nan nan nan nan nan nan",
]


@pytest.mark.parametrize("text", LOOPS)
def test_a_text_that_is_mostly_one_phrase_word_or_letter_repeats_itself(text: str) -> None:
    assert repeats(text)


@pytest.mark.parametrize("text", OTHERS)
def test_rulers_bars_tables_counters_and_encoded_bytes_do_not(text: str) -> None:
    assert not repeats(text)


def test_the_sign_says_where_it_stands() -> None:
    paste = f"sample 3\n{LOOPS[0]}"
    (sign,) = shown(parse(paste), {})
    assert [paste[span.start : span.end] for span in sign.spans] == [LOOPS[0].strip()]


def test_a_paste_with_an_error_shows_none() -> None:
    assert shown(parse(f"{LOOPS[0]}\nRuntimeError: CUDA out of memory"), {}) == ()
