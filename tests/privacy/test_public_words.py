"""What public software prints stays, every other word is a hole."""

import pytest

from app.content.names import named_words
from app.privacy.public_words import public_only

# a text, and what is left of it
WORDS = {
    "RuntimeError: projectfalcon customer acmecorp mismatch": "RuntimeError: <*> <*> <*> mismatch",
    "AcmeFalconError: checkpoint is missing": "<*>: checkpoint is missing",
    "failed in AcmeCorpTrainer of DataLoader": "failed in <*> of DataLoader",
    "torch.distributed.DistBackendError: NCCL error": "torch.distributed.DistBackendError: NCCL error",
    "ray.exceptions.ActorDiedError: the actor died": "ray.exceptions.ActorDiedError: the actor died",
    "reward_model_path is missing": "reward_model_path is missing",
    "narwhal_checkpoint is missing": "<*> is missing",
    "max_falconlen is missing": "<*> is missing",
    "vllm <*> and ray <*>": "vllm <*> and ray <*>",
    "it's not there, we can't and don't": "it's not there, we can't and don't",
    "tensor q has no x": "tensor <*> has no <*>",
    "用户张三的显存不足": "用户<*>的显存不足",
    "张三：检查点不匹配": "<*>：检查点不匹配",
    "résumé Ünal naïve missing": "<*> <*> <*> missing",
    "секрет オーム 비밀 🦅 missing": "<*> <*> <*> <*> missing",
    "projectf\u200balcon missing": "<*><*><*> missing",
}


@pytest.mark.parametrize("text", WORDS)
def test_a_word_that_no_shipped_table_knows_is_a_hole(text: str) -> None:
    left = public_only(text, named_words())
    assert left == WORDS[text]
    assert public_only(left, named_words()) == left
