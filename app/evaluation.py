"""How right the answers are on labelled pastes: the figures of `errdex eval`."""

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.search import Answer, Questions


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


def _result(case: Case, answer: Answer) -> Result:
    ranked = [*answer.matches, *answer.related]
    rank = next((place for place, match in enumerate(ranked[:10], 1) if match.slug in case.expect), 0)
    first = answer.matches[0] if answer.matches else None
    return Result(
        case,
        first.slug if first else None,
        first.confidence if first else "none",
        rank,
        ranked[0].score if ranked else 0.0,
        tuple(match.slug for match in ranked[:5]),
    )


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
