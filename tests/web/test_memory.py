"""What a process remembers is bounded in bytes, not only in number."""

import importlib
import pkgutil
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from typing import Any

from sqlalchemy import Engine, text
from starlette.testclient import TestClient

import app
from app.config import Settings
from app.main import create_app
from app.store.engine import CACHE_MIB, SERVER_CACHE_MIB
from app.web.markdown import markdown

MANY = 60


def remembering() -> Iterator[tuple[str, Any]]:
    """Everything in the application that remembers results, by its name."""
    for found in pkgutil.walk_packages(app.__path__, "app."):
        if not found.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(found.name)).items():
                if isinstance(value, _lru_cache_wrapper) and value.__module__ == found.name:
                    yield f"{found.name}.{name}", value


def sizes() -> dict[str, int]:
    """How many results each has."""
    return {name: one.cache_info().currsize for name, one in remembering()}


def test_long_words_and_texts_are_not_remembered(client: TestClient) -> None:
    """Sixty different ones of each kind leave nothing behind."""
    before = sizes()
    for number in range(1, MANY + 1):
        long = "ValveError: " + " ".join(letter * 300 + "x" * number for letter in "kmn")
        assert client.post("/api/v1/match", json={"text": long}).status_code == 200
        assert client.get("/api/v1/search", params={"q": long}).status_code == 200
        assert client.get("/en/search", params={"q": "量" * (300 + number)}).status_code == 200
        assert markdown("x" * (16 * 1024 + number), "en")
    grown = {name: size - before[name] for name, size in sizes().items()}
    assert {name: size for name, size in grown.items() if size >= MANY} == {}


def test_a_connection_of_the_server_keeps_few_pages(settings: Settings, engine: Engine) -> None:
    """There are up to 48 of them; a command, which has one, keeps more."""
    if engine.dialect.name != "sqlite":
        return
    for used, mib in ((create_app(settings).state.services.engine, SERVER_CACHE_MIB), (engine, CACHE_MIB)):
        with used.connect() as connection:
            assert connection.execute(text("PRAGMA cache_size")).scalar_one() == -mib * 1024
        used.dispose()
