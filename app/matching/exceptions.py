"""Which cleaned lines are an error, and of which type."""

import re
from typing import NamedTuple

_NAME = r"(?:[A-Za-z_]\w{0,80}\.){0,8}"
_SUFFIX = (
    r"(?:[A-Z]\w{0,80}?)?(?:Error|Exception|Exit|Interrupt|Failed|Failure|Timeout|Died|Refused|NotFound|Unavailable|Iteration"
    r"|Crashed|Expired|Invalid|Overflow|Denied|Exceeded|Aborted)\w{0,40}"
)
# `Type: message` at the start of a line; types without a telling suffix count only after stack lines
_TYPED = re.compile(rf"(?P<type>{_NAME}{_SUFFIX})(?P<inner>\([\w.]+\))?(?:\s*:\s*(?P<rest>.*)|\s*$)", re.DOTALL)
_AFTER_FRAMES = re.compile(r"(?P<type>(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Z]\w{1,80})(?::\s+(?P<rest>.*)|:?$)", re.DOTALL)
_EMBEDDED = re.compile(rf"(?:^|[\s:'\"`({{\[,=>])(?P<type>{_NAME}{_SUFFIX})(?:\([\w.]+\))?: (?P<rest>\S.*)", re.DOTALL)
# Lines without a type that are errors all the same: what such a line must hold, and the expression that decides.
_BARE = tuple(
    (held, re.compile(expression))
    for held, expression in (
        (
            "rror",
            r"\b(?:CUDA|NCCL|CUresult|HIP|cuBLAS|CUDNN) ?[Ee]rror|error: |Fatal Python error|[Bb]us error",
        ),
        ("ERROR", r"\bERROR\b"),
        ("FAILED", r"\bFAILED\b"),
        ("terminate called after", r"\bterminate called after"),
        ("core dumped", r"core dumped"),
        ("fault", r"Segmentation fault|[Ss]egfault"),
        ("ssertion `", r"[Aa]ssertion `"),
        ("ill", r"oom-kill|Killed$"),
        ("ld: cannot find", r"\bld: cannot find"),
        ("NCCL WARN", r"NCCL WARN"),
        ("nan", r"(?:loss|grad_norm|\bkl|entropy|perplexity)\w*['\"]?\s*[:=]\s*(?:np\.float\d+\()?nan\b"),
    )
)


class Found(NamedTuple):
    """An error line: the last part of the type ("" for lines without one) and where in the line it begins."""

    type: str
    start: int


def find(text: str, level: str, after_frames: bool) -> Found | None:
    """Return the error that a cleaned line shows, or None. `level` is the logger's: "error", "log" or ""."""
    match = _TYPED.match(text)
    if match is None and after_frames:
        match = _AFTER_FRAMES.match(text)
    if match is None and ("Error" in text or "Exception" in text):
        match = _EMBEDDED.search(text)
    if match is not None:
        name = match.group("type").rpartition(".")[2]
        return None if name.endswith("Warning") else Found(name, match.start("type"))
    if level == "error" or any(held in text and expression.search(text) for held, expression in _BARE):
        return Found("", 0)
    return None
