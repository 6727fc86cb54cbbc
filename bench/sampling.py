"""The order in which public reports are drawn for a labelled sample: each project with each kind of trouble, shuffled.

    python -m bench.sampling COMMIT [--other-words]

Prints one pair a line: its place in the order, the project, the repository whose threads count, the kind and the query.
The seed is the hash of the commit that fixed the rule (`bench/labelled/SAMPLING.md`), which nobody can choose.
"""

import argparse
import random
import re
from dataclasses import dataclass

# The project as a query names it, and the repositories whose threads belong to it. A project without a repository of
# its own has none: threads of any repository count that are clearly about it.
PROJECTS = {
    "verl": ("volcengine/verl", "verl-project/verl"),
    "SkyRL": ("NovaSky-AI/SkyRL",),
    "RLinf": ("RLinf/RLinf",),
    "Trinity-RFT": ("modelscope/Trinity-RFT", "agentscope-ai/Trinity-RFT"),
    "ROLL": ("alibaba/ROLL",),
    "ray": ("ray-project/ray",),
    "vllm": ("vllm-project/vllm",),
    "sglang": ("sgl-project/sglang",),
    "pytorch": ("pytorch/pytorch",),
    "deepspeed": ("deepspeedai/DeepSpeed", "microsoft/DeepSpeed"),
    "Megatron-LM": ("NVIDIA/Megatron-LM",),
    "transformers": ("huggingface/transformers",),
    "accelerate": ("huggingface/accelerate",),
    "peft": ("huggingface/peft",),
    "trl": ("huggingface/trl",),
    "OpenRLHF": ("OpenRLHF/OpenRLHF", "OpenLLMAI/OpenRLHF"),
    "LLaMA-Factory": ("hiyouga/LLaMA-Factory", "hiyouga/LlamaFactory"),
    "ms-swift": ("modelscope/ms-swift", "modelscope/swift"),
    "slime": ("THUDM/slime",),
    "AReaL": ("inclusionAI/AReaL",),
    "flash-attention": ("Dao-AILab/flash-attention", "HazyResearch/flash-attention"),
    "bitsandbytes": ("bitsandbytes-foundation/bitsandbytes", "TimDettmers/bitsandbytes"),
    "wandb": ("wandb/wandb",),
    "swanlab": ("SwanHubX/SwanLab",),
    "mujoco": ("google-deepmind/mujoco", "deepmind/mujoco"),
    "ManiSkill": ("haosulab/ManiSkill",),
    "slurm": (),
}

# The kind of trouble and the words that stand for it in the query.
KINDS = {
    "crash": "crash error traceback",
    "hang": "hang stuck",
    "oom": "OOM out of memory",
    "version": "version incompatible after upgrade",
    "question": "question how to",
    "报错": "报错",
    "卡住": "卡住",
    "显存": "显存",
}

# The same kinds in other words, for the second time around: the first one has been asked for every pair.
OTHER_WORDS = {
    "crash": "fails RuntimeError ValueError",
    "hang": "timeout deadlock never finishes",
    "oom": "CUDA out of memory killed",
    "version": "ImportError AttributeError new release",
    "question": "how do I configure, why does",
    "报错": "训练 失败 怎么解决",
    "卡住": "超时 没反应",
    "显存": "爆显存 占用太高",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """A project and a kind of trouble, and the query that asks for both."""

    project: str
    kind: str
    words: str

    @property
    def query(self) -> str:
        """Return the words that are searched for."""
        return f"{self.project} {self.words}"


def order(commit: str, kinds: dict[str, str] = KINDS) -> list[Pair]:
    """Return every pair once, in the order that the 40 hexadecimal digits of a commit give.

    `kinds` is the kind of trouble with the words that stand for it in the query.

    Raises `ValueError` for anything shorter, because an abbreviation would give another order.
    """
    if not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise ValueError("Give the whole hash of the commit, 40 hexadecimal digits in small letters.")
    pairs = [Pair(project, kind, words) for project in PROJECTS for kind, words in kinds.items()]
    random.Random(commit).shuffle(pairs)
    return pairs


def main() -> None:
    """Print the order for a commit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", metavar="COMMIT", help="the whole hash of the commit of the rule")
    parser.add_argument("--other-words", action="store_true", help="the second time around")
    arguments = parser.parse_args()
    for place, pair in enumerate(order(arguments.commit, OTHER_WORDS if arguments.other_words else KINDS), 1):
        repository = ", ".join(PROJECTS[pair.project]) or "any"
        print(f"{place}\t{pair.project}\t{repository}\t{pair.kind}\t{pair.query}")


if __name__ == "__main__":
    main()
