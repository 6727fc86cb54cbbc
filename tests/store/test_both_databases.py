"""SQLite and PostgreSQL give the same candidates and the same answers; needs a PostgreSQL server to compare with."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from app import sync
from app.asking.question_service import Questions
from app.config import ROOT, Settings
from app.content import bundle
from app.matching.parsing.parser import parse
from app.matching.ranking.terms import asked_terms
from app.matching.text.tokens import words
from app.store import recall
from app.store.engine import connect
from app.store.index_cache import IndexCache
from app.store.migrate import migrate
from app.store.session import read_transaction
from tests.conftest import POSTGRESQL, create

pytestmark = pytest.mark.skipif(not POSTGRESQL, reason="compares with a PostgreSQL server")


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The shipped corpus in a file."""
    settings = Settings(database_url=f"sqlite:///{tmp_path_factory.mktemp('beside') / 'errdex.db'}")
    engine = connect(settings)
    migrate(settings, engine)
    sync.ingest(engine, ROOT / "content")
    yield engine
    engine.dispose()


def test_every_example_has_the_same_candidates_and_answers_on_both(questions: Questions, sqlite: Engine) -> None:
    beside = Questions(sqlite)
    for slug, folder in bundle.folders(ROOT / "content"):
        for text in bundle.read(folder, slug).examples:
            assert questions.ask(text, "zh", 10) == beside.ask(text, "zh", 10)


def test_candidates_come_in_the_same_order_on_both(settings: Settings, shipped: Settings, sqlite: Engine) -> None:
    create(settings, shipped)
    server = connect(settings)
    text = "RuntimeError: CUDA out of memory while waking up the sglang engine, ray actor died"
    asked = asked_terms(parse(text), [words(text)])

    def found(engine: Engine) -> list[int]:
        with read_transaction(engine) as transaction:
            return recall.candidates(transaction, IndexCache().at(transaction), asked)

    assert found(sqlite) == found(server)
    server.dispose()
