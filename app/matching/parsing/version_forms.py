"""How versions are told: names, words and forms, as tables; `versions.py` reads with them."""

import re

from app.matching.text.needles import alternatives, needles_of


def may_list(text: str) -> bool:
    """Tell whether a text may hold the heading of a list or of demands; true for some that hold none."""
    if not text.isascii():
        return True
    lowered = text.lower()
    return any(held in lowered for held in _LISTING)


def _any(*words: str) -> re.Pattern[str]:
    """Return what finds any of the words; they are parted by blanks, and regular expressions without any."""
    return re.compile("|".join(" ".join(words).split()), re.IGNORECASE)


# What a program calls itself -> the name that its package has; others are known only from rows of lists and files.
# Editing note: the key is matched in any case, with `-`, `_` and a blank as one; keep names that are words of English
# (such as roll) out, for any number behind one would be taken for its version.
NAMES = {
    "accelerate": "accelerate",
    "bitsandbytes": "bitsandbytes",
    "cuda": "cuda",
    "cann": "cann",
    "datasets": "datasets",
    "deepspeed": "deepspeed",
    "flash attn": "flash-attn",
    "flash attention": "flash-attn",
    "flashattention": "flash-attn",
    "flashinfer": "flashinfer-python",
    "flashinfer python": "flashinfer-python",
    "huggingface hub": "huggingface-hub",
    "llamafactory": "llamafactory",
    "llama factory": "llamafactory",
    "mcore": "megatron-core",
    "megatron core": "megatron-core",
    "ms swift": "ms-swift",
    "mujoco": "mujoco",
    "nccl": "nccl",
    "numpy": "numpy",
    "openrlhf": "openrlhf",
    "peft": "peft",
    "pyarrow": "pyarrow",
    "python": "python",
    "pytorch": "torch",
    "ray": "ray",
    "safetensors": "safetensors",
    "sgl kernel": "sgl-kernel",
    "sglang": "sglang",
    "skyrl train": "skyrl-train",
    "swanlab": "swanlab",
    "tensordict": "tensordict",
    "tokenizers": "tokenizers",
    "torch": "torch",
    "torchao": "torchao",
    "torchaudio": "torchaudio",
    "torchvision": "torchvision",
    "transformer engine": "transformer-engine",
    "transformers": "transformers",
    "triton": "triton",
    "trl": "trl",
    "verl": "verl",
    "vllm": "vllm",
    "vllm ascend": "vllm-ascend",
    "wandb": "wandb",
    "xformers": "xformers",
}
PACKAGES = frozenset(NAMES.values())
# The last parts of images' names -> the package whose version their tag begins with.
IMAGES = {
    "vllm-openai": "vllm",
    "vllm-ascend": "vllm-ascend",
    "sglang": "sglang",
    "ray": "ray",
    "ray-ml": "ray",
    "pytorch": "torch",
}
# What a tag calls a package, right before its version -> the package.
IN_TAGS = {
    "vllm": "vllm",
    "sglang": "sglang",
    "torch": "torch",
    "th": "torch",
    "mcore": "megatron-core",
    "flashinfer": "flashinfer-python",
    "cuda": "cuda",
    "cann": "cann",
}

_VERSION = (
    r"v?\d+(?:\.\d+){1,4}(?:[.-]?(?:a|b|rc|alpha|beta|dev|post)\.?\d+)*(?:\+[A-Za-z0-9][\w.-]*)?"
    r"(?![\w+]|\.\d|\.(?:x|\*))"
)
# One number says too little of a version: CUDA 12 and Python 3 are left out.
_NAME = r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?"
_CANN = r"\d+\.\d+(?:\.\d+)?(?:\.?(?:RC|rc|alpha|beta)\.?\d+)?"
_KNOWN = "|".join(re.escape(name).replace(r"\ ", "[-_ ]") for name in sorted(NAMES, key=len, reverse=True))

