"""Whether the versions that a paste tells have the problem of an entry, from the paste to the verdict."""

from typing import Any

import pytest

from app.asking.verdict import overall, verdict
from app.matching.parsing.versions import versions_in

VLLM = {"affects": {"vllm": ">=0.6,<0.10.2"}, "fixed": [{"package": "vllm", "release": "0.10.2"}]}
OPEN = {"affects": {"torch": ">=2.6"}}
BOUND = {"affects": {"transformers": "<4.52"}}
LINES = {"fixed": [{"package": "ray", "release": "2.9.4"}, {"package": "ray", "release": "2.10.1"}]}
CUDA = {"affects": {"cuda": ">=12.4", "driver": "<550"}}
FAILS = {"pairs": [{"works": False, "versions": {"trl": "<0.17", "vllm": ">=0.8.5"}}]}
WORKS = {"pairs": [{"works": True, "versions": {"torch": "==2.6.*", "flash-attn": ">=2.7.4"}}]}
BOTH = {"affects": {"vllm": "<0.8"}, **FAILS}
ERROR = "RuntimeError: the gasket leaked\n"

Entry = dict[str, Any]
# entry, paste, the rows as words, what they say together
PASTES: list[tuple[Entry, str, str, str]] = [
    # requirements only: nothing is seen
    (VLLM, "ERROR: No matching distribution found for vllm==0.8.5", "vllm - unknown 0.10.2", "unknown"),
    (VLLM, "pip install vllm==0.8.5", "vllm - unknown 0.10.2", "unknown"),
    (VLLM, "this project requires vllm==0.8.5", "vllm - unknown 0.10.2", "unknown"),
    (VLLM, "requirements.txt:\nvllm==0.8.5\n", "vllm - unknown 0.10.2", "unknown"),
    (VLLM, "需要 vllm 0.8.5 以上", "vllm - unknown 0.10.2", "unknown"),
    (OPEN, "torch>=2.6 is needed", "torch - unknown", "unknown"),
    (OPEN, "Collecting torch==2.6.0", "torch - unknown", "unknown"),
    (BOUND, "ImportError: transformers>=4.51.0 is required", "transformers - unknown", "unknown"),
    (VLLM, "see https://github.com/vllm-project/vllm/releases/tag/v0.8.5", "vllm - unknown 0.10.2", "unknown"),
    (BOUND, "please upgrade to transformers 4.52.0", "transformers - unknown", "unknown"),
    # two versions of one package
    (
        VLLM,
        "vllm==0.8.5\n[worker] vLLM version 0.9.1",
        "vllm 0.8.5 unknown 0.10.2, vllm 0.9.1 unknown 0.10.2",
        "unknown",
    ),
    (VLLM, "head: vllm 0.8.5, worker: vllm 0.10.2", "vllm 0.8.5 unknown 0.10.2, vllm 0.10.2 unknown 0.10.2", "unknown"),
    (OPEN, "torch 2.5.1+cu121\ntorch 2.6.0+cu124", "torch 2.5.1+cu121 unknown, torch 2.6.0+cu124 unknown", "unknown"),
    (
        LINES,
        "ray 2.9.3 on the head, ray 2.10.0 on the worker",
        "ray 2.9.3 unknown 2.9.4, ray 2.10.0 unknown 2.9.4",
        "unknown",
    ),
    (
        FAILS,
        "trl==0.16.0\nvllm==0.8.5\nvLLM version 0.7.3",
        "trl 0.16.0 unknown, vllm 0.8.5 unknown, vllm 0.7.3 unknown",
        "unknown",
    ),
    (VLLM, "vllm==0.8.5+cu118\nvllm 0.8.5", "vllm 0.8.5+cu118 affected 0.10.2", "affected"),
    (VLLM, "after upgrading vllm from 0.8.2 to 0.8.5", "vllm 0.8.5 affected 0.10.2", "affected"),
    (BOUND, "transformers 4.51.3 -> 4.52.4", "transformers 4.52.4 not-affected", "not-affected"),
    # development, local and early builds
    (VLLM, "vLLM version 0.10.2.dev15+g1a2b3c4d5", "vllm 0.10.2.dev15+g1a2b3c4d5 unknown 0.10.2", "unknown"),
    (VLLM, "vLLM version 0.10.2rc1", "vllm 0.10.2rc1 unknown 0.10.2", "unknown"),
    (VLLM, "vLLM version 0.10.2+g1a2b3c4", "vllm 0.10.2+g1a2b3c4 unknown 0.10.2", "unknown"),
    (VLLM, "vLLM version 0.9.1.dev3+gabcdef0", "vllm 0.9.1.dev3+gabcdef0 affected 0.10.2", "affected"),
    (OPEN, "torch 2.6.0a0+git1f2e3d4", "torch 2.6.0a0+git1f2e3d4 unknown", "unknown"),
    (VLLM, "vLLM version 0.1.dev10+g1a2b3c4", "vllm 0.1.dev10+g1a2b3c4 unknown 0.10.2", "unknown"),
    # pairs
    (
        FAILS,
        "trl==0.16.1\nvllm==0.8.5",
        "trl 0.16.1 affected with vllm 0.8.5, vllm 0.8.5 affected with trl 0.16.1",
        "affected",
    ),
    (FAILS, "trl==0.17.0\nvllm==0.8.5", "trl 0.17.0 unknown, vllm 0.8.5 unknown", "unknown"),
    (FAILS, "trl==0.16.1", "trl 0.16.1 unknown, vllm - unknown", "unknown"),
    (
        WORKS,
        "torch 2.6.0+cu124\nflash_attn==2.7.4.post1",
        "torch 2.6.0+cu124 not-affected with flash-attn 2.7.4.post1, "
        "flash-attn 2.7.4.post1 not-affected with torch 2.6.0+cu124",
        "not-affected",
    ),
    (WORKS, "torch 2.7.0\nflash_attn==2.7.4.post1", "torch 2.7.0 unknown, flash-attn 2.7.4.post1 unknown", "unknown"),
    (
        BOTH,
        "trl==0.16.1\nvllm==0.8.5",
        "vllm 0.8.5 not-affected, trl 0.16.1 affected with vllm 0.8.5, vllm 0.8.5 affected with trl 0.16.1",
        "affected",
    ),
    # one version
    (VLLM, "vllm==0.8.5", "vllm 0.8.5 affected 0.10.2", "affected"),
    (VLLM, "vLLM API server version 0.10.2", "vllm 0.10.2 fixed 0.10.2", "not-affected"),
    (VLLM, "我用的是 vllm 0.11.0", "vllm 0.11.0 fixed 0.10.2", "not-affected"),
    (VLLM, "site-packages/vllm-0.5.4.dist-info", "vllm 0.5.4 not-affected 0.10.2", "not-affected"),
    (VLLM, "image: vllm/vllm-openai:v0.8.5.post1", "vllm 0.8.5.post1 affected 0.10.2", "affected"),
    (OPEN, "PyTorch version: 2.7.1+cu126", "torch 2.7.1+cu126 affected", "affected"),
    (OPEN, "you have torch 2.5.1", "torch 2.5.1 not-affected", "not-affected"),
    (LINES, "ray version 2.9.4", "ray 2.9.4 fixed 2.9.4", "not-affected"),
    (LINES, "ray version 2.10.0", "ray 2.10.0 affected 2.10.1", "affected"),
    (LINES, "ray version 2.9", "ray 2.9 unknown 2.9.4", "unknown"),
    (LINES, "ray version 2.40.0", "ray 2.40.0 fixed 2.10.1", "not-affected"),
    (
        CUDA,
        "| NVIDIA-SMI 535.129.03   Driver Version: 535.129.03   CUDA Version: 12.2 |",
        "cuda 12.2 not-affected, driver 535.129.03 affected",
        "affected",
    ),
    ({}, "vllm==0.8.5", "", "unknown"),
]


@pytest.mark.parametrize(("entry", "paste", "rows", "together"), PASTES, ids=[row[1][:50] for row in PASTES])
def test_the_versions_of_a_paste_are_judged(entry: Entry, paste: str, rows: str, together: str) -> None:
    found = verdict(entry, versions_in(f"{paste}\n{ERROR}"))
    words = [
        " ".join(
            [row.package, row.seen or "-", row.verdict, *([row.fixed] if row.fixed else [])]
            + [f"with {package} {version}" for package, version in row.together]
        )
        for row in found
    ]
    assert (", ".join(words), overall(found)) == (rows, together)
