"""Whoever asks, however they ask: the answer is the same. All pastes of a file: `python -m bench.faces FILE`."""

import json
import sys

import pytest

from app.config import ROOT, Settings
from bench.faces import compare, faces, rest
from tests.clients.conftest import CLIENT_PYTHON
from tests.conftest import create

LABELLED = (ROOT / "bench" / "labelled" / "p.jsonl").read_text(encoding="utf-8").splitlines()
SECRET = (
    "logged in as mail@some.one with hf_abcdefghijklmnopqrstuvwxyzABCDEFGH, token=hf_abcdefghijklmnopqrstuvwxyzABC\n"
)
PASTES = [json.loads(line) for line in LABELLED[::16]]
PASTES.append(PASTES[0] | {"text": SECRET + PASTES[0]["text"]})
PYTHONS = dict.fromkeys((sys.executable, CLIENT_PYTHON))


@pytest.fixture
def database_url(settings: Settings, shipped: Settings) -> str:
    """A database of the shipped entries, beside that of the server."""
    create(settings, shipped)
    return settings.database_url


def test_every_face_gives_the_answer_of_rest(address: str, database_url: str) -> None:
    """As JSON and in words: the command line on a database and at a server, and the light client on each Python."""
    differ = {
        name: compare(face, rest(address, masked=not is_local), PASTES)
        for name, (face, is_local) in faces(address, database_url, list(PYTHONS)).items()
    }
    assert [name for name, numbers in differ.items() if numbers] == []
    assert len(differ) == 2 + len(PYTHONS)
