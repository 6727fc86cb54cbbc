"""`errdex eval` on a guide of four entries; every figure is worked out by hand from what the cases are."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.content import bundle
from app.content.schema import EntryDocument

Run = Callable[..., Any]
GASKET = "WidgetError: gasket leaked near the third pump"
VALVE = "ValveError: valve frozen shut since winter began"
PIPE = "PipeError: conduit burst below the old cellar"
TAP = "TapError: faucet dripping into a silver bowl"
STRANGE = "GreenhouseError: tomatoes ripened without permission"
SIGNATURES: dict[str, dict[str, Any]] = {
    "demo/gasket": {"pattern": GASKET},
    "demo/valve": {"pattern": VALVE},
    # supports an answer and never carries one: related
    "demo/pipe": {"pattern": PIPE, "weak": True},
    # no release is known to print it: likely, never high
    "demo/tap": {"pattern": TAP, "weak": True, "unconfirmed": True},
}
CASES = [
    {"id": "right", "text": GASKET, "expect": "demo/gasket"},
    {"id": "one of several", "text": GASKET, "expect": ["demo/tap", "demo/gasket"], "lang": "zh"},
    {"id": "likely", "text": TAP, "expect": ["demo/tap"]},
    {"id": "related only", "text": PIPE, "expect": ["demo/pipe"]},
    {"id": "wrong, right second", "text": f"{GASKET}\n{VALVE}", "expect": ["demo/valve"], "lang": "zh"},
    {"id": "not found", "text": STRANGE, "expect": ["demo/gasket"]},
    {"id": "rightly silent", "text": STRANGE, "expect": []},
    {"id": "silent, with something related", "text": PIPE, "expect": []},
    {"id": "answered in vain", "text": GASKET, "expect": [], "lang": "zh"},
]
# Six cases have an answer and three have none. Answered rightly: the first three, 3/6. Right on the first place, answer
# or related: the first four, 4/6; among three also "wrong, right second", 5/6, which is the only wrong one, 1/6.
# "answered in vain" is the one of three that is false.
# Top scores: G (gasket) > T (tap) > P (pipe) > 0; with an answer G G T P G 0, without 0 P G. Each G wins over 0 and P
# and ties with G (2.5), T wins over two (2), P over one and ties with one (1.5), 0 ties with one (0.5): 11.5 of 18.
# High: "right", "one of several" and "answered in vain", 2 of 3 right. Likely: "likely", and "wrong, right second",
# whose first answer does not lead by enough, 1 of 2 right.
ALL = {
    "positives": 6,
    "negatives": 3,
    "answered@1": 0.5,
    "found@1": 0.667,
    "found@3": 0.833,
    "wrong": 0.167,
    "false": 0.333,
    "auc": 0.639,
    "high": 3,
    "high right": 0.667,
    "likely": 2,
    "likely right": 0.5,
}
# of these, "one of several", "wrong, right second" and "answered in vain": tops G G against G
CHINESE = {
    "positives": 2,
    "negatives": 1,
    "answered@1": 0.5,
    "found@1": 0.5,
    "found@3": 1.0,
    "wrong": 0.5,
    "false": 1.0,
    "auc": 0.5,
    "high": 2,
    "high right": 0.5,
    "likely": 1,
    "likely right": 0.0,
}


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    """The folder of the four entries."""
    for slug, signature in SIGNATURES.items():
        text = {"title": slug.partition("/")[2].title(), "body": "It is old."}
        plain = {"slug": slug, "updated": "2026-11-20", "signatures": [signature], "en": text}
        bundle.write(tmp_path / "guide" / slug, EntryDocument.model_validate(plain))
    return tmp_path / "guide"


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """The file of the cases."""
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in CASES), encoding="utf-8")
    return path


def test_the_figures_are_those_that_are_counted_by_hand(run: Run, guide: Path, labelled: Path) -> None:
    found = run("eval", labelled, "--content", "--json", "--shape", "--projects", ERRDEX_CONTENT=str(guide))
    assert found.exit_code == 0
    figures = json.loads(found.stdout)
    assert list(figures) == ["all", "demo", "lang=zh"]
    assert figures["all"] == ALL
    assert figures["lang=zh"] == CHINESE
    # a project is that of the first right slug, so it has no cases without an answer
    assert {name: figures["demo"][name] for name in ("positives", "negatives", "answered@1", "false", "auc")} == {
        "positives": 6,
        "negatives": 0,
        "answered@1": 0.5,
        "false": None,
        "auc": None,
    }


def test_the_table_has_the_same_figures(run: Run, guide: Path, labelled: Path) -> None:
    shown = run("eval", labelled, "--content", ERRDEX_CONTENT=str(guide)).stdout
    assert "".join(shown.split()).endswith("".join(str(value) for value in ALL.values()))


def test_what_went_wrong_is_written_down(run: Run, guide: Path, labelled: Path, tmp_path: Path) -> None:
    misses = tmp_path / "misses.txt"
    run("eval", labelled, "--content", "--misses", misses, ERRDEX_CONTENT=str(guide))
    text = misses.read_text(encoding="utf-8")
    wrong = ("related only", "wrong, right second", "not found", "answered in vain")
    assert [head.partition(" expect=")[0] for head in text.split("##### ")[1:]] == list(wrong)
    assert VALVE in text


def test_the_configured_database_is_measured_unless_the_folder_is_asked_for(
    run: Run, guide: Path, labelled: Path
) -> None:
    run("ingest", guide)
    found = run("eval", labelled, "--json")
    assert json.loads(found.stdout) == {"all": ALL}


@pytest.mark.parametrize("broken", ['{"text": "no expect"}', '{"expect": []}', "[]", "{", '{"text": "x", "expect": 1}'])
def test_a_line_that_is_no_case_is_named(run: Run, guide: Path, labelled: Path, broken: str) -> None:
    text = labelled.read_text(encoding="utf-8")
    labelled.write_text(f"{text}\n{broken}\n", encoding="utf-8")
    found = run("eval", labelled, "--content", ERRDEX_CONTENT=str(guide))
    assert found.exit_code == 3
    assert f"{labelled}: line {len(CASES) + 2}: not a case" in found.stderr
