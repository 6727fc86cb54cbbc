"""The OpenAPI document: checked in, told in the manual, and true."""

import json
import os
import re
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis import settings as bounded
from schemathesis.specs.openapi.checks import positive_data_acceptance
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
    # an entry has rules that JSON Schema cannot say (a text in one language, version ranges)
    unsaid: list[schemathesis.CheckFunction] = [positive_data_acceptance] if case.path == "/api/v1/submissions" else []
    case.call_and_validate(app=client.app, excluded_checks=unsaid)
