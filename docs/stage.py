"""What the scripts of this folder show: the application with the shipped corpus and one reviewer."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine

from app import sync
from app.config import ROOT, Settings
from app.people import accounts
from app.store.engine import connect
from app.store.migrate import migrate
from tests.conftest import NAME, PASSWORD


@contextmanager
def stage() -> Iterator[tuple[Settings, Engine]]:
    """Yield the settings and the engine of a database that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_url=f"sqlite:///{Path(folder) / 'errdex.db'}")
        engine = connect(settings)
        migrate(settings, engine)
        accounts.add_person(engine, NAME, PASSWORD)
        sync.ingest(engine, ROOT / "content")
        try:
            yield settings, engine
        finally:
            engine.dispose()
