"""What breaks a program that was written for the API, and what does not."""

import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from app.config import ROOT
from docs.api_contract import BASELINE, CHANGELOG, SCHEMA, Comparison, unnamed, without_words

Document = dict[str, Any]
CURRENT: Document = without_words(json.loads(SCHEMA.read_text(encoding="utf-8")))
MATCH = "/api/v1/match"


def operation(document: Document, path: str = MATCH, method: str = "post") -> Document:
    """An operation of a document."""
    found: Document = document["paths"][path][method]
    return found


def shape(document: Document, name: str) -> Document:
    """A shape of a document."""
    found: Document = document["components"]["schemas"][name]
    return found


def parameter(document: Document, name: str) -> Document:
    """A parameter of the list of entries."""
    return next(one for one in operation(document, "/api/v1/entries", "get")["parameters"] if one.get("name") == name)


BREAKS: dict[str, Callable[[Document], Any]] = {
    "an address is gone": lambda d: d["paths"].pop(MATCH),
    "a method is gone": lambda d: d["paths"]["/api/v1/entries"].pop("get"),
    "an operation has another name": lambda d: operation(d).update(operationId="ask"),
    "a parameter is gone": lambda d: operation(d, "/api/v1/entries", "get").update(parameters=[]),
    "a parameter is needed": lambda d: parameter(d, "kind").update(required=True),
    "a new parameter is needed": lambda d: operation(d)["parameters"].append(
        {"name": "who", "in": "query", "required": True, "schema": {"type": "string"}}
    ),
    "a parameter takes less": lambda d: parameter(d, "limit")["schema"].update(maximum=100),
    "a parameter takes another form": lambda d: parameter(d, "cursor")["schema"]["anyOf"][0].update(pattern="^x$"),
    "a parameter takes fewer words": lambda d: parameter(d, "kind")["schema"]["anyOf"][0].update(enum=["error"]),
    "a key of a body is gone": lambda d: shape(d, "Question")["properties"].pop("limit"),
    "a key of a body is needed": lambda d: shape(d, "Question")["required"].append("lang"),
    "a text of a body is shorter": lambda d: shape(d, "Question")["properties"]["text"].update(maxLength=10),
    "a kind of body is not taken": lambda d: operation(d)["requestBody"]["content"].pop("text/plain"),
    "a kind of answer is not given": lambda d: operation(d)["responses"]["200"]["content"].pop("text/markdown"),
    "an answer has another status": lambda d: operation(d)["responses"].pop("200"),
    "a field is gone": lambda d: shape(d, "MatchShown")["required"].remove("score"),
    "a field has another type": lambda d: shape(d, "HeadShown")["properties"]["revision"].update(type="string"),
    "a field may be null": lambda d: shape(d, "HeadShown")["properties"].update(
        title={"anyOf": [{"type": "string"}, {"type": "null"}]}
    ),
    "a field has another word": lambda d: shape(d, "HeadShown")["properties"]["kind"]["enum"].append("note"),
    "a number may be larger": lambda d: shape(d, "MatchShown")["properties"]["score"].update(maximum=1000),
}
KEEPS: dict[str, Callable[[Document], Any]] = {
    "a new address": lambda d: d["paths"].update({"/api/v1/new": {"get": operation(d)}}),
    "a new parameter": lambda d: operation(d)["parameters"].append(
        {"name": "who", "in": "query", "required": False, "schema": {"type": "string"}}
    ),
    "a parameter takes more": lambda d: parameter(d, "limit")["schema"].update(maximum=500),
    "a parameter takes another word": lambda d: parameter(d, "kind")["schema"]["anyOf"][0]["enum"].append("note"),
    "a new key of a body": lambda d: shape(d, "Question")["properties"].update(who={"type": "string"}),
    "a new field": lambda d: shape(d, "MatchShown")["properties"].update(new={"type": "string"}),
    "a field is null no more": lambda d: shape(d, "MatchShown")["properties"].update(why_not={"type": "string"}),
    "another kind of answer": lambda d: operation(d)["responses"]["200"]["content"].update(
        {"text/html": {"schema": {}}}
    ),
    "a new problem": lambda d: operation(d)["responses"].update({"410": {"content": {}}}),
    "a shape has another name": lambda d: (
        d["components"]["schemas"].update(Other=shape(d, "Question"))
        or operation(d)["requestBody"]["content"]["application/json"]["schema"].update(
            {"$ref": "#/components/schemas/Other"}
        )
    ),
}


def compared(change: Callable[[Document], Any]) -> list[tuple[str, str]]:
    """Return what breaks by a change."""
    after = deepcopy(CURRENT)
    change(after)
    return list(Comparison(CURRENT, after).breaks())


@pytest.mark.parametrize("change", BREAKS.values(), ids=BREAKS)
def test_what_breaks_a_program_is_found(change: Callable[[Document], Any]) -> None:
    assert compared(change)


@pytest.mark.parametrize("change", KEEPS.values(), ids=KEEPS)
def test_what_may_be_added_is_let_through(change: Callable[[Document], Any]) -> None:
    assert compared(change) == []


def test_words_are_no_part_of_the_promise() -> None:
    other = json.loads(SCHEMA.read_text(encoding="utf-8"))
    operation(other)["description"] = "Other words."
    assert without_words(other) == CURRENT


def test_a_break_is_let_through_where_the_change_log_names_its_path() -> None:
    after = deepcopy(CURRENT)
    BREAKS["a field has another word"](after)
    told = (
        "# Changelog\n\n## 0.2.0\n\n- **Breaking, for programs:** `GET /api/v1/entries` has notes, too.\n\n## 0.1.0\n"
    )
    assert unnamed(CURRENT, after, told) == []
    for silent in (told.replace("Breaking", "Better"), told.replace("0.2.0\n", "0.2.0\n\n- x\n\n## 0.1.9\n")):
        assert unnamed(CURRENT, after, silent)


def test_the_check_passes_and_says_what_is_wrong_where_it_does_not() -> None:
    assert (
        unnamed(json.loads(BASELINE.read_text(encoding="utf-8")), CURRENT, CHANGELOG.read_text(encoding="utf-8")) == []
    )
    done = subprocess.run(
        [sys.executable, "-m", "docs.api_contract"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
