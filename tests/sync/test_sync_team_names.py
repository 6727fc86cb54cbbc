"""The team's names go both ways between its folder and the database, name by name."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app import sync
from app.content.name_rows import NameKind, NameRow, name_row
from app.people.accounts import Who
from app.store import team_names
from app.store.session import reading, writing
from app.sync.names import look
from app.wiki import names
from tests.sync.conftest import Sync
from tests.sync.folders import A, Crash, crash_after, document, everything, publish, save

RITA = Who(1, "rita", "reviewer")
TAGS = '[dry]\nen = "dry spell"\nzh = "干旱"\n'
FAMILY = {
    "question": {"en": "Which valve?", "zh": "哪个阀门？"},
    "look": {A: {"en": "the `big` one", "zh": "大的"}, "verl/b": {"en": "the other", "zh": "另一个"}},
}


def tag(en: str, zh: str = "干旱", **more: str) -> NameRow:
    return name_row("tags", {"en": en, "zh": zh} | more)


def named(engine: Engine, kind: NameKind = "tags") -> dict[str, NameRow]:
    with reading(engine) as session:
        return {key: known.row for key, known in team_names.all_of(session, kind).items()}


def name(engine: Engine, key: str, row: NameRow, kind: NameKind = "tags") -> None:
    """Name on the site, or correct there."""
    with writing(engine) as session:
        known = team_names.one(session, kind, key)
        if known is None:
            names.add(session, RITA, kind, key, row)
        else:
            names.change(session, RITA, kind, key, row, version=known.version)


def forget(engine: Engine, key: str) -> None:
    with writing(engine) as session:
        known = team_names.one(session, "tags", key)
        assert known
        names.remove(session, RITA, "tags", key, known.version)


def write(root: Path, text: str, file: str = "tags.toml") -> None:
    root.mkdir(exist_ok=True)
    (root / file).write_text(text, encoding="utf-8")


def text(root: Path, file: str = "tags.toml") -> str:
    return (root / file).read_text(encoding="utf-8")


def test_names_of_the_site_are_written_and_come_back_in_another_database(engine: Engine, root: Path, run: Sync) -> None:
    name(engine, "dry", tag("dry spell"))
    name(engine, "ops", name_row("projects", {"en": "Ops", "zh": "运维", "packages": "ops_core"}), "projects")
    name(engine, "drip", name_row("components", {"en": 'A "drip" line', "zh": "滴灌"}), "components")
    name(engine, "valves", name_row("families", FAMILY), "families")
    done = run()
    assert done.written == ["projects.toml", "components.toml", "tags.toml", "families.toml"]
    assert text(root) == TAGS
    assert text(root, "families.toml").startswith('[valves.question]\nen = "Which valve?"\n')
    before = {kind: named(engine, kind) for kind in ("projects", "components", "tags", "families")}
    for kind, rows in before.items():
        assert look(root, kind).rows == rows  # type: ignore[arg-type]
        with writing(engine) as session:
            for key in rows:
                team_names.remove(session, kind, key)  # type: ignore[arg-type]
    shutil.rmtree(root / ".errdex")
    assert run().names == ["projects.toml: ops", "components.toml: drip", "tags.toml: dry", "families.toml: valves"]
    assert {kind: named(engine, kind) for kind in before} == before  # type: ignore[arg-type]


def test_without_names_no_file_is_made(engine: Engine, root: Path, run: Sync) -> None:
    publish(engine, document())
    run()
    assert [path.name for path in root.glob("*.toml")] == []


def test_a_name_of_the_folder_is_taken_and_the_file_keeps_its_own_form(engine: Engine, root: Path, run: Sync) -> None:
    write(root, "# ours\n" + TAGS.replace("\n", "\r\n"))
    assert run().names == ["tags.toml: dry"]
    assert named(engine) == {"dry": tag("dry spell")}
    assert text(root).startswith("# ours\n")


def test_a_correction_goes_the_way_it_came_from_neither_side(engine: Engine, root: Path, run: Sync) -> None:
    write(root, TAGS)
    run()
    name(engine, "dry", tag("drought"))
    name(engine, "wet", tag("wet", "湿"))
    assert run().written == ["tags.toml"]
    assert text(root) == '[dry]\nen = "drought"\nzh = "干旱"\n\n[wet]\nen = "wet"\nzh = "湿"\n'
    write(root, text(root).replace('"drought"', '"the drought"'))
    assert run().names == ["tags.toml: dry"]
    assert named(engine)["dry"] == tag("the drought")


def test_changed_on_both_sides_the_sites_words_stay_and_it_is_told_once(engine: Engine, root: Path, run: Sync) -> None:
    write(root, TAGS)
    run()
    write(root, TAGS.replace("dry spell", "ours"))
    name(engine, "dry", tag("theirs"))
    done = sync.mirror(engine, root)
    assert [(one.path, "dry" in one.text) for one in done.findings] == [("tags.toml", True)]
    assert named(engine) == {"dry": tag("theirs")}
    assert '"theirs"' in text(root)
    assert run().quiet


def test_changed_alike_on_both_sides_is_nothing(engine: Engine, root: Path, run: Sync) -> None:
    write(root, TAGS)
    run()
    write(root, TAGS.replace("dry spell", "same"))
    name(engine, "dry", tag("same"))
    assert run().quiet


def test_a_name_that_was_taken_out_of_the_file_is_forgotten(engine: Engine, root: Path, run: Sync) -> None:
    write(root, TAGS + '\n[wet]\nen = "wet"\nzh = "湿"\n')
    run()
    write(root, TAGS)
    assert run().names == ["tags.toml: wet"]
    assert set(named(engine)) == {"dry"}


def test_a_name_that_was_removed_on_the_site_goes_from_the_file(engine: Engine, root: Path, run: Sync) -> None:
    write(root, TAGS + '\n[wet]\nen = "wet"\nzh = "湿"\n')
    run()
    forget(engine, "wet")
    assert run().written == ["tags.toml"]
    assert text(root) == TAGS


def test_a_lost_file_takes_no_name_along_unless_that_is_meant(engine: Engine, root: Path, run: Sync) -> None:
    write(root, TAGS)
    run()
    (root / "tags.toml").unlink()
    name(engine, "wet", tag("wet"))
    assert run().kept == ["tags.toml: dry"]
    assert set(named(engine)) == {"dry", "wet"}
    run(prune=True)
    assert set(named(engine)) == {"wet"}
    assert look(root, "tags").rows == named(engine)


@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        (b'[dry]\nen = "dry', 2, "not TOML"),
        (b'[dry]\nen = "dry"\n', 1, "zh"),
        (b'[wet]\nen = "a"\nzh = "b"\n[dry]\nen = ""\nzh = "x"\n', 4, "en"),
        (b'[dry]\nen = "dry"\nzh = "x"\nsings = "x"\n', 1, "sings"),
        ('["Dry!"]\nen = "dry"\nzh = "旱"\n'.encode(), 1, "lower-case"),
        (b'[dry]\nen = "\xff"\n', 1, "UTF-8"),
        (b"".join(b'[t%d]\nen = "a"\nzh = "b"\n' % number for number in range(501)), 1, "501"),
        (b"#" * (1 << 20) + b"\n", 1, "larger"),
    ],
)
def test_a_bad_file_is_named_with_its_line_and_left_alone(
    *, engine: Engine, root: Path, run: Sync, content: bytes, line: int, told: str
) -> None:
    name(engine, "dry", tag("dry spell"))
    root.mkdir()
    (root / "tags.toml").write_bytes(content)
    findings = run().findings
    assert (findings[0].path, findings[0].line) == ("tags.toml", line)
    assert told in findings[0].text
    assert (root / "tags.toml").read_bytes() == content
    assert named(engine) == {"dry": tag("dry spell")}


def test_a_link_is_not_followed(engine: Engine, root: Path, run: Sync, tmp_path: Path) -> None:
    (tmp_path / "else.toml").write_text(TAGS, encoding="utf-8")
    root.mkdir()
    (root / "tags.toml").symlink_to(tmp_path / "else.toml")
    assert "link" in run().findings[0].text
    assert named(engine) == {}


def test_shipped_names_in_a_copied_folder_are_not_the_teams_and_stay_in_the_file(
    engine: Engine, root: Path, run: Sync
) -> None:
    from app.config import ROOT

    shipped = (ROOT / "content" / "tags.toml").read_text(encoding="utf-8")
    write(root, shipped)
    assert run().quiet
    assert named(engine) == {}
    name(engine, "dry", tag("dry spell"))
    assert run().written == ["tags.toml"]
    rows = look(root, "tags").rows
    assert len(rows) == shipped.count("\n[") + 1
    assert rows["dry"] == tag("dry spell")


def test_a_published_entry_brings_its_names_into_the_folder(engine: Engine, root: Path, run: Sync) -> None:
    save(root, document())
    run()
    name(engine, "dry", tag("dry spell"))
    sync.write_out(engine, root, [])
    assert text(root) == TAGS


@pytest.mark.parametrize("steps", range(1, 7))
def test_a_run_that_ended_half_way_is_completed_by_the_next(engine: Engine, root: Path, steps: int) -> None:
    name(engine, "wet", tag("wet", "湿"))
    write(root, TAGS)
    try:
        sync.mirror(engine, root, after_step=crash_after(steps))
    except Crash:
        sync.mirror(engine, root)
    assert named(engine) == look(root, "tags").rows == {"dry": tag("dry spell"), "wet": tag("wet", "湿")}
    before = everything(engine, root)
    assert sync.mirror(engine, root).quiet
    assert everything(engine, root) == before


def test_a_folder_that_is_only_read_names_what_the_team_has_not_named(engine: Engine, root: Path) -> None:
    write(root, TAGS)
    assert sync.ingest(engine, root).names == ["tags.toml: dry"]
    assert sync.ingest(engine, root).names == []
    name(engine, "dry", tag("corrected"))
    write(root, TAGS.replace("dry spell", "another"))
    assert sync.ingest(engine, root).names == []
    assert named(engine) == {"dry": tag("corrected")}