ADDRESS = re.compile(r"\S+://\S*|\bgit\+\S+", re.ASCII)
ADDRESS_HOLDS = ("://", "git+")
# Where a known name may begin, and the same by its first word in lower case: looked for first, as most lines have none.
_BEGINS = r"(?<![\w./@-])"
NAMED = re.compile(rf"{_BEGINS}(?:{_KNOWN})", re.IGNORECASE)
HINTED = re.compile(rf"{_BEGINS}{alternatives({name.split()[0] for name in NAMES})}")
# After these on a line, a version is what something asks for, had, or is made for, not what is there.
NOT_THERE = _any(
    # English
    r"requir depend \bneed \bwants?\b expect \bcollecting\b satisf \binstall\b upgrade\b downgrade\b \bpip3?\s \buv\s",
    r"conda\s constraint \bsupport compatib \bsince\b \buntil\b \bbefore\b \bprior\sto\b fixed\sin \bat\sleast\b",
    r"\bolder\sthan\b \bnewer\sthan\b \babove\b \bbelow\b \bshould\b \bworks?\s(?:with|on|in|fine) \bworked\b",
    r"\b(?:built|made|meant)\sfor\b \bcompiled\s(?:for|with|against)\b \bbuild\s(?:for|with)\b",
    r"uninstall found\sexisting \bdistribution\b",
    r"\brelease\snotes\b \bchangelog\b \btry\b \bswitch(?:ing)?\sto\b \broll(?:ing)?\sback\b \bwhile\b \bused\sto\b",
    r"\bminimum\b \bintroduced\b \bremoved\b",
    # Chinese
    r"需要 要求 依赖 安装 支持 兼容 升级到 降级到 降到 换成 至少 以前 之前 自从 从 建议 应该 最低 试试",
)
# What follows such a version directly and says the same of it.
NOT_THIS = re.compile(
    r"\s*(?:is|was|are)?\s*(?:\(?or (?:later|newer|higher|above)|and (?:later|newer|above)|required|works?\b|worked\b"
    r"|needed|or )|\s*(?:及|或)?(?:以上|更高|以下)|\s*(?:没问题|可以|正常|不会|就好|是好的)|\s*[<>~!]|\s*\+(?!\w)",
    re.IGNORECASE,
)
# On a line with one of these, "upgraded to" is what happened, not what somebody should do.
AFTER_UPGRADE = _any(
    r"after\s(?:the\s)?(?:up|down)grad since\s(?:up|down)grad (?:up|down)graded",
    r"升级(?:到|至)了?.{0,40}(?:后|之后|以后)",
    r"升级后 升到",
)
ADVICE = _any(r"\bshould\b \btry\b can\sI to\sfix \bplease\b 建议 应该 可以")

