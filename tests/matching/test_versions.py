"""Which versions a paste tells: the forms in which it does, and what must not be taken for one."""

import pytest

from app.matching.parsing.parser import parse
from app.matching.parsing.versions import versions_in

TOLD = [
    # lists
    ("vllm==0.8.5", "vllm 0.8.5"),
    ("torch==2.6.0+cu124\ntransformers==4.51.3\n", "torch 2.6.0+cu124, transformers 4.51.3"),
    ("[pip3] torch==2.6.0\n[pip3] triton==3.2.0", "torch 2.6.0, triton 3.2.0"),
    ("[conda] torch                     2.6.0                    pypi_0    pypi", "torch 2.6.0"),
    (
        "Package            Version\n------------------ ---------\n"
        "flash_attn         2.7.4.post1\nmy-own             1.2\n",
        "flash-attn 2.7.4.post1, my-own 1.2",
    ),
    ("# Name  Version  Build  Channel\nacme-core 3.4.1 py310_0", "acme-core 3.4.1"),
    ("vllm                      0.8.5", "vllm 0.8.5"),
    (" - vllm==0.8.2\n + vllm==0.8.5", "vllm 0.8.5"),
    ("I am on vllm==0.8.5 with a 7B model", "vllm 0.8.5"),
    # what programs say
    ("INFO 05-01 10:00:00 [api_server.py:1043] vLLM API server version 0.8.5", "vllm 0.8.5"),
    ("Initializing a V1 LLM engine (v0.8.5.post1) with config: model='x'", "vllm 0.8.5.post1"),
    ("PyTorch version: 2.6.0+cu124", "torch 2.6.0+cu124"),
    ("torch 2.6.0+cu124", "torch 2.6.0+cu124"),
    ("- `transformers` version: 4.51.3", "transformers 4.51.3"),
    ("- Python version: 3.10.12", "python 3.10.12"),
    ("- PyTorch version (GPU?): 2.5.1 (True)", "torch 2.5.1"),
    ("[INFO] [logging.py:128] DeepSpeed info: version=0.16.4, git-hash=unknown", "deepspeed 0.16.4"),
    ("vLLM Version: 0.6.3.dev144+g1234abc", "vllm 0.6.3.dev144+g1234abc"),
    ("node1:12:12 [0] NCCL INFO NCCL version 2.21.5+cuda12.4", "nccl 2.21.5+cuda12.4"),
    ("| NVIDIA-SMI 550.54.15   Driver Version: 550.54.15   CUDA Version: 12.4 |", "driver 550.54.15, cuda 12.4"),
    ("Cuda compilation tools, release 12.1, V12.1.105", "cuda 12.1"),
    ("Nvidia driver version: 535.129.03", "driver 535.129.03"),
    ("CANN version: 8.0.RC3", "cann 8.0.RC3"),
    ("torch.__version__ = 2.6.0", "torch 2.6.0"),
    # files
    ("/opt/venv/lib/python3.10/site-packages/vllm-0.8.5.dist-info/METADATA", "vllm 0.8.5"),
    ("Downloading flash_attn-2.7.4.post1-cp310-cp310-linux_x86_64.whl (190 MB)", "flash-attn 2.7.4.post1"),
    ("Processing ./vllm-0.8.5+cu118-cp38-abi3-manylinux1_x86_64.whl", "vllm 0.8.5+cu118"),
    ("Successfully installed numpy-1.26.4 ray-2.43.0", "numpy 1.26.4, ray 2.43.0"),
    ("Requirement already satisfied: torch>=2.0 in /opt/venv/lib/python3.10/site-packages (2.6.0)", "torch 2.6.0"),
    # images
    ("docker run vllm/vllm-openai:v0.8.5 --model x", "vllm 0.8.5"),
    ("image: lmsysorg/sglang:v0.4.6.post1-cu124", "sglang 0.4.6.post1, cuda 12.4"),
    ("image: verlai/verl:app-verl0.4-vllm0.8.5-mcore0.12.2-te2.2", "vllm 0.8.5, megatron-core 0.12.2"),
    ("pytorch/pytorch:2.6.0-cuda12.4-cudnn9-devel", "torch 2.6.0, cuda 12.4"),
    ("rayproject/ray:2.40.0-py310-cu121", "ray 2.40.0, cuda 12.1"),
    # what people say
    ("vllm 0.8.5 requires torch==2.6.0, but you have torch 2.5.1 which is incompatible.", "vllm 0.8.5, torch 2.5.1"),
    ("but you have numpy 2.1.0 which is incompatible", "numpy 2.1.0"),
    ("This happens after upgrading vllm from 0.8.2 to 0.8.5", "vllm 0.8.5"),
    ("vllm 0.8.2 -> 0.8.5 broke it", "vllm 0.8.5"),
    ("把 vllm 从 0.8.2 升级到 0.8.5 之后就报错", "vllm 0.8.5"),
    ("after upgrading to transformers 4.52.0 it fails", "transformers 4.52.0"),
    ("我用的是 vllm 0.8.5，torch 版本 2.6.0", "vllm 0.8.5, torch 2.6.0"),
    ("环境：Python 3.10.12，CUDA 12.4，vllm：0.8.5", "python 3.10.12, cuda 12.4, vllm 0.8.5"),
    ("ray 2.9.3 on the head, ray 2.10.0 on the worker", "ray 2.9.3, ray 2.10.0"),
    ("numpy==1.26.4\nnumpy==1.26.4", "numpy 1.26.4"),
]

