"""What is asked back when one message has several causes."""

import pytest

from app.config import ROOT
from app.content import bundle
from app.content.families import Family, asked_back, called, families

SLUGS = {slug for slug, _ in bundle.folders(ROOT / "content")}


@pytest.mark.parametrize("family", families(), ids=lambda family: family.key)
def test_a_family_asks_in_both_languages_and_knows_its_members(family: Family) -> None:
    assert set(family.question) == {"en", "zh"}
    assert len(family.look) >= 2
    assert set(family.look) <= SLUGS
    assert all(set(text) == {"en", "zh"} for text in family.look.values())


def test_a_question_is_asked_only_between_members_of_one_family() -> None:
    oom = ["skyrl/cuda-oom-training", "verl/ray-timeline", "skyrl/cuda-oom-startup"]
    found = asked_back(oom)
    assert found is not None
    assert found.key == "out-of-memory"
    assert asked_back(oom[:2]) is None
    assert asked_back(oom[:1]) is None
    assert asked_back(["verl/ray-timeline", *oom]) is None


@pytest.mark.parametrize("line", ["OOM", "CUDA OOM", "显存不足", "OutOfMemoryError"])
def test_a_short_name_calls_the_members_of_its_family(line: str) -> None:
    assert "skyrl/cuda-oom-startup" in called(line, families())


@pytest.mark.parametrize("line", ["", "CUDA", "OOM while saving a checkpoint", "memory", "RuntimeError"])
def test_a_line_that_says_more_or_less_calls_nobody(line: str) -> None:
    assert not called(line, families())
