"""A half-filled form from a paste that found no entry."""

import re
from dataclasses import dataclass
from itertools import groupby

from app.content.names import SHIPPED, Names
from app.matching.model import Frame, Message, Report, Span
from app.matching.parsing.frames import tail
from app.matching.parsing.human_text import asks
from app.matching.parsing.project_names import Projects
from app.matching.ranking.holes import HOLE
from app.matching.ranking.pattern import compile_pattern
from app.matching.text.masks import MASKS
from app.matching.text.tokens import tokens
from app.privacy.holes import is_within_word, several_holes, tidy_holes

LONGEST_TITLE = 120
LONGEST_NAME = 40
SHORTEST_PATTERN, LONGEST_PATTERN = 3, 500
LONGEST_EXAMPLE = 8_000
# components, and tags
MOST_WORDS = 3
LINES_BEFORE, LINES_AFTER = 23, 6
# With so much summed word weight a pattern can carry an answer alone. The pattern of a line that is no error needs
# more.
ENOUGH, ENOUGH_OF_LOG = 1.3, 2.0

_LIBRARY = re.compile(r"site-packages|dist-packages|/lib/python\d|<|importlib")
_FRAME = re.compile(r"[^\s:]+:[^\s:]+")

_VALUE = re.compile("|".join(pattern for name, pattern in MASKS if name != "masked"))
_QUOTED = re.compile(r"'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`")
_LONG_QUOTE = 60
_SEVERAL_HOLES = several_holes(r"[\s,]+")
# U+1680 is a space for Python and a letter for the tokenizer, so it stays.
_SPACE = re.compile(r"[^\S\u1680]+")
# A paste without an error and with more messages than this is a log in which no line stands out.
_FEW_MESSAGES = 8


@dataclass(frozen=True, slots=True)
class Draft:
    """What can be read off a paste for a new entry.

    `signatures` are message patterns, `frame` is where in the project's own code it was raised, as
    `path/tail.py:function`, `example` is the telling part of the paste, verbatim. `components` and `tags` are what
    message and stack name. What could not be told is empty.
    """

    title: str
    project: str
    name: str
    signatures: tuple[str, ...]
    example: str
    frame: str = ""
    components: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def from_report(report: Report, text: str, projects: Projects | None = None, names: Names = SHIPPED) -> Draft:
    """Return the draft for a parsed paste and its text; `projects` and `names` are those it can name."""
    telling = _telling(report)
    pattern = _pattern(telling) if telling else ""
    asked = next((message for message in report.messages if message.kind == "prose"), None)
    title = _title(pattern or (asked.text if asked else ""))
    return Draft(
        title=title,
        project=_project(report, projects or names.projects()),
        name=_name(title),
        signatures=(pattern,) if len(pattern) >= SHORTEST_PATTERN else (),
        example=_example(telling or asked, text),
        frame=_frame(telling.frames if telling else ()),
        components=_components(report, telling, names),
        tags=names.told_by("tags", telling.text)[:MOST_WORDS] if telling else (),
    )


def _telling(report: Report) -> Message | None:
    if report.errors:
        return report.cause or report.errors[0]
    printed = [message for message in report.messages if not asks(message.text)]
    return max(printed, key=_telling_words) if 0 < len(printed) <= _FEW_MESSAGES else None


def _telling_words(message: Message) -> float:
    return compile_pattern(message.text).total


def _pattern(message: Message) -> str:
    # The pattern begins at the exception type, for modules and prefixes differ between versions and launchers.
    text = message.text[max(0, message.text.find(message.type)) :]
    return pattern_of(text, ENOUGH if message.kind == "error" else ENOUGH_OF_LOG)


def pattern_of(message: str, enough: float = ENOUGH) -> str:
    """Return a pattern that the message fits, of at most 500 characters; empty when the message holds no word.

    Variable parts are `<*>`. It is the first line where that says enough, else as many lines as are needed; where too
    little is left without the values, they stay.
    """
    ends = [*(match.start() for match in re.finditer("\n", message)), len(message)]
    for with_holes in (True, False):
        for end in ends:
            pattern = _holed(message[:end], _values(message[:end]) if with_holes else [])
            if compile_pattern(pattern).total >= enough:
                return pattern
    return pattern if compile_pattern(pattern).words else ""


