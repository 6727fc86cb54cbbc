"""What of an entry's text stands beside an answer: the cause and the first steps, cut where a block ends."""

import pytest
from starlette.testclient import TestClient

from app.asking.answer_text import LONGEST, beginning, fix_of
from app.config import ROOT

SLUG = "skyrl/cuda-reinit-forked-subprocess"
PASTE = (ROOT / "content" / SLUG / "examples" / "dataloader.txt").read_text(encoding="utf-8")
LONG = "b" * LONGEST
CODE = "```bash\n" + "export A=1\n\n" * 30 + "```"


@pytest.mark.parametrize(
    ("body", "cause", "steps", "more"),
    [
        ("## Symptom\n\nx\n\n## Cause\n\nFork.\n\n## Fix\n\nSpawn.\n\n## Check\n\ny", "Fork.", "Spawn.", False),
        ("## 现象\n\nx\n\n## 原因\n\n分叉。\n\n## 修复\n\n改用 spawn。", "分叉。", "改用 spawn。", False),
        ("## Question\n\nx?\n\n## Answer\n\nYes.", "", "Yes.", False),
        ("Just this.\n\n## Another heading\n\nAnd that.", "", "Just this.\n\n## Another heading\n\nAnd that.", False),
        (f"## Cause\n\nx\n\n## Fix\n\n1. {LONG}\n2. c", "x", f"1. {LONG}", True),
    ],
)
def test_cause_and_steps_are_those_sections_of_either_language(body: str, cause: str, steps: str, more: bool) -> None:
    assert fix_of(body) == {"cause": cause, "steps": steps, "more": more}


@pytest.mark.parametrize("paragraphs", [1, 3, 40])
def test_a_long_section_ends_with_a_whole_block(paragraphs: int) -> None:
    text = "\n\n".join(f"{number}. step\n{CODE}" for number in range(paragraphs))
    kept = beginning(text)
    assert text.startswith(kept)
    assert kept.count("```") % 2 == 0
    assert len(kept) <= 2 * LONGEST
    assert (kept == text) == (paragraphs <= 3)


def test_the_fix_comes_with_the_answer_when_it_is_asked_for(client: TestClient) -> None:
    """Over REST as JSON in either kind of body, or as markdown; not unless it is asked for."""
    plain = client.post("/api/v1/match", content=PASTE, headers={"content-type": "text/plain"}).json()
    assert "fix" not in plain["matches"][0]
    asked = client.post(
        "/api/v1/match?include=fix&lang=zh", content=PASTE, headers={"content-type": "text/plain"}
    ).json()
    fix = asked["matches"][0]["fix"]
    assert "fork" in fix["cause"]
    assert "VLLM_WORKER_MULTIPROC_METHOD" in fix["steps"]
    assert client.post("/api/v1/match", json={"text": PASTE, "lang": "zh", "include": "fix"}).json() == asked
    assert all("fix" not in match for match in asked["related"])
    answer = client.post("/api/v1/match?lang=zh", json={"text": PASTE}, headers={"accept": "text/markdown"})
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert fix["steps"] in answer.text
    assert asked["matches"][0]["url"] in answer.text
    none = client.post("/api/v1/match", json={"text": "zzyzx"}, headers={"accept": "text/markdown"})
    assert none.text == "No known entry.\n"
    both = client.post("/api/v1/match", json={"text": "x"}, headers={"accept": "application/json, text/markdown"})
    assert both.headers["content-type"] == "application/json"
    assert client.post("/api/v1/match?include=all", json={"text": "x"}).status_code == 422
