"""The shipped entries: how right Errdex and its peers are on the labelled pastes, and how well each says no."""

from collections.abc import Sequence
from typing import Any

from app.asking.question_service import Questions
from app.content.schema import EntryDocument
from app.quality import evaluation
from app.quality.evaluation import Case, Result
from app.store.entry_index import prose
from bench import databases, pastes, peers
from bench.figures import say

KINDS = (peers.Tantivy, peers.Fts5, peers.Bm25s, peers.Rapidfuzz)
MOST = 10


def measure() -> dict[str, Any]:
    """Return for each set of labelled pastes the rows of all engines."""
    sets = pastes.labelled()
    if not sets:
        return {"absent": "../shared/eval/dev.jsonl and bench/labelled/*.jsonl"}
    documents = pastes.shipped()
    errdex = _errdex(sets)
    found: dict[str, Any] = {name: [{"engine": "Errdex", "query": "whole paste"} | errdex[name]] for name in sets}
    for kind in KINDS:
        peer = kind()
        peer.fill([_text(document) for document in documents])
        for name, cases in sets.items():
            say(f"ours: {peer.name}, {name}")
            for whole in (True, False):
                results = [_result(peer, documents, case, whole) for case in cases]
                about = {"engine": peer.name, "query": "whole paste" if whole else "last error line"}
                found[name].append(about | evaluation.figures(results))
    counts = {name: [sum(bool(c.expect) for c in cases), len(cases)] for name, cases in sets.items()}
    return {"entries": len(documents), "sets": found, "counts": counts}


def _errdex(sets: dict[str, list[Case]]) -> dict[str, dict[str, Any]]:
    with databases.shipped() as engine:
        questions = Questions(engine)
        found: dict[str, dict[str, Any]] = {}
        for name, cases in sets.items():
            say(f"ours: Errdex, {name}")
            found[name] = dict(evaluation.figures(evaluation.run(questions, cases)))
    return found


def _text(document: EntryDocument) -> str:
    """Return all that an entry says, in both languages, with its patterns."""
    bodies = [text.body for text in (document.en, document.zh) if text]
    patterns = [signature.pattern.replace("<*>", " ") for signature in document.signatures if signature.pattern]
    return "\n".join((*prose(document), *bodies, *patterns))


def _result(peer: peers.Peer, documents: Sequence[EntryDocument], case: Case, whole: bool) -> Result:
    best = peer.ask(case.text if whole else pastes.last_error_line(case.text), MOST)
    slugs = tuple(documents[place].slug for place, _ in best)
    rank = next((place for place, slug in enumerate(slugs, 1) if slug in case.expect), 0)
    return Result(case, slugs[0] if slugs else None, "likely", rank, best[0][1] if best else 0.0, slugs)
