"""What somebody says that it is not is not asked."""

import pytest

from app.matching.parsing.human_text import without_denied


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("the run is slow, no OOM, what now?", "the run is slow, , what now?"),
        ("slow without flash_attn on one node", "slow on one node"),
        ("grad_norm 不是 nan 也不是 inf，只是很慢", "grad_norm 也，只是很慢"),
        # what an error says, what is missing, and a verb that is denied
        ("No module named 'x'", "No module named 'x'"),
        ("no GPU is found", "no GPU is found"),
        ("/data is not a directory", "/data is not a directory"),
        ("the loss does not go down", "the loss does not go down"),
        ("没有 GPU 怎么办", "没有 GPU 怎么办"),
    ],
)
def test_a_word_that_is_denied_is_left_out_and_places_stay(text: str, asked: str) -> None:
    left = without_denied(text)
    assert "".join(left.split()) == "".join(asked.split())
    assert len(left) == len(text)
