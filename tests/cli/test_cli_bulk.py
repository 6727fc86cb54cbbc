"""All entries out, many entries in."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.config import Settings
from app.content.schema import EntryDocument
from app.transfer.jsonl import MANY
from tests.conftest import POSTGRESQL

Run = Callable[..., Any]


def line(number: int, title: str = "It broke", **more: object) -> str:
    """One small entry as a line of JSON."""
    plain = {"slug": f"raise/{number:06d}", "updated": "2026-11-20", "en": {"title": title, "body": ""}}
    return json.dumps(plain | {"signatures": [{"pattern": f"ValueError: widget {title}"}]} | more)


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz"])
def test_an_export_imported_elsewhere_and_exported_again_is_the_same(run: Run, tmp_path: Path, name: str) -> None:
    """Lossless both ways, plain and compressed."""
    elsewhere = {"ERRDEX_DATABASE_URL": f"sqlite:///{tmp_path / 'elsewhere.db'}"}
    assert run("export", "--jsonl", tmp_path / name).exit_code == 0
    assert run("import", tmp_path / name, **elsewhere).exit_code == 0
    assert run("export", **elsewhere).stdout == run("export").stdout
    assert "unchanged" in run("import", "-", stdin=run("export").stdout).stdout


@pytest.mark.usefixtures("corpus")
def test_an_exported_folder_ingested_elsewhere_is_the_same(run: Run, tmp_path: Path) -> None:
    """As bundles, too."""
    elsewhere = {"ERRDEX_DATABASE_URL": f"sqlite:///{tmp_path / 'elsewhere.db'}"}
    assert run("export", "--folder", tmp_path / "out").exit_code == 0
    assert run("ingest", tmp_path / "out", **elsewhere).exit_code == 0
    assert run("export", **elsewhere).stdout == run("export").stdout
    assert run("export", "--folder", tmp_path / "out").exit_code == 2


def test_a_broken_line_is_named_and_skipped_and_the_others_are_taken(run: Run, tmp_path: Path) -> None:
    """Lenient in bulk."""
    source = tmp_path / "many.jsonl"
    source.write_text("\n".join((line(1), "{", line(2), line(3, slug="No Slug"), "", line(4))), encoding="utf-8")
    result = run("import", source, "--json")
    outcome = json.loads(result.stdout)
    assert result.exit_code == 1
    assert outcome["added"] == 3
    assert [broken["line"] for broken in outcome["broken"]] == [2, 4]
    assert "slug" in outcome["broken"][1]["why"]


def test_of_a_slug_that_is_repeated_the_last_good_line_wins_and_a_second_import_is_quiet(run: Run) -> None:
    """However often a file is imported."""
    lines = "\n".join((line(1, "first"), line(1, "second"), line(1, "third"), line(1, tags=["Not A Word"])))
    outcome = json.loads(run("import", "-", "--json", stdin=lines).stdout)
    assert (outcome["added"], outcome["repeated"], len(outcome["broken"])) == (1, 2, 1)
    assert run("show", "raise/000001").stdout == "# third\n\n\n"
    assert json.loads(run("import", "-", "--json", stdin=lines).stdout)["unchanged"] == 1


def test_other_content_for_a_slug_that_is_there_becomes_a_new_revision_that_is_found_by_its_new_words(
    run: Run,
) -> None:
    """An import never loses what was there."""
    run("import", "-", stdin=line(1, "gasket leaked") + "\n" + line(2, "piston stuck"))
    outcome = json.loads(run("import", "-", "--json", stdin=line(1, "bearing seized")).stdout)
    assert outcome["changed"] == 1
    assert "raise/000001" in run("match", stdin="ValueError: widget bearing seized").stdout
    assert "raise/000001" not in run("match", stdin="ValueError: widget gasket leaked").stdout.split("Related")[0]


def test_many_entries_are_taken_like_few(run: Run) -> None:
    """Other processes make them ready."""
    lines = [line(number, f"gasket {number} leaked") for number in range(MANY)]
    assert json.loads(run("import", "-", "--json", stdin="\n".join(lines)).stdout)["added"] == MANY
    lines[7] = line(7, "bearing seized")
    outcome = json.loads(run("import", "-", "--json", stdin="\n".join(lines)).stdout)
    assert (outcome["added"], outcome["changed"], outcome["unchanged"]) == (0, 1, MANY - 1)
    assert sorted(run("export").stdout.splitlines()) == sorted(map(canonical, lines))
    assert "raise/000007" in run("match", stdin="ValueError: widget bearing seized").stdout


def canonical(one: str) -> str:
    return EntryDocument.model_validate_json(one).canonical()


def test_a_withdrawn_entry_is_kept_and_not_found(run: Run) -> None:
    """Withdrawn is a state of an entry, not its end."""
    run("import", "-", stdin=line(1, "gasket leaked", status="withdrawn") + "\n" + line(2, "piston stuck"))
    assert run("match", stdin="ValueError: widget gasket leaked").exit_code == 1
    assert '"status":"withdrawn"' in run("export").stdout


def test_half_a_compressed_file_ends_with_3(run: Run, tmp_path: Path) -> None:
    """A broken download is told as such."""
    (tmp_path / "half.gz").write_bytes(gzip.compress((line(1) * 500).encode())[:200])
    result = run("import", tmp_path / "half.gz")
    assert result.exit_code == 3
    assert "gzip" in result.stderr


@pytest.mark.skipif(bool(POSTGRESQL), reason="damages the database's file")
def test_a_failed_export_leaves_the_last_good_file_alone(run: Run, tmp_path: Path, corpus: Settings) -> None:
    """A backup is not overwritten by half of one."""
    target = tmp_path / "all.jsonl"
    target.write_text("the last good one", encoding="utf-8")
    file = Path(str(corpus.url.database))
    file.write_bytes(file.read_bytes()[:8192])
    assert run("export", "--jsonl", target).exit_code == 3
    assert target.read_text(encoding="utf-8") == "the last good one"
    assert [path.name for path in tmp_path.glob(".all*")] == []


NAMES = [
    {"names": "projects", "key": "raise", "row": {"en": "Raise", "zh": "抛错", "packages": "raiser"}},
    {"names": "tags", "key": "dry", "row": {"en": "dry “x”", "zh": "干"}},
    {
        "names": "families",
        "key": "two",
        "row": {
            "question": {"en": "Which?", "zh": "哪个？"},
            "look": {"raise/000001": {"en": "a", "zh": "甲"}, "raise/000002": {"en": "b", "zh": "乙"}},
        },
    },
]


def test_names_go_out_and_come_in_beside_the_entries(run: Run, tmp_path: Path) -> None:
    lines = [json.dumps(name, ensure_ascii=False) for name in NAMES]
    given = run("import", "-", "--json", stdin="\n".join([line(1), *lines, line(2)]))
    assert (given.exit_code, json.loads(given.stdout)["names"], json.loads(given.stdout)["added"]) == (0, 3, 2)
    exported = run("export").stdout
    assert exported.splitlines()[:3] == lines
    again = run("import", "-", stdin=exported).stdout
    assert "Names" not in again
    elsewhere = {"ERRDEX_DATABASE_URL": f"sqlite:///{tmp_path / 'elsewhere.db'}"}
    assert "Names: 3." in run("import", "-", stdin=exported, **elsewhere).stdout
    assert run("export", **elsewhere).stdout == exported
    # as bundles, too
    assert run("export", "--folder", tmp_path / "out").exit_code == 0
    assert {path.name for path in (tmp_path / "out").glob("*.toml")} == {"projects.toml", "tags.toml", "families.toml"}
    third = {"ERRDEX_DATABASE_URL": f"sqlite:///{tmp_path / 'third.db'}"}
    assert run("ingest", tmp_path / "out", **third).exit_code == 0
    assert run("export", **third).stdout == exported


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ({"names": "projects", "key": "ops", "row": {"en": "Ops"}}, "zh"),
        ({"names": "colours", "key": "ops", "row": {"en": "a", "zh": "b"}}, "colours"),
        ({"names": "tags", "key": "No Key", "row": {"en": "a", "zh": "b"}}, "key"),
        ({"names": "tags", "key": "ops", "row": {"en": "a", "zh": "b"}, "more": 1}, "row"),
        ({"names": ["tags"], "key": "ops", "row": {}}, "key"),
        ({"names": "families", "key": "f", "row": {"question": {"en": "a", "zh": "b"}, "look": {}}}, "two members"),
    ],
)
def test_a_broken_line_of_a_name_is_named_too(run: Run, broken: dict[str, Any], why: str) -> None:
    result = run("import", "-", "--json", stdin="\n".join([json.dumps(broken), line(1)]))
    outcome = json.loads(result.stdout)
    assert (result.exit_code, outcome["names"], outcome["added"]) == (1, 0, 1)
    assert outcome["broken"][0]["line"] == 1
    assert why in outcome["broken"][0]["why"] or why == "colours"
