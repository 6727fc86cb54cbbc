"""Logs of healthy runs: what they print must not identify an error."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from app.config import DATA
from app.content.bundle import Finding
from app.content.check import Bundle
from app.content.names import projects
from app.content.schema import EntryDocument, Text
from app.matching.parsing.parser import parse
from app.matching.ranking.candidate import Features, load
from app.matching.ranking.query import Query
from app.matching.ranking.rank import score
from app.store import entry_index

LOGS = DATA / "bench" / "noise"
_MARKS = ("pattern", "frame")
_WORDLESS = Text(title=".", body="")


def read_logs(folder: Path = LOGS) -> dict[str, Query]:
    """Return the logs of a folder by file name, ready for `set_off`. Raises `OSError`."""
    return prepared({path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))})


def prepared(logs: Mapping[str, str]) -> dict[str, Query]:
    """Return logs, {name: text}, ready for `set_off`."""
    return {name: Query.of(parse(text), projects()) for name, text in logs.items()}


def set_off(entry: Bundle, logs: Mapping[str, Query]) -> Iterator[Finding]:
    """Yield the strong signatures of an entry that a log would set off."""
    features = _strong(entry.document)
    for name, query in logs.items():
        scored = score(query, features)
        if scored.carried:
            mark = next(value for reason in scored.reasons for key, value in reason.params if key in _MARKS)
            text = f"a healthy run prints this too ({name}); make it `weak` or more exact: {mark}"
            yield entry.fact(entry.signature(mark), "noise", mark[:40], text, log=name)


def _strong(document: EntryDocument) -> Features:
    """Return what the ranking knows of an entry by its strong signatures alone."""
    signatures = tuple(signature for signature in document.signatures if not signature.weak)
    bare = EntryDocument(slug=document.slug, updated=document.updated, signatures=signatures, en=_WORDLESS)
    return load(0, entry_index.features(bare))
