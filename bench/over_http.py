"""One worker over HTTP: questions a second, and search-as-you-type, as a share of a bare echo of the same bytes."""

import json
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from app.asking.question_service import Questions
from app.config import Settings
from app.store.engine import connect
from app.store.migrate import migrate
from app.transfer.jsonl import import_lines
from bench import client, pastes, servers
from bench.figures import clock, say, spread
from bench.raise_sites import entries

PASTE_LINES = 30
WITHIN = 5
CONNECTIONS = 8
ROUNDS = 5
SECONDS = 1.5
# There are so many copies of each paste that differ in a line, so that the same text comes again only when the server
# has forgotten its answer.
COPIES = 60
TYPED_ENTRIES = 10_000
TYPED = ("nccl unhandled system error", "显存不足怎么办", "cuda out of memory", "tensor size mismatch", "权重加载失败")


def measure() -> dict[str, Any]:
    """Return the figures of questions and of search-as-you-type."""
    found: dict[str, Any] = {"connections": CONNECTIONS}
    with tempfile.TemporaryDirectory() as folder, servers.echo() as echo:
        found["match"] = _questions(f"sqlite:///{Path(folder) / 'shipped.db'}", echo)
        found["typed"] = _typed(f"sqlite:///{Path(folder) / 'many.db'}", echo)
    return found


def _questions(url: str, echo: int) -> dict[str, Any]:
    texts = [text for _, text in pastes.of_about(PASTE_LINES, WITHIN)]
    different = [f"job {number}\n{text}" for number in range(COPIES) for text in texts]
    about = {
        "entries": len(pastes.shipped()),
        "pastes": len(texts),
        "lines": round(statistics.mean(len(text.splitlines()) for text in texts)),
        "bytes": round(statistics.mean(len(text.encode()) for text in texts)),
    }
    found: dict[str, Any] = {}
    with servers.errdex(url) as port:
        for name, asked in (("first", different), ("again", texts)):
            say(f"http: POST /api/v1/match, {name}")
            found[name] = _compared(port, echo, [_question(text) for text in asked], CONNECTIONS)
    engine = connect(Settings(database_url=url))
    asking = Questions(engine)
    spent = [spread([clock(partial(asking.ask, text)) for _ in range(50)])["median_ms"] for text in texts]
    engine.dispose()
    return about | found | {"in_process_ms": statistics.mean(spent)}


def _question(text: str) -> bytes:
    return client.post("/api/v1/match", json.dumps({"text": text}, ensure_ascii=False).encode())


def _typed(url: str, echo: int) -> dict[str, Any]:
    if not pastes.SITES.is_file():
        return {"absent": pastes.folder_of(pastes.SITES)}
    settings = Settings(database_url=url)
    engine = connect(settings)
    migrate(settings, engine)
    say(f"http: importing {TYPED_ENTRIES} entries")
    import_lines(engine, islice(entries(pastes.SITES, True, Counter()), TYPED_ENTRIES))
    engine.dispose()
    words = [text[:end] for text in TYPED for end in range(2, len(text) + 1)]
    found: dict[str, Any] = {"entries": TYPED_ENTRIES, "texts": len(words)}
    with servers.errdex(url) as port:
        for path in ("/api/v1/search", "/en/search"):
            say(f"http: GET {path}")
            # There is one connection, since a person types one letter after the other.
            found[path] = _compared(port, echo, [client.get(f"{path}?q={quote(word)}") for word in words], 1)
    return found


def _compared(port: int, echo: int, requests: Sequence[bytes], connections: int) -> dict[str, Any]:
    """Measure both in turn, so that what else the machine does meets both; the share is the median of the rounds."""

    def rate(of: int, took: list[float]) -> Callable[[], None]:
        return lambda: took.extend(client.load(of, requests, connections, SECONDS))

    for warm in (port, echo):
        client.load(warm, requests, connections, SECONDS / 3)
    took: dict[int, list[float]] = {port: [], echo: []}
    shares: list[float] = []
    rates: dict[int, list[float]] = {port: [], echo: []}
    for _ in range(ROUNDS):
        for server in (port, echo):
            before = len(took[server])
            seconds = clock(rate(server, took[server]))
            rates[server].append((len(took[server]) - before) / seconds)
        shares.append(rates[port][-1] / rates[echo][-1])
    return {
        "share": statistics.median(shares),
        "shares": shares,
        "errdex": spread(took[port]) | {"per_second": statistics.median(rates[port])},
        "echo": spread(took[echo]) | {"per_second": statistics.median(rates[echo])},
    }
