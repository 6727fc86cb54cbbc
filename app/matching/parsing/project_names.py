"""Which of the known projects a paste names."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from app.matching.model import Report
from app.matching.text.needles import alternatives, found_at
from app.matching.text.rules import stop_words, word_table

Place = Literal["own", "base", "library"]
# no letter stands before a name
_ALONE = r"(?<![A-Za-z0-9])"


class Project(NamedTuple):
    """A project and how a paste names it: by the packages that its code lies in, and by bare words.

    A word in capitals is meant as it stands, any other one in any case. A `base` is what other projects are built on,
    so that their stacks name it too; a `library` stands in the stacks of everybody and tells nothing.
    """

    key: str
    packages: tuple[str, ...]
    words: tuple[str, ...] = ()
    place: Place = "own"


def project_of(key: str) -> Project:
    """Return a project of which nothing but its key is known, as of a team's own.

    Its key is a bare word that names it only where it is no word that software or people use for something else.
    """
    package = key.replace("-", "_")
    taken = any(
        part in word_table(table)
        for part in (key, package)
        for table in ("message_word_weights.tsv", "question_word_weights.tsv")
    )
    return Project(key, (package,), () if taken or key in stop_words() else (key,))


class Projects:
    """The projects that can be named."""

    def __init__(self, known: Iterable[Project] = ()) -> None:
        self._known = tuple(one for one in known if one.place != "library")

    @cached_property
    def _bases(self) -> frozenset[str]:
        return frozenset(one.key for one in self._known if one.place == "base")

    @cached_property
    def _held(self) -> Collection[str]:
        """The words of which a text that names a project holds one, in lower case; most texts hold none and need no
        search.
        """
        return frozenset(name.lower() for one in self._known for name in (*one.packages, *one.words))

    @cached_property
    def _begun(self) -> re.Pattern[str]:
        """What finds where a name may begin in a text in lower case: few places need be looked at closely."""
        return re.compile(f"{_ALONE}{alternatives(self._held)}")

    @cached_property
    def _mention(self) -> re.Pattern[str]:
        forms = "|".join(f"(?P<p{place}>{_forms(one)})" for place, one in enumerate(self._known))
        return re.compile(rf"{_ALONE}(?:{forms})(?![A-Za-z])" if forms else r"(?!)")

    def mentioned(self, text: str) -> str:
        """Return the project that a text names first, or nothing."""
        return next(self._mentions(text), "")

    def named(self, report: Report) -> str:
        """Return the project that a paste is surely about: the only one that it names, bases aside; or nothing."""
        told = [message.text for message in report.messages if message.person or message.kind == "log"]
        found = set(self._mentions("\n".join((*told, *(f"/{frame.path}" for frame in report.frames)))))
        if len(found) > 1:
            found -= self._bases
        return found.pop() if len(found) == 1 else ""

    def _mentions(self, text: str) -> Iterator[str]:
        lowered = text.lower()
        found: Iterable[re.Match[str]] = ()
        if text.isascii():
            found = found_at((match.start() for match in self._begun.finditer(lowered)), self._mention, text)
        elif any(name in lowered for name in self._held):
            # outside of ASCII a letter in lower case may be two, or one of others
            found = self._mention.finditer(text)
        return (self._known[int(str(match.lastgroup)[1:])].key for match in found)


def _forms(project: Project) -> str:
    """Return the expression for what names a project: a folder, the beginning of a module path, `name==`, a word."""
    packages = "|".join(map(re.escape, project.packages))
    folders = rf"(?<=[/\"])(?:{packages})(?=/)|(?:{packages})(?=\.[a-z_]+\.|==)"
    words = (re.escape(word) if word.isupper() else f"(?i:{re.escape(word)})" for word in project.words)
    return "|".join((*words, folders))
