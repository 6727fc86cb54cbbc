"""What tells entries apart: where a message was raised, which project is named, and what a question may not borrow."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.api import schemas
from app.config import Settings
from app.content.schema import EntryDocument
from app.main import create_app
from app.store.session import writing
from app.wiki import publishing

BODY = "## Symptom\nIt stops.\n\n## Cause\nA reason.\n\n## Fix\nMend it.\n"
WEAK = {"pattern": "TypeError: gasket indices must be integers", "weak": True}
STACK = """Traceback (most recent call last):
  File "/w/plant/main.py", line 9, in run
    step()
  File "/w/plant/boiler.py", line 33, in {function}
    gasket[x]
TypeError: gasket indices must be integers
"""
FAMILY = {"signatures": [{"pattern": "ZorbError: the valve does not close"}]}
ENTRIES: tuple[dict[str, Any], ...] = (
    {"slug": "verl/raised", "signatures": [WEAK, {"frame": "plant/boiler.py:heat", "weak": True}]},
    {"slug": "rlinf/valve", "also": ["trinity-rft/valve", "verl/valve"], **FAMILY},
    {"slug": "trinity-rft/valve", "also": ["rlinf/valve", "verl/valve"], **FAMILY},
    {"slug": "verl/valve", "also": ["rlinf/valve", "trinity-rft/valve"], **FAMILY},
    {
        "slug": "verl/turns",
        "signatures": [
            {
                "pattern": "StopTurning: the wheel has stopped",
                "unless": ["Caught StopTurning in mill <*>", "frame:plant/brake.py:pull"],
            },
            {"pattern": "the wheel has stopped", "weak": True},
        ],
    },
    {"slug": "verl/sizes", "signatures": [{"pattern": "ValueError: turbine count (<*>) must divide flange number"}]},
)


@pytest.fixture
def plant(settings: Settings, engine: Engine) -> Iterator[TestClient]:
    """The application on the entries above."""
    with writing(engine) as session:
        for values in ENTRIES:
            title = {"title": f"About {values['slug']}", "body": BODY}
            document = EntryDocument.model_validate({"updated": "2026-11-20", "en": title} | values)
            publishing.publish(session, document, actor="test")
    with TestClient(create_app(settings)) as client:
        yield client


WHEEL = """{above}Traceback (most recent call last):
  File "/w/plant/{frame}
    turn()
  File "/w/plant/wheel.py", line 8, in spin
    turn()
StopTurning: the wheel has stopped
{below}"""
SPUN = 'main.py", line 2, in run'


def ask(client: TestClient, text: str) -> schemas.AnswerShown:
    return schemas.AnswerShown.model_validate(client.post("/api/v1/match", json={"text": text}).json())


def test_a_weak_message_that_was_raised_in_a_weak_frame_is_an_answer(plant: TestClient) -> None:
    found = ask(plant, STACK.format(function="heat"))
    assert [(match.slug, match.confidence) for match in found.matches] == [("verl/raised", "likely")]
    met = next(reason for reason in found.matches[0].reasons if reason.key == "met")
    assert len(met.spans) == 2
    # neither of them alone is
    assert not ask(plant, STACK.format(function="cool")).matches
    assert not ask(plant, STACK.format(function="heat").replace("TypeError: gasket", "TypeError: sprocket")).matches


@pytest.mark.parametrize(
    ("around", "first"),
    [
        ("", "rlinf/valve"),
        ("trinity run --config x.yaml\n", "trinity-rft/valve"),
        ("we use verl here, and then:\n", "verl/valve"),
        # the others are built on verl, and their stacks say so
        ('trinity run --config x.yaml\n  File "/w/verl/a.py", line 3, in f\n', "trinity-rft/valve"),
        ("trinity or rlinf, both stop:\n", "rlinf/valve"),
    ],
)
def test_of_equal_entries_that_of_the_named_project_comes_first(plant: TestClient, around: str, first: str) -> None:
    found = ask(plant, f"{around}ZorbError: the valve does not close\n")
    assert found.matches[0].slug == first
    named = [match.slug for match in found.matches if any(reason.key == "project" for reason in match.reasons)]
    assert named == ([first] if around and "or rlinf" not in around else [])


def test_a_question_is_not_answered_by_half_of_a_message(plant: TestClient) -> None:
    found = ask(plant, "why does the turbine count have to do with flange pipes of the plant?")
    assert all(reason.key != "message-partly" for match in (*found.matches, *found.related) for reason in match.reasons)


def test_no_later_answer_is_surer_than_the_first(client: TestClient) -> None:
    for text in (
        "CUDA out of memory",
        "sglang 输出全是感叹号 !!!!!!!! 换 triton 正常",
        "batch size 怎么设置，有什么关系",
    ):
        sure = [match.confidence for match in ask(client, text).matches]
        assert sure == sorted(sure, key=("high", "likely", "low").index)


@pytest.mark.parametrize("title", ["[Bug]: AsyncLLM sleep then wake_up produces meaningless outputs"])
def test_the_title_of_an_issue_is_a_question(client: TestClient, title: str) -> None:
    assert ask(client, title).matches[0].slug == "skyrl/kv-cache-corrupted-wake-up"


def test_an_arrow_error_is_an_error(client: TestClient) -> None:
    found = ask(client, "pyarrow.lib.ArrowInvalid: cannot mix struct and non-struct, non-null values")
    assert [error.type for error in found.report.errors] == ["ArrowInvalid"]


def test_output_that_repeats_itself_is_answered_without_any_message(client: TestClient) -> None:
    said = "To find the speed, we divide. " * 8
    found = ask(client, f"# 3\n{said}")
    assert found.matches[0].slug == "skyrl/repetitive-outputs"
    (reason,) = found.matches[0].reasons
    assert reason.key == "repeated"
    assert reason.spans == [(4, 3 + len(said))]


@pytest.mark.parametrize(
    ("paste", "struck_by"),
    [
        (WHEEL.format(above="", frame=SPUN, below=""), ""),
        # a frame of the same name elsewhere, and words that say less
        (WHEEL.format(above="", frame='rope/brake.py", line 2, in pull', below=""), ""),
        (WHEEL.format(above="", frame=SPUN, below="RuntimeError: Caught another one\n"), ""),
        # another failure shows it
        (
            WHEEL.format(above="", frame=SPUN, below="")
            + "\n" * 3
            + "".join(f"{minute:02d}:00 turning\n" for minute in range(30))
            + "ZorbError: Caught StopTurning in mill 3 of 4\n",
            "",
        ),
        (WHEEL.format(above="", frame='brake.py", line 2, in pull', below=""), "frame:plant/brake.py:pull"),
        (
            WHEEL.format(above="StopTurning: Caught StopTurning in mill 3 of 4\nOriginal ", frame=SPUN, below=""),
            "Caught",
        ),
    ],
)
def test_what_a_signature_excludes_strikes_it_in_the_same_failure(
    plant: TestClient, paste: str, struck_by: str
) -> None:
    found = ask(plant, paste)
    if not struck_by:
        assert [match.slug for match in found.matches] == ["verl/turns"]
        assert "unless" not in [reason.key for reason in found.matches[0].reasons]
        return
    assert not found.matches
    related = next(match for match in found.related if match.slug == "verl/turns")
    reason = next(reason for reason in related.reasons if reason.key == "unless")
    assert struck_by in reason.text
    assert (reason.contribution, bool(reason.spans)) == (0, True)
