"""Each call of the page of first calls is made as it stands there, and what comes back is what the page shows."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.config import ROOT, Settings
from app.main import create_app
from tests.conftest import create, drop, make
from tests.servers import served

PAGE = ROOT / "docs" / "api-quick-start.md"
ADDRESS = "http://127.0.0.1:8000"
CALL = re.compile(r"^```bash\n([^`]*)^```\n\n```json\n([^`]*)^```$", re.MULTILINE)
CALLS = CALL.findall(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def address(shipped: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on the shipped corpus."""
    settings = make(tmp_path_factory.mktemp("served"))
    create(settings, shipped)
    with served(create_app(settings), lifespan="on") as found:
        yield found
    drop(settings)


def holds(answer: Any, shown: Any) -> bool:
    """Whether an answer has everything that is shown of it; `…` stands for any text but an empty one."""
    if isinstance(shown, dict):
        return isinstance(answer, dict) and all(key in answer and holds(answer[key], shown[key]) for key in shown)
    if isinstance(shown, list):
        # The page shows the first items of a list; a list that it shows as empty is empty.
        return isinstance(answer, list) and bool(answer) == bool(shown) and all(map(holds, answer, shown))
    return isinstance(answer, str) and answer != "" if shown == "…" else bool(answer == shown)


def test_an_answer_that_lacks_what_is_shown_does_not_pass() -> None:
    assert holds({"a": [1, 2], "b": "x"}, {"a": [1], "b": "…"})
    lacking: list[dict[str, Any]] = [{"a": []}, {"a": [2], "b": "x"}, {"a": [1], "b": ""}, {"b": "x"}]
    for answer in lacking:
        assert not holds(answer, {"a": [1], "b": "…"})
    assert not holds({"a": [1]}, {"a": []})


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_every_call_of_the_page_answers_what_stands_below_it(address: str, tmp_path: Path) -> None:
    """One shell after the other, in one folder, as somebody would who goes down the page."""
    assert len(CALLS) == 6
    env = os.environ | {"ERRDEX_URL": address, "NO_PROXY": "*"}
    for command, shown in CALLS:
        here = command.replace(ADDRESS, address)
        ran = subprocess.run(
            ["sh", "-euc", here], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=True
        )
        assert holds(json.loads(ran.stdout), json.loads(shown.replace(ADDRESS, address))), ran.stdout
