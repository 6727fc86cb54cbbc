"""The OpenAPI document: checked in, told in the manual, and true."""

import json
import os
import re
from typing import Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis import settings as bounded
from starlette.testclient import TestClient

from app.config import ROOT

CHECKED_IN = ROOT / "docs" / "api.schema.json"
MANUAL = ROOT / "docs" / "api.md"


# a text that is too long by its schema may also be too long to be read at all
REFUSALS = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "5XX"]
CONFIGURATION = {"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}}
schema = schemathesis.openapi.from_dict(
    json.loads(CHECKED_IN.read_text(encoding="utf-8")),
    config=schemathesis.Config.from_dict(CONFIGURATION),
)


def test_the_checked_in_document_is_the_one_that_is_served(client: TestClient) -> None:
    served = json.dumps(client.get("/openapi.json").json(), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("REWRITE"):
        CHECKED_IN.write_text(served, encoding="utf-8")
    assert CHECKED_IN.read_text(encoding="utf-8") == served, "set REWRITE=1 to write it anew"


def test_every_reference_in_the_document_leads_somewhere(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert named <= set(document["components"]["schemas"])


def test_the_manual_tells_of_every_address(client: TestClient) -> None:
    manual = MANUAL.read_text(encoding="utf-8")
    told = {name.rpartition(" ")[2] for name in re.findall(r"`([^`\n]+)`", manual)}
    assert set(client.get("/openapi.json").json()["paths"]) <= told


def test_the_manual_tells_of_every_problem_that_a_route_may_answer(client: TestClient) -> None:
    told = {int(status) for status in re.findall(r"^\| (\d{3}) \|", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)}
    operations = [one for path in client.get("/openapi.json").json()["paths"].values() for one in path.values()]
    assert {int(status) for one in operations for status in one["responses"] if int(status) >= 400} <= told


def test_every_answer_has_an_example_and_its_header_fields(client: TestClient) -> None:
    """The examples are of the shape of the answer; those of problems are named by type, one for each."""
    document = client.get("/openapi.json").json()

    def looked_up(one: dict[str, Any]) -> dict[str, Any]:
        kind, name = one["$ref"].split("/")[2:]
        found: dict[str, Any] = document["components"][kind][name]
        return found

    for path, operations in document["paths"].items():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                assert {looked_up(one)["description"] for one in answer["headers"].values()}, (path, status)
                for kind, content in answer.get("content", {}).items():
                    examples = [looked_up(one)["value"] for one in content.get("examples", {}).values()]
                    examples += [content["example"]] if "example" in content else []
                    assert examples or kind == "text/markdown", (path, status)
                    for example in examples:
                        jsonschema.validate(example, document | content["schema"])
                        assert kind == "application/json" or example["status"] == int(status)


@schema.parametrize()
@bounded(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_application_does_what_its_document_says(case: schemathesis.Case[Any], client: TestClient) -> None:
    case.call_and_validate(app=client.app)


TEXT = {"title": "New", "body": "x"}
PATTERN, FRAME = "WidgetError: gasket leaked", "widget/pump.py:press"


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({"en": TEXT}, True),
        ({"zh": TEXT}, True),
        ({"en": TEXT, "zh": None}, True),
        ({"en": None, "zh": TEXT}, True),
        ({"en": TEXT, "zh": TEXT}, True),
        ({}, False),
        ({"en": None}, False),
        ({"en": None, "zh": None}, False),
        ({"en": {}, "zh": None}, False),
        ({"en": TEXT, "signatures": [{"pattern": PATTERN}, {"frame": FRAME, "weak": True}]}, True),
        ({"en": TEXT, "signatures": [{"pattern": PATTERN, "frame": None}]}, True),
        ({"en": TEXT, "signatures": [{"pattern": None, "frame": FRAME}]}, True),
        ({"en": TEXT, "signatures": [{}]}, False),
        ({"en": TEXT, "signatures": [{"weak": True}]}, False),
        ({"en": TEXT, "signatures": [{"pattern": None, "frame": None}]}, False),
        ({"en": TEXT, "signatures": [{"pattern": PATTERN, "frame": FRAME}]}, False),
        ({"en": TEXT, "signatures": [{"pattern": PATTERN, "weak": 1}]}, False),
        ({"en": TEXT, "signatures": [{"pattern": PATTERN, "unless": ["no <*> at all", f"frame:{FRAME}"]}]}, True),
        ({"en": TEXT, "signatures": [{"frame": FRAME, "unless": []}]}, True),
        ({"en": TEXT, "signatures": [{"pattern": PATTERN, "unless": ["frame:only-a-file.py"]}]}, False),
        ({"en": TEXT, "signatures": [{"pattern": PATTERN, "unless": ["ab"]}]}, False),
        ({"en": TEXT, "signatures": [{"pattern": PATTERN, "unless": ["another"] * 11}]}, False),
        ({"en": TEXT, "signatures": [{"pattern": PATTERN, "unconfirmed": "true"}]}, False),
        ({"en": TEXT, "actions": {"retryable": None}}, True),
        ({"en": TEXT, "actions": {"retryable": 0}}, False),
        ({"en": TEXT, "updated": 1_700_000_000}, False),
        ({"en": TEXT, "updated": "1700000000"}, False),
        ({"en": TEXT, "updated": "2026-11-20T00:00:00"}, False),
        ({"en": TEXT, "updated": "2026-11-31"}, False),
        ({"en": {"title": " \u200b", "body": "x"}}, False),
        ({"en": {"title": "e\u0301", "body": ""}}, True),
        ({"en": {"title": "New", "body": "\n\n"}}, True),
        ({"en": {"title": "New", "body": " \n"}}, False),
        ({"en": {"title": "New\0", "body": "x"}}, False),
        ({"en": TEXT, "examples": ["a\0b"]}, False),
        ({"en": TEXT, "titles": {"en": ["\u3000"]}}, False),
        ({"en": TEXT, "affects": {"vllm": " >=0.8, <0.10.2"}}, True),
        ({"en": TEXT, "affects": {"vllm": "0.8"}}, False),
        ({"en": TEXT, "affects": {"v\0": ""}}, False),
        ({"en": TEXT, "affects": {"vllm": ">=" + "1" * 200}}, False),
        ({"en": TEXT, "level": {"en": {"zh": "a\0"}}}, False),
        ({"en": TEXT, "pairs": [{"works": False, "versions": {"trl": "<0.17", "vllm": ">=0.8.5"}}]}, True),
        ({"en": TEXT, "pairs": [{"works": False, "versions": {"trl": "<0.17", "v llm": ">=0.8.5"}}]}, False),
        ({"en": TEXT, "pairs": [{"works": False, "versions": {"trl": "<0.17", "vllm": "new"}}]}, False),
    ],
    ids=json.dumps,
)
def test_the_document_and_the_application_agree_on_what_an_entry_is(
    empty_client: TestClient, change: dict[str, Any], fits: bool
) -> None:
    """Both OpenAPI and `errdex schema`; whoever validates before sending is told the same."""
    entry = {"slug": "verl/new", "updated": "2026-11-20"} | change
    document = json.loads(CHECKED_IN.read_text(encoding="utf-8"))
    proposed = jsonschema.Draft202012Validator(
        document | {"$ref": "#/components/schemas/Proposed"}, format_checker=jsonschema.FormatChecker()
    )
    alone = jsonschema.Draft202012Validator(
        json.loads((ROOT / "docs" / "entry.schema.json").read_text(encoding="utf-8")),
        format_checker=jsonschema.FormatChecker(),
    )
    assert proposed.is_valid({"entry": entry}) is fits
    assert alone.is_valid(entry) is fits
    assert empty_client.post("/api/v1/submissions", json={"entry": entry}).status_code == (201 if fits else 422)
