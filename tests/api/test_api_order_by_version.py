"""Of equally good entries the one whose versions the paste does not have comes second; nothing else moves."""

from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.content.schema import EntryDocument
from app.store.session import writing
from app.wiki import publishing
from tests.api.test_api_match import ask

ERROR = "WidgetError: the outer gasket of the pump leaked\n"
TWICE = [{"pattern": "WidgetError: the outer gasket of the pump leaked"}]
WEAKER = [{"pattern": "WidgetError: the outer gasket of the pump leaked <*> error"}]


def publish(engine: Engine, slug: str, signatures: list[dict[str, Any]], affects: dict[str, str], also: str) -> None:
    """Publish an entry of one message that says which releases have the problem."""
    document = EntryDocument.model_validate(
        {
            "slug": slug,
            "updated": "2026-11-20",
            "signatures": signatures,
            "affects": affects,
            "also": [also],
            "en": {"title": slug, "body": "## Fix\nx"},
        }
    )
    with writing(engine) as session:
        publishing.publish(session, document, actor="rita")


@pytest.mark.parametrize(
    ("version", "order", "verdict"),
    [
        ("vllm==0.11.0", "new old", "affected"),
        ("vllm==0.8.5", "old new", "affected"),
        # where no entry is affected, or nothing is known, the order is that without versions
        ("vllm==0.13.0", "old new", "not-affected"),
        ("vllm==0.8.5 and vllm==0.11.0", "old new", "unknown"),
        ("pip install vllm==0.11.0", "old new", "unknown"),
        ("", "old new", "unknown"),
    ],
)
def test_an_entry_that_is_not_affected_stands_behind_an_equal_one_that_is(
    empty_client: TestClient, engine: Engine, version: str, order: str, verdict: str
) -> None:
    # the order of equals ends with the slug
    publish(engine, "demo/a-old", TWICE, {"vllm": "<0.10"}, "demo/b-new")
    publish(engine, "demo/b-new", TWICE, {"vllm": ">=0.10,<0.12"}, "demo/a-old")
    matches = ask(empty_client, text=f"{ERROR}{version}").matches
    assert " ".join(match.slug.partition("-")[2] for match in matches) == order
    assert matches[0].score == matches[1].score
    assert matches[0].versions[0].verdict == verdict


def test_a_better_entry_stays_first_whatever_its_versions(empty_client: TestClient, engine: Engine) -> None:
    publish(engine, "demo/a-old", TWICE, {"vllm": "<0.10"}, "demo/b-new")
    publish(engine, "demo/b-new", WEAKER, {"vllm": ">=0.10,<0.12"}, "demo/a-old")
    matches = ask(empty_client, text=f"{ERROR}vllm==0.11.0").matches
    assert [match.slug for match in matches] == ["demo/a-old", "demo/b-new"]
    assert matches[0].score > matches[1].score
    assert matches[0].confidence == "likely"
