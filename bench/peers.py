"""Other engines over the same texts: tantivy, SQLite's FTS5, bm25s with jieba, and rapidfuzz against everything.

They are imported where they are filled: `--help` and the checks of types need none of them.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from rapidfuzz import fuzz, process
from rapidfuzz.utils import default_process

MOST_WORDS = 1_000
_WORD = re.compile(r"[A-Za-z0-9]+|[\u3400-\u4dbf\u4e00-\u9fff]+")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; runs of Chinese are cut by jieba."""
    return list(_words(text))


def asked_words(text: str) -> list[str]:
    """Return the words of a question, each once: repeated ones (`rank0`, `line`) only pull a question off its point."""
    return list(dict.fromkeys(words(text)))[:MOST_WORDS]


def _words(text: str) -> Iterator[str]:
    import rjieba

    for run in _WORD.findall(text):
        if run.isascii():
            yield run.lower()
        else:
            yield from rjieba.cut(run)


class Peer(Protocol):
    """An engine that is filled once and asked one text at a time."""

    name: str

    def fill(self, texts: Sequence[str]) -> None:
        """Index the texts."""

    def ask(self, text: str, most: int = 5) -> list[tuple[int, float]]:
        """Return the places of the best texts, from 0, with their scores, the best first."""


class Tantivy:
    """tantivy (Lucene's design in Rust), BM25 with its default tokenizer, all words of the question OR-ed."""

    name = "tantivy BM25"

    def fill(self, texts: Sequence[str]) -> None:
        """Index the texts."""
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("place", stored=True)
        builder.add_text_field("text", tokenizer_name="default")
        index = tantivy.Index(builder.build())
        writer = index.writer(128_000_000, 1)
        for place, text in enumerate(texts):
            writer.add_document(tantivy.Document(place=place, text=_spaced(text)))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._index, self._searcher = index, index.searcher()

    def ask(self, text: str, most: int = 5) -> list[tuple[int, float]]:
        """Return the best."""
        asked = " ".join(asked_words(text))
        if not asked:
            return []
        query, _ = self._index.parse_query_lenient(asked, ["text"])
        hits = self._searcher.search(query, most).hits
        return [(self._searcher.doc(address)["place"][0], float(score)) for score, address in hits]


class Fts5:
    """SQLite's FTS5 with its BM25, all words of the question OR-ed; Chinese cut by jieba before it is indexed."""

    name = "SQLite FTS5 BM25"

    def fill(self, texts: Sequence[str]) -> None:
        """Index the texts."""
        self._database = sqlite3.connect(":memory:")
        self._database.execute("CREATE VIRTUAL TABLE entry USING fts5(text, content='')")
        rows = ((place, _spaced(text)) for place, text in enumerate(texts))
        self._database.executemany("INSERT INTO entry(rowid, text) VALUES (?, ?)", rows)
        self._database.execute("INSERT INTO entry(entry) VALUES ('optimize')")

    def ask(self, text: str, most: int = 5) -> list[tuple[int, float]]:
        """Return the best."""
        asked = " OR ".join(f'"{word}"' for word in asked_words(text))
        if not asked:
            return []
        query = "SELECT rowid, -bm25(entry) FROM entry WHERE entry MATCH ? ORDER BY 2 DESC, 1 LIMIT ?"
        return list(self._database.execute(query, (asked, most)))


class Bm25s:
    """bm25s (BM25 in numpy, scores made when filled), words cut by jieba."""

    name = "bm25s with jieba"

    def fill(self, texts: Sequence[str]) -> None:
        """Index the texts."""
        import bm25s

        self._engine: Any = bm25s.BM25()
        self._engine.index([words(text) for text in texts], show_progress=False)

    def ask(self, text: str, most: int = 5) -> list[tuple[int, float]]:
        """Return the best."""
        known = [word for word in asked_words(text) if word in self._engine.vocab_dict]
        if not known:
            return []
        places, scores = self._engine.retrieve([known], k=most, show_progress=False, n_threads=0)
        return [(int(place), float(score)) for place, score in zip(places[0], scores[0], strict=True) if score > 0]


class Rapidfuzz:
    """rapidfuzz's token_set_ratio against every text: no index, nothing is left out."""

    name = "rapidfuzz token_set_ratio over all"

    def fill(self, texts: Sequence[str]) -> None:
        """Keep the texts as rapidfuzz compares them."""
        self._texts = [default_process(_spaced(text)) for text in texts]

    def ask(self, text: str, most: int = 5) -> list[tuple[int, float]]:
        """Return the best."""
        asked = default_process(_spaced(text))
        found = process.extract(asked, self._texts, scorer=fuzz.token_set_ratio, limit=most)
        return [(place, score) for _, score, place in found]


def _spaced(text: str) -> str:
    return " ".join(words(text))
