"""What an agent is told is what REST tells the same token, over both transports; of more pastes by bench/agents.py."""

import json
from pathlib import Path

import pytest

from app.config import ROOT, Settings
from bench import servers
from bench.agents import CLOSED, OPEN, Site, ask_everywhere
from tests.conftest import create

LABELLED = (ROOT / "bench" / "labelled" / "p.jsonl").read_text(encoding="utf-8").splitlines()
PASTES = [json.loads(line) for line in LABELLED[::40]]
WAYS = {"open": len({"none", "read", "submit", "review", "admin"}) + 3, "closed": 4 + 2 + 1}


@pytest.mark.parametrize(("name", "rules"), [("open", OPEN), ("closed", CLOSED)])
def test_two_workers_and_standard_streams_answer_as_rest_does_with_a_token_of_each_scope(
    settings: Settings, shipped: Settings, tmp_path: Path, name: str, rules: dict[str, str]
) -> None:
    """Where everybody reads, and where only members do, who may also propose and report what their scope lets them."""
    create(settings, shipped)
    with servers.errdex(settings.database_url, ERRDEX_WORKERS="2", **rules) as port:
        site = Site(name, f"http://127.0.0.1:{port}", settings.database_url, str(tmp_path), rules)
        rows = ask_everywhere(site, PASTES)
    assert [(way, different) for way, _, different in rows if different] == []
    assert [equal for _, equal, _ in rows] == [len(PASTES)] * WAYS[name]
