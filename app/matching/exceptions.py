"""Which cleaned lines are an error, and of which type."""

import re
from typing import NamedTuple

_NAME = r"(?:[A-Za-z_]\w{0,80}\.){0,8}"
_SUFFIX = (
    r"(?:[A-Z]\w{0,80}?)?(?:Error|Exception|Exit|Interrupt|Failed|Failure|Timeout|Died|Refused|NotFound|Unavailable|Iteration"
    r"|Crashed|Expired|Overflow|Denied|Exceeded|Aborted)\w{0,40}"
)
# `Type: message` at the start of a line; types without a telling suffix count only after stack lines
_TYPED = re.compile(rf"(?P<type>{_NAME}{_SUFFIX})(?P<inner>\([\w.]+\))?(?:\s*:\s*(?P<rest>.*)|\s*$)", re.DOTALL)
_AFTER_FRAMES = re.compile(r"(?P<type>(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Z]\w{1,80})(?::\s+(?P<rest>.*)|:?$)", re.DOTALL)
_EMBEDDED = re.compile(rf"(?:^|[\s:'\"`({{\[,=>])(?P<type>{_NAME}{_SUFFIX})(?:\([\w.]+\))?: (?P<rest>\S.*)", re.DOTALL)
_BARE = re.compile(
    r"\b(?:CUDA|NCCL|CUresult|HIP|cuBLAS|CUDNN) ?(?:[Ee]rror|error result)|\bterminate called after|core dumped"
    r"|Segmentation fault|[Aa]ssertion `|Fatal Python error|error: |\bERROR\b|oom-kill|Killed$|\bFAILED\b"
    r"|\bld: cannot find|[Bb]us error|[Ss]egfault|NCCL WARN"
    r"|(?:loss|grad_norm|\bkl|entropy|perplexity)\w*['\"]?\s*[:=]\s*nan\b",
)
_NOT_AN_ERROR = re.compile(r"Warning$")


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
        return None if _NOT_AN_ERROR.search(name) else Found(name, match.start("type"))
    if level == "error" or _BARE.search(text):
        return Found("", 0)
    return None