NOT_TOLD = [
    "Could not find a version that satisfies the requirement tensordict==0.10.0",
    "ERROR: No matching distribution found for torch>=2.6.0",
    "Collecting vllm==0.8.5",
    "pip install vllm==0.8.5",
    "uv pip install 'vllm==0.8.5'",
    "requires vllm==0.8.5",
    "transformers>=4.51.0 is required",
    "This needs torch 2.6.0 or later",
    "需要 torch 2.6.0 以上",
    "要求 vllm 版本 0.8.5",
    "ImportError: flash_attn>=2.1.1 is required, run `pip install flash-attn==2.7.4`",
    "requirements.txt:\nvllm==0.8.5\ntorch==2.6.0\n",
    "dependencies = [\n    \"torch==2.6.0\",\n    'vllm==0.8.5',\n]",
    "see https://github.com/vllm-project/vllm/releases/tag/v0.8.5",
    "https://download.example.org/whl/flash_attn-2.7.4.post1-cp310-cp310-linux_x86_64.whl",
    "git+https://github.com/verl-project/verl@v0.4.0",
    "Found existing installation: torch 2.5.1",
    "Uninstalling torch-2.5.1:",
    "fixed in vllm 0.10.2",
    "since vllm 0.9.0 this raises",
    "please upgrade to vllm 0.10.0",
    "it worked with vllm 0.7.3",
    "vllm 0.7.3 works fine",
    "Please install torch 2.6.0",
    "ConnectionRefusedError: 10.0.0.12:6379",
    "step 1.25 loss 0.331 lr 1.0e-6",
    "accuracy 0.8.5",
    "INFO 05-01 10:00:00 [worker.py:12] rank 0 reward 0.25",
    "GPU 0 has 79.15 GiB of which 1.2 GiB is free",
    "python train.py --lr 0.01",
    "ray start --head --port 6379",
    "建议升级到 vllm 0.10.0",
    "supports cuda 12.4",
    "numpy==1.*",
    "torch.distributed.elastic 0.5",
]


def told(text: str) -> str:
    """What a text tells, as words."""
    return ", ".join(f"{seen.package} {seen.version}" for seen in versions_in(text))


@pytest.mark.parametrize(("text", "wanted"), TOLD, ids=[text[:40] for text, _ in TOLD])
def test_a_version_is_told(text: str, wanted: str) -> None:
    assert told(text) == wanted


@pytest.mark.parametrize("text", NOT_TOLD, ids=[text[:40] for text in NOT_TOLD])
def test_a_version_is_not_told(text: str) -> None:
    assert told(text) == ""


def test_a_version_says_where_it_stands() -> None:
    text = "# 环境\nvLLM API server version 0.8.5\n"
    (seen,) = parse(text).versions
    assert text[seen.span.start : seen.span.end] == "vLLM API server version 0.8.5"


def test_of_a_long_text_the_beginning_the_end_and_telling_lines_are_read() -> None:
    filler = "step done\n" * 100_000
    text = f"vllm==0.8.5\n{filler}[pip3] torch==2.6.0\n{filler}ray version 2.40.0\n"
    assert told(text) == "vllm 0.8.5, torch 2.6.0, ray 2.40.0"


def test_at_most_a_hundred_are_told() -> None:
    assert len(versions_in("\n".join(f"package-{number}==1.0" for number in range(300)))) == 100
