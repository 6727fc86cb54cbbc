"""Stack lines in the forms in which Python, IPython, rich and pytest print them, and those of other languages.

A frame of Python can be evidence; of a foreign one it is only known that it belongs to a stack.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple


class ForeignFrame(NamedTuple):
    """A form in which something that is not Python prints a line of a stack; `pattern` fits the whole cleaned line."""

    name: str
    pattern: str
    example: str


# To add one: a row with a line that was really printed. A test reads each example below an error.
FOREIGN = (
    ForeignFrame(
        "Java", r"at [\w.$<>/@-]+\([\w .:$-]{0,200}\)", "at org.apache.spark.scheduler.Task.run(Task.scala:141)"
    ),
    ForeignFrame("Java, folded", r"\.\.\. \d+ (?:more|common frames omitted)", "... 23 more"),
    ForeignFrame(
        ".NET",
        r"at [\w.`<>\[\],+]+\([^()\n]{0,200}\)(?: in .{1,300}:line \d+)?",
        "at Sim.World.Step(Int32 n) in /src/World.cs:line 88",
    ),
    ForeignFrame(
        "Node",
        r"at (?:async )?(?:[\w.<>$ \[\]]{1,120} \()?(?:file://|node:|/|[A-Z]:\\)[^()\n]{1,300}:\d+:\d+\)?",
        "at Object.render (/app/panel/chart.js:12:9)",
    ),
    ForeignFrame(
        "C++, PyTorch",
        r"frame #\d+: .*",
        "frame #3: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f1 in libc10.so)",
    ),
    ForeignFrame(
        "C++, debugger",
        r"#\d+\s+(?:0x[0-9a-f]+ in )?[\w:~<>]{1,200} \(.*",
        "#4  0x00007f2a in PyObject_Call () from /usr/lib/libpython3.11.so",
    ),
    ForeignFrame("C++, glog", r"(?:PC: )?@\s+0x[0-9a-f]+\s.*", "@     0x7f5c2a1e0520 (unknown)"),
    ForeignFrame(
        "C library",
        r"[\w./+-]+\([\w+.:<>~]*\+?0x[0-9a-f]+\)\s?\[0x[0-9a-f]+\]",
        "/lib/x86_64-linux-gnu/libc.so.6(+0x42520) [0x7f5c2a1e0520]",
    ),
    ForeignFrame("Rust", r"at (?:\./|/)[\w./-]+\.rs:\d+:\d+", "at /build/router/src/main.rs:88:14"),
    ForeignFrame(
        "Go, goroutine", r"goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[[\w, ]{1,60}\]:", "goroutine 17 [running]:"
    ),
    ForeignFrame("Go", r"/[\w./@-]+\.go:\d+(?: \+0x[0-9a-f]+)?", "/build/gateway/main.go:41 +0x1d"),
)

# The path of a frame of Windows holds backslashes; one before the quote is what JSON escapes it with. A path without
# any, as most are, is read in one go.
_PYTHON = re.compile(
    r'File \\?"([^"\\\n]{1,400}+(?=\\?")|(?:[^"\\\n]|\\(?!")){1,400})\\?", line \d+(?:, in ([^\s,]{1,200}))?'
)
_IPYTHON = re.compile(
    r"(?:File )?((?:[\w.~@+-]*/)+[\w.+-]+\.py[x]?|<[\w-]+>)(?::\d+)?(?:,)? in (<?[A-Za-z_][\w.<>]*>?)"
)
_PYTEST = re.compile(r"^([\w./-]+\.py):\d+: (?:in )?([A-Za-z_]\w*)$")
# What Ray says that it ran where an error came back: a class and its method, without a file.
_REMOTE = re.compile(r"\bray::(?:(?P<actor>[\w.]{1,120})\.)?(?P<method>(?!__)\w{1,120})\(\)")
REMOTE = "ray::"


def frame(text: str) -> tuple[str, str] | None:
    """Return the path and the function of the frame that a cleaned line shows, or None."""
    if "line " in text and (match := _PYTHON.search(text)):
        return match.group(1), match.group(2) or ""
    if " in " in text and (".py" in text or ">" in text) and (match := _IPYTHON.search(text)):
        return match.group(1), match.group(2).partition("(")[0].rpartition(".")[2]
    if ".py:" in text and (match := _PYTEST.match(text)):
        return match.group(1), match.group(2)
    return None


def remote(text: str) -> tuple[str, str, int, int] | None:
    """Return the call that an error line of Ray names, or None: its actor as a path that begins with `REMOTE`, its
    method, and where in the line both stand.
    """
    match = _REMOTE.search(text) if REMOTE in text else None
    return (f"{REMOTE}{match['actor'] or ''}", match["method"], *match.span()) if match else None


def is_foreign(text: str) -> bool:
    """Tell whether a cleaned line is one of a stack of another language."""
    return text[:1] in "a.f#@/glP" and _foreign().fullmatch(text) is not None


@cache
def _foreign() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{row.pattern})" for row in FOREIGN))


@lru_cache(maxsize=4_096)
def tail(path: str) -> str:
    """Return the last two parts of a path, with forward slashes: what the index knows a frame's file by."""
    parts = path.replace("\\", "/").rsplit("/", 2)
    return "/".join(parts[-2:])
