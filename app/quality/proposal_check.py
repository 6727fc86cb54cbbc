"""What `errdex check` says of one proposed entry: in a process of its own, which is ended when its time is over.

It is held to the rules beside those published entries that share a recall term with it, and to no other.
"""

import json
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from threading import BoundedSemaphore

from sqlalchemy import Engine

from app.config import ROOT
from app.content import check, duplicate_patterns
from app.content.bundle import Finding
from app.content.canonical import facts
from app.content.check import AskExample, Bundle, Known
from app.content.name_rows import Own, name_row, plain_row
from app.content.names import SHIPPED, Names
from app.content.schema import EntryDocument
from app.matching import match
from app.matching.ranking.candidate import Features, load
from app.matching.ranking.terms import indexed_terms
from app.quality import back_test, healthy_logs
from app.quality.entry_rules import findings_of_one
from app.store import entry_index, recall
from app.store.index_cache import IndexCache
from app.store.session import read_transaction

SECONDS = 2.0
# published entries whose examples are asked
MOST_NEIGHBOURS = 30
MOST_FINDINGS = 50
_END = "all checked"
# each holds a process: whoever finds no place is told that nothing was checked
_PLACES = BoundedSemaphore(2)


@dataclass(frozen=True, slots=True)
class HeldAgainst:
    """The findings, and whether everything was checked in the time there was."""

    findings: tuple[Finding, ...]
    is_whole: bool


def neighbours(engine: Engine, document: EntryDocument) -> list[str]:
    """Return the canonical documents of the published entries that share a recall term with the signatures of one."""
    patterns = [one.pattern for one in document.signatures if one.pattern]
    frames = [one.frame for one in document.signatures if one.frame]
    with read_transaction(engine) as transaction:
        ids = recall.candidates(
            transaction, IndexCache().at(transaction), dict.fromkeys(indexed_terms(patterns, frames, (), ()), 1.0)
        )
        sql = "SELECT slug, document FROM entry WHERE status = 'published' AND id IN"
        rows = transaction.rows(sql, ids) if ids else []
    return [text for slug, text in rows if slug != document.slug][:MOST_NEIGHBOURS]


def hold_against_rules(
    document: EntryDocument,
    beside: Sequence[str],
    known: Collection[str],
    seconds: float = SECONDS,
    *,
    names: Own | None = None,
) -> HeldAgainst:
    """Return what is wrong with a document; `known` are the slugs that it may refer to, `names` the team's, and those
    that are proposed with it. Takes at most `seconds`.

    What was found before the time was over counts.
    """
    if not _PLACES.acquire(blocking=False):
        return HeldAgainst((), is_whole=False)
    try:
        plain = {kind: {key: plain_row(row) for key, row in rows.items()} for kind, rows in (names or {}).items()}
        told = json.dumps(
            {"document": document.canonical(), "beside": list(beside), "known": sorted(known), "names": plain}
        )
        said = _said(told.encode(), seconds)
    finally:
        _PLACES.release()
    lines = said.decode("utf-8", "replace").split("\n")
    rows = [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]
    return HeldAgainst(tuple(Finding(**row) for row in rows[:MOST_FINDINGS]), _END in lines)


def _said(told: bytes, seconds: float) -> bytes:
    command = [sys.executable, "-m", "app.quality.proposal_check"]
    try:
        done = subprocess.run(command, input=told, capture_output=True, timeout=seconds, check=False, cwd=ROOT)  # noqa: S603
    except subprocess.TimeoutExpired as late:
        return late.stdout or b""
    return done.stdout


def findings(
    document: EntryDocument, beside: Sequence[EntryDocument], known: Collection[str], names: Names = SHIPPED
) -> Iterator[Finding]:
    """Yield what is wrong with a document, the quickest rules first.

    What other packages print comes last: to read that table takes longer than anything else.
    """
    entry = Bundle(document, {"entry.toml": facts(document)})
    yield from findings_of_one(entry, Known(known, {}, names.names("tags"), names.names("components")))
    others = [Bundle(other) for other in beside]
    yield from (found for found in duplicate_patterns.same_patterns([*others, entry]) if found.slug == document.slug)
    yield from back_test.unspecific([entry], ())
    yield from healthy_logs.set_off(entry, healthy_logs.read_logs())
    features = [_features(number, one) for number, one in enumerate([document, *beside])]
    if document.status != "published":
        return
    ask = _asker(features, names)
    yield from check.answers(entry, ask)
    for other in others:
        yield from _taken(other, document, ask)
    printed = back_test.unspecific([entry], back_test.read_rows([entry]))
    yield from (found for found in printed if found.kind == "elsewhere")


def _features(number: int, document: EntryDocument) -> Features:
    return load(number, entry_index.features(document), entry_index.words(document))


def _asker(features: Sequence[Features], names: Names) -> AskExample:
    known = names.projects({one.slug.partition("/")[0] for one in features})

    def answer(text: str) -> tuple[str | None, str]:
        ranked = match(text, lambda _: features, known, names.told_apart).ranked
        first = next((one for one in ranked if one.why_not is None), None)
        return (first.features.slug, f"{first.scored.score:g}") if first else (None, "nothing is stood behind")

    return answer


def _taken(other: Bundle, document: EntryDocument, ask: AskExample) -> Iterator[Finding]:
    """Yield the examples of a published entry that would be answered by the proposed one."""
    for example in other.document.examples:
        first, score = ask(example)
        if first == document.slug and document.slug not in other.document.also:
            text = f"an example of {other.document.slug} would be answered by this entry ({score})"
            yield Bundle(document).fact("signatures", "taken", "", text, slug=other.document.slug)
            return


def main() -> None:
    """Read a document and what stands beside it from standard input; write a finding a line."""
    told = json.load(sys.stdin)
    document = EntryDocument.model_validate_json(told["document"])
    beside = [EntryDocument.model_validate_json(text) for text in told["beside"]]
    own = {kind: {key: name_row(kind, row) for key, row in rows.items()} for kind, rows in told["names"].items()}
    for found in findings(document, beside, frozenset(told["known"]), Names(own)):
        sys.stdout.write(f"{json.dumps(asdict(found))}\n")
        # whoever ends this process reads what it has found so far
        sys.stdout.flush()
    sys.stdout.write(f"{_END}\n")


if __name__ == "__main__":
    main()
