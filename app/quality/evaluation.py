"""How right the answers are on labelled pastes: the figures of `errdex eval`."""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.asking.question_service import Answer, Questions

# A right entry is looked for among the first so many of an answer.
RANKED = 10


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled paste: `expect` are the slugs that are a right answer, best first; empty: the right answer is none."""

    id: str
    text: str
    lang: str
    expect: tuple[str, ...]
    labels: dict[str, str]


@dataclass(frozen=True, slots=True)
class Result:
    """What a case was answered: `first` is the slug we stood behind, `rank` the place of a right one (0: not found)."""

    case: Case
    first: str | None
    confidence: str
    rank: int
    top: float
    ranked: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether the answer, or the silence, is right."""
        return self.first in self.case.expect if self.case.expect else self.first is None


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a JSON-lines file, plain or gzipped.

    Raises `ValueError` naming the line when one is not a case.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    cases: list[Case] = []
    with opened(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                cases.append(_case(line, number))
    return cases


def read_relabelled(path: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return {(set, id of a case): the slugs that are right by now} of a JSON-lines file.

    A text that no entry answered is answered by one that was written later: the set keeps its label, and this file says
    what two readers of text and entry found. Raises `ValueError` naming the line when one cannot be read.
    """
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            found[str(row["set"]), str(row["id"])] = tuple(map(str, row["expect"]))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"line {number}: not a row of set, id and expect ({error!r})") from error
    return found


def relabel(name: str, cases: Iterable[Case], relabelled: Mapping[tuple[str, str], tuple[str, ...]]) -> list[Case]:
    """Return the cases of the set `name` with the labels that they have by now."""
    return [replace(case, expect=relabelled.get((name, case.id), case.expect)) for case in cases]


def _case(line: str, number: int) -> Case:
    try:
        plain: dict[str, Any] = json.loads(line)
        expect = plain["expect"]
        slugs = (expect,) if isinstance(expect, str) else tuple(expect)
        labels = {key: str(plain[key]) for key in ("lang", "form", "group", "shape") if plain.get(key)}
        return Case(str(plain.get("id", number)), plain["text"], plain.get("lang", "en"), slugs, labels)
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"line {number}: not a case ({error!r})") from error


def run(questions: Questions, cases: Iterable[Case]) -> list[Result]:
    """Ask every case and return the results in the same order."""
    return [_result(case, questions.ask(case.text, case.lang, 10)) for case in cases]


def judged(result: Result, case: Case) -> Result:
    """Return the result of a case for another label of the same text."""
    rank = next((place for place, slug in enumerate(result.ranked, 1) if slug in case.expect), 0)
    return replace(result, case=case, rank=rank)


def _result(case: Case, answer: Answer) -> Result:
    ranked = [*answer.matches, *answer.related]
    first = answer.matches[0] if answer.matches else None
    found = Result(
        case,
        first.slug if first else None,
        first.confidence if first else "none",
        0,
        ranked[0].score if ranked else 0.0,
        tuple(match.slug for match in ranked[:RANKED]),
    )
    return judged(found, case)


def figures(results: Sequence[Result]) -> dict[str, float | int | None]:
    """Return the figures of a set of results; shares are from 0 to 1, None where there is nothing to share."""
    positive = [r for r in results if r.case.expect]
    negative = [r for r in results if not r.case.expect]
    sure = [r for r in results if r.confidence == "high"]
    likely = [r for r in results if r.confidence == "likely"]
    return {
        "positives": len(positive),
        "negatives": len(negative),
        "answered@1": _share(r.right for r in positive),
        "found@1": _share(r.rank == 1 for r in positive),
        "found@3": _share(0 < r.rank <= 3 for r in positive),
        "wrong": _share(r.first is not None and not r.right for r in positive),
        "false": _share(r.first is not None for r in negative),
        "auc": _auc([r.top for r in positive], [r.top for r in negative]),
        "high": len(sure),
        "high right": _share(r.right for r in sure),
        "likely": len(likely),
        "likely right": _share(r.right for r in likely),
    }


def _share(hits: Iterable[bool]) -> float | None:
    rows = list(hits)
    return round(sum(rows) / len(rows), 3) if rows else None


def _auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    if not positive or not negative:
        return None
    wins = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return round(wins / (len(positive) * len(negative)), 3)
