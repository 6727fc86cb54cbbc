"""Wrappers: what they pass on is the cause, and an entry about the wrapper alone does not answer it.

`wrapped.txt` holds pastes of a wrapper and what it wraps, which no entry explains; `=== name` begins one.
"""

from pathlib import Path

import pytest

from app.asking.question_service import Questions
from app.config import ROOT
from app.content import bundle
from app.matching.text.rules import listed

PASTES = (Path(__file__).parent / "wrapped.txt").read_text("utf-8").removeprefix("=== ").split("\n=== ")
# the entries about nothing but a wrapper: where the log of what it wraps lies
WRAPPERS = (
    "areal/server-launch-failed",
    "areal/worker-failed",
    "pytorch/torchrun-child-failed",
    "ray/task-error-wrapper",
    "sglang/scheduler-died",
    "trinity-rft/error-in-trainer-or-explorer",
    "vllm/engine-core-failed",
    "vllm/engine-dead",
)


def test_all_pastes_are_read() -> None:
    assert len(PASTES) == 22


@pytest.mark.parametrize("paste", PASTES, ids=[paste.partition("\n")[0] for paste in PASTES])
def test_a_wrapper_does_not_answer_for_what_it_wraps(questions: Questions, paste: str) -> None:
    """Nothing else answers it either: what it wraps is in no entry."""
    assert [match.slug for match in questions.ask(paste.partition("\n")[2]).matches] == []


@pytest.mark.parametrize("slug", WRAPPERS)
def test_every_pattern_of_a_wrappers_entry_is_known_as_a_wrappers(slug: str) -> None:
    patterns = [one.pattern for one in bundle.read(ROOT / "content" / slug, slug).signatures if one.pattern]
    assert [one for one in patterns if not listed("wrappers.txt").fits(one.replace("<*>", "1"))] == []
