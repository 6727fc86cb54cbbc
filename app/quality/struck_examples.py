"""Examples that the `unless` of their own entry strikes: what is to find an entry must not exclude it."""

from collections.abc import Iterator

from app.content.bundle import Finding
from app.content.check import Bundle
from app.content.names import projects
from app.matching.parsing.parser import parse
from app.matching.ranking.candidate import load
from app.matching.ranking.evidence import signatures_of
from app.matching.ranking.query import Query
from app.store import entry_index


def struck(entry: Bundle) -> Iterator[Finding]:
    """Yield what of the `unless` of an entry's signatures strikes one of them in an example of its own."""
    if not any(signature.unless for signature in entry.document.signatures):
        return
    features = load(0, entry_index.features(entry.document))
    for number, example in enumerate(entry.document.examples):
        query = Query.of(parse(example), projects())
        for one in signatures_of(query, features).struck:
            text = (
                f"in {entry.example_name(number)}, which must find this entry, it strikes the signature "
                f"'{one.signature}'; make it more exact, or leave it out: {one.unless}"
            )
            place = f"{entry.signature(one.signature)}.unless"
            yield entry.fact(place, "unless", one.unless[:40], text, number=number + 1, unless=one.unless)