def _values(text: str) -> list[Span]:
    """Return where values of one run stand: what the masks know, and quoted text that is long or holds such a value."""
    found = [Span(*match.span()) for match in _VALUE.finditer(text) if not is_within_word(text, match.start())]
    for match in _QUOTED.finditer(text):
        quoted = match.group()[1:-1]
        if len(quoted) > _LONG_QUOTE or _VALUE.search(quoted):
            found.append(Span(match.start() + 1, match.end() - 1))
    return found


def _holed(text: str, values: list[Span]) -> str:
    """Return the text with holes for the values; a word that one touches goes with it, so no half of it is left."""
    gone = bytearray(len(text))
    for start, end in values:
        gone[start:end] = b"\1" * (end - start)
    for _, start, end in tokens(text):
        if any(gone[start:end]):
            gone[start:end] = b"\1" * (end - start)
    runs = ((is_gone, list(run)) for is_gone, run in groupby(range(len(text)), gone.__getitem__))
    shown = "".join(HOLE if is_gone else text[run[0] : run[-1] + 1] for is_gone, run in runs)
    return tidy_holes(_SPACE.sub(" ", shown).strip(), _SEVERAL_HOLES, LONGEST_PATTERN)


def _title(text: str) -> str:
    title = " ".join(text.replace(HOLE, "…").split())
    if len(title) <= LONGEST_TITLE:
        return title
    kept = title[: LONGEST_TITLE - 1]
    return f"{kept.rpartition(' ')[0] or kept}…"


def _name(title: str) -> str:
    name = "-".join(re.findall(r"[a-z0-9]+", title.lower()))
    if len(name) <= LONGEST_NAME:
        return name
    return name[: LONGEST_NAME + 1].rpartition("-")[0] or name[:LONGEST_NAME]


def _project(report: Report, projects: Projects) -> str:
    """Return the project that the innermost frame names, else the one that the paste names first."""
    paths = (f"/{frame.path}" for frame in reversed(report.frames))
    own = (path for path in paths if not _LIBRARY.search(path))
    for seen in (*own, *(message.text for message in report.messages)):
        if found := projects.mentioned(seen):
            return found
    return ""


def _components(report: Report, telling: Message | None, names: Names) -> tuple[str, ...]:
    """Return what the message names, then what the stack goes through, the innermost frame first."""
    frames = (telling.frames if telling else ()) or report.frames
    paths = (path for frame in reversed(frames) if (path := _own_path(frame.path)))
    return names.told_by("components", "\n".join(((telling.text if telling else ""), *paths)))[:MOST_WORDS]


def _own_path(path: str) -> str:
    """Return a path from the package on; empty for the standard library."""
    inner = path.rpartition("-packages/")[2]
    return "" if inner == path and "/lib/python" in path else inner


def _frame(frames: tuple[Frame, ...]) -> str:
    for frame in reversed(frames):
        place = f"{tail(frame.path)}:{frame.function}"
        if not _LIBRARY.search(f"{frame.path}{frame.function}") and _FRAME.fullmatch(place):
            return place
    return ""


def _example(telling: Message | None, text: str) -> str:
    """Return the lines around a message, verbatim: more of those before it, where the stack is, than after it."""
    if len(text) <= LONGEST_EXAMPLE and text.count("\n") <= LINES_BEFORE + LINES_AFTER:
        return text.strip("\n")
    start, end = telling.span if telling else Span(0, 0)
    end = min(end, start + LONGEST_EXAMPLE)
    above = text[max(0, start - LONGEST_EXAMPLE) : start].split("\n")[-LINES_BEFORE - 1 :]
    below = text[end : end + LONGEST_EXAMPLE].split("\n")[: LINES_AFTER + 1]
    while sum(map(len, above)) + len(above) + end - start > LONGEST_EXAMPLE and len(above) > 1:
        del above[0]
    low = start - min(len("\n".join(above)), LONGEST_EXAMPLE - (end - start))
    return text[low : min(end + len("\n".join(below)), low + LONGEST_EXAMPLE)].strip("\n")
