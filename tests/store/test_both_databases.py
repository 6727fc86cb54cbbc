"""SQLite and PostgreSQL give the same candidates and the same answers; needs a PostgreSQL server to compare with."""

from pathlib import Path

import pytest

from app import sync
from app.asking.question_service import Questions
from app.config import ROOT, Settings
from app.content import bundle
from app.matching.parsing.parser import parse
from app.matching.ranking.terms import asked_terms
from app.matching.text.tokens import words
from app.store import recall
from app.store.session import asking, connect
from tests.conftest import POSTGRESQL, migrated

pytestmark = pytest.mark.skipif(not POSTGRESQL, reason="compares with a PostgreSQL server")


def test_every_example_has_the_same_candidates_and_answers_on_both(questions: Questions, tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'beside.db'}")
    sqlite = migrated(settings)
    sync.ingest(sqlite, ROOT / "content")
    beside = Questions(sqlite)
    for slug, folder in bundle.folders(ROOT / "content"):
        for text in bundle.read(folder, slug).examples:
            assert questions.ask(text, "zh", 10) == beside.ask(text, "zh", 10)


def test_candidates_come_in_the_same_order_on_both(shipped: Settings, tmp_path: Path) -> None:
    sqlite = migrated(Settings(database_url=f"sqlite:///{tmp_path / 'beside.db'}"))
    sync.ingest(sqlite, ROOT / "content")
    server = connect(shipped)
    text = "RuntimeError: CUDA out of memory while waking up the sglang engine, ray actor died"
    asked = asked_terms(parse(text), [words(text)])
    with asking(sqlite) as one, asking(server) as other:
        assert recall.candidates(one, asked) == recall.candidates(other, asked)
    server.dispose()
