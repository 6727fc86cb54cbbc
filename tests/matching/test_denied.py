"""What somebody says that it is not is not asked."""

import pytest

from app.asking.question_service import Questions
from app.matching.parsing.denied_words import without_denied


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("the run is slow, no OOM, what now?", "the run is slow, , what now?"),
        ("slow without flash_attn on one node", "slow on one node"),
        ("grad_norm 不是 nan 也不是 inf，只是很慢", "grad_norm 也，只是很慢"),
        ("without kl (kl_coef 0), kl off", "(_coef 0),"),
        ("all fine (MATH, kl off), then nan", "all fine (MATH, ), then nan"),
        ("没开 offload，卡住了", "，卡住了"),
        # what is in order is not asked for either
        ("grad_norm 也不为 0，loss 一直在 0.000", "，loss 一直在 0.000"),
        ("advantage 都是正常的，loss 是 0", "的，loss 是 0"),
        ("the reward is fine, but the loss is not", "the , but the loss is not"),
        # a question, an alternative, a while and a wish deny nothing
        ("是不是 OOM 了", "是不是 OOM 了"),
        ("不是 nan 就是 inf", "不是 nan 就是 inf"),
        ("loss 正常吗", "loss 正常吗"),
        ("actor loss is fine for 60 updates, then nan", "actor loss is fine for 60 updates, then nan"),
        ("how do I turn kl off", "how do I turn kl off"),
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


def test_a_title_about_nan_is_not_met_without_it(questions: Questions) -> None:
    answer = questions.ask("actor/pg_loss 一直在 0.000 附近，grad_norm 也不为 0，是显示的问题吗？", "zh")
    assert [match.slug for match in answer.matches] == ["verl/metrics-that-are-zero"]


def test_what_is_in_order_leaves_the_answer_to_what_is_not(questions: Questions) -> None:
    answer = questions.ask("GRPO, kl off: loss is nan after 40 steps. Why does the loss turn into nan?")
    assert answer.matches[0].slug == "skyrl/loss-nan"