ROW = re.compile(
    rf"^\s*(?:\[(?:pip3?|conda)\]\s+|[-*+]\s+|\d+[:.)]\s+)?(?P<name>{_NAME})(?:===?(?P<version>{_VERSION})|\s{{2,}}(?P<told>{_VERSION})(?:\s.*)?)\s*$",
    re.ASCII,
)
LABELLED = re.compile(rf"^\s*\[(?:pip3?|conda)\]\s+(?P<name>{_NAME})\s+(?P<version>{_VERSION})(?:\s.*)?$", re.ASCII)
PINNED = re.compile(rf"(?<![\w\"'./\[-])(?P<name>{_NAME})(?:\[[\w,-]*\])?==(?P<version>{_VERSION})", re.ASCII)
_HEADING = r"^\s*(?:#\s*)?(?:Package|Name)\s+Version\b"
HEADING = re.compile(_HEADING, re.IGNORECASE)
TABLE_ROW = re.compile(rf"^\s*(?P<name>{_NAME})\s+(?P<version>{_VERSION})(?:\s.*)?$", re.ASCII)
_REQUIREMENTS = r"requirements?\b|pyproject|setup\.py|constraints?\b|dependenc"
REQUIREMENTS = re.compile(rf"{_REQUIREMENTS}|依赖|要求", re.IGNORECASE)
# One of these stands in each text in ASCII that has one of both, in lower case.
_LISTING = tuple(
    held
    for expression in (_HEADING, _REQUIREMENTS)
    if (told := needles_of(f"(?i:{expression})"))
    for held in sorted(told.folded)
)
FOLDER = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z0-9][\w.]*)-(?P<version>\d+(?:\.\w+)+?(?:\+[\w.]+?)?)(?=\.dist-info|\.egg-info|-py\d)",
    re.ASCII,
)
WHEEL = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z0-9][\w.]*)-(?P<version>\d[\w.+!]*)-(?:\d\w*-)?(?:cp|py|pp)\d\w*(?:\.\w+)*-\w+-[\w.]+\.whl",
    re.ASCII,
)
DONE = re.compile(r"Successfully installed (?P<rows>.+)")
DONE_ROW = re.compile(rf"(?<!\S)(?P<name>{_NAME})-(?P<version>{_VERSION})(?=\s|$)", re.ASCII)
SATISFIED = re.compile(
    rf"Requirement already satisfied: (?P<name>[A-Za-z0-9][\w.-]*?)(?:\[[\w,-]*\])?(?:[<>=!~].*?)? in \S+"
    rf"(?: \(from [^()]*(?:\([^()]*\))?\))? ?\((?P<version>{_VERSION})\)"
)
HAVE = re.compile(
    rf"\b[Yy]ou(?: already)? have (?:installed )?(?P<name>{_NAME})(?:==|\s+|\s+version\s+)(?P<version>{_VERSION})",
    re.ASCII,
)
ASKS_AND_HAS = re.compile(
    rf"(?<![\w./-])(?P<name>{_NAME}) (?P<version>{_VERSION}) (?:requires|has requirement|depends on) ", re.ASCII
)
SAYS = re.compile(
    rf"{_BEGINS}(?P<name>{_KNOWN})(?:[`'\"*]*)(?:\s*\([^()\d]{{0,30}}\))?"
    r"(?:[-_ ](?:api[-_ ]server|library|llm engine|runtime|package|server|toolkit))?(?:\.__version__)?"
    rf"(?:[\s\"'`*]*(?:version|版本|ver\.?)(?:号)?(?:\s*\([^()\d]{{0,30}}\))?)?[\"'`*]*\s*"
    rf"(?:[:=：是为]|is(?= )|->|\|)?\s*[\"'`*(]*(?P<version>{_VERSION})",
    re.IGNORECASE,
)
MOVED = re.compile(
    rf"{_BEGINS}(?P<name>{_KNOWN})\s*(?:版本)?\s*(?:was |has been )?"
    rf"(?:upgraded |downgraded |updated |升级|降级)?\s*"
    rf"(?:from|从|由)?\s*{_VERSION}\s*(?:to|->|→|=>|升级到|升级至|升到|降级到|降到|到|至)\s*(?P<version>{_VERSION})",
    re.IGNORECASE,
)
# Forms that programs print -> by a word that stands in each, with the name in the form.
PRINTED: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("already satisfied", SATISFIED),
    ("ou ", HAVE),
    (" requires ", ASKS_AND_HAS),
    (" has requirement ", ASKS_AND_HAS),
    (".dist-info", FOLDER),
    (".egg-info", FOLDER),
    ("-py", FOLDER),
    (".whl", WHEEL),
)
# The same of one package each, without its name in the form.
SPECIAL: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("LLM engine (", "vllm", re.compile(rf"Initializing (?:a V\d|an) LLM engine \((?P<version>{_VERSION})\)")),
    ("DeepSpeed info", "deepspeed", re.compile(rf"DeepSpeed info: version=(?P<version>{_VERSION})")),
    (
        "river ",
        "driver",
        re.compile(r"driver version\s*[:=]?\s*(?P<version>\d{3}(?:\.\d+){1,2})(?![\w.])", re.IGNORECASE),
    ),
    (
        "CUDA ",
        "cuda",
        re.compile(r"CUDA (?:Driver |Runtime )?Version\s*:\s*(?P<version>\d+\.\d+(?:\.\d+)?)(?![\w.])", re.IGNORECASE),
    ),
    ("used to build", "cuda", re.compile(r"CUDA used to build PyTorch\s*:\s*(?P<version>\d+\.\d+)(?![\w.])")),
    ("compilation tools", "cuda", re.compile(r"Cuda compilation tools, release (?P<version>\d+\.\d+)(?![\w.])")),
    ("NCCL version", "nccl", re.compile(r"NCCL version (?P<version>\d+\.\d+(?:\.\d+)?(?:\+cuda[\d.]+)?)(?=\s|$)")),
    ("-cann-", "cann", re.compile(rf"Ascend-cann-[a-z-]*[_ ](?P<version>{_CANN})(?![\w.])")),
    ("CANN", "cann", re.compile(rf"\bCANN[ _:=：-]*(?:version|版本)?[ _:=：-]*(?P<version>{_CANN})(?![\w.])")),
)
IMAGE = re.compile(
    r"(?<![\w./-])(?:[\w.-]+(?::\d+)?/)*(?P<image>[a-z0-9][\w.-]*):(?P<tag>v?[A-Za-z0-9][\w.-]{2,127})(?![\w.:/-])",
    re.ASCII,
)
TAG_BEGINS = re.compile(r"v?(?P<version>\d+(?:\.\d+){1,2}(?:(?:\.post|rc)\d+)?)(?=-|$)", re.ASCII)
IN_TAG = re.compile(
    rf"(?<![A-Za-z])(?P<name>{'|'.join(IN_TAGS)})[-_]?v?(?P<version>\d+(?:\.\d+){{1,2}}(?:(?:\.post|rc)\d+)?)(?=[-_.]|$)",
    re.ASCII,
)
CU = re.compile(r"(?<![A-Za-z0-9])cu(?P<version>1[0-9][0-9])(?![0-9])", re.ASCII)
