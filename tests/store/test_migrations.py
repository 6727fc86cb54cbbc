"""The tables are what the models say, and migrations go both ways on data."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Engine, MetaData, inspect, select, text

from app.asking import counted_pattern
from app.asking.question_service import Questions
from app.config import ROOT, Settings
from app.content.schema import EntryDocument
from app.matching.parsing.parser import parse
from app.store.engine import connect
from app.store.migrate import alembic_config, migrate, revisions
from app.store.session import writing
from app.wiki import feedback
from app.wiki.publishing import publish
from tests import askers
from tests.conftest import create
from tests.databases import fill

ENTRY = {"slug": "verl/valve", "updated": "2026-11-20", "en": {"title": "Valve", "body": "## Fix\nWait."}}


def test_the_models_and_the_migrations_agree(settings: Settings, engine: Engine) -> None:
    config = alembic_config(settings)
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.check(config)


def test_down_and_up_again_leaves_the_same_tables(settings: Settings, engine: Engine) -> None:
    before = set(inspect(engine).get_table_names())
    config = alembic_config(settings)
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        connection.commit()
        assert inspect(connection).get_table_names() == ["alembic_version"]
        connection.rollback()
    migrate(settings, engine)
    assert set(inspect(engine).get_table_names()) == before


def test_migrating_twice_changes_nothing_and_keeps_what_is_there(settings: Settings, engine: Engine) -> None:
    assert migrate(settings, engine) is None
    with engine.connect() as connection:
        assert connection.execute(text("SELECT name FROM person")).scalars().all() == ["rita"]


def test_down_and_up_over_feedback_keeps_entries_and_people(settings: Settings, engine: Engine) -> None:
    with writing(engine) as session:
        publish(session, EntryDocument.model_validate(ENTRY), actor="rita")
        feedback.say(session, "verl/valve", "somebody", "outdated", note="It has another name.")
    askers.ask(engine, counted_pattern.pattern_of(parse("ValueError: the unit has no conversion in this table")))
    config = alembic_config(settings)
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
        connection.commit()
        assert not {"feedback", "wanted"} & set(inspect(connection).get_table_names())
        connection.rollback()
    migrate(settings, engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT slug FROM entry")).scalars().all() == ["verl/valve"]
        assert connection.execute(text("SELECT name FROM person")).scalars().all() == ["rita"]
        assert connection.execute(text("SELECT count(*) FROM feedback")).scalar_one() == 0
    with writing(engine) as session:
        feedback.say(session, "verl/valve", "somebody", "solved")


Rows = dict[str, list[tuple[Any, ...]]]
VERSION = "alembic_version"
# what a revision brings to an older database, and its downgrade therefore drops; everything else stays
BRINGS: dict[str, set[str]] = {
    "0001": set(),
    "0002": {"feedback", "wanted"},
    "0003": {"sign_in_count", "known_address"},
    "0004": {"wanted_person", "wanted_released", "day_salt", "day_digest"},
    "0005": {"access_token", "one_time_link", "audit_record"},
    "0006": {"person_identity"},
    "0007": set(),
    "0008": {"team_name", "suggested_name"},
}
# the columns that a revision brings to a table that was there; they stand last in it
BRINGS_COLUMNS: dict[str, dict[str, int]] = {
    "0005": {"person": 3, "login_session": 1},
    "0007": {"revision": 1, "submission": 1},
}


@pytest.fixture
def full(settings: Settings) -> Iterator[Engine]:
    """A database with something in every table."""
    create(settings)
    engine = connect(settings)
    migrate(settings, engine)
    fill(engine)
    yield engine
    engine.dispose()


def rows(engine: Engine) -> Rows:
    """Return all rows of all tables, as the database itself knows them."""
    tables = MetaData()
    tables.reflect(engine)
    with engine.connect() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in tables.sorted_tables
            if table.name != VERSION
        }


def shortened(found: list[tuple[Any, ...]], columns: int) -> list[tuple[Any, ...]]:
    """Return rows without their last columns."""
    return sorted((row[: len(row) - columns] for row in found), key=repr)


def shape(engine: Engine) -> dict[str, Any]:
    """Return what the tables are: columns, keys, indexes, unique constraints."""
    found = inspect(engine)
    return {
        name: (
            [(one["name"], str(one["type"]), one["nullable"]) for one in found.get_columns(name)],
            sorted(found.get_pk_constraint(name)["constrained_columns"]),
            sorted(map(repr, found.get_indexes(name))),
            sorted(repr(one["column_names"]) for one in found.get_unique_constraints(name)),
            sorted(repr(one["constrained_columns"]) for one in found.get_foreign_keys(name)),
        )
        for name in found.get_table_names()
    }


def go(settings: Settings, engine: Engine, revision: str, *, down: bool = False) -> None:
    """Bring a database to a revision."""
    config = alembic_config(settings)
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(config, revision)
        connection.commit()


def test_every_revision_says_here_what_it_brings() -> None:
    assert sorted(BRINGS) == sorted(revisions())


def test_every_table_has_something_in_it(full: Engine) -> None:
    assert not [name for name, found in rows(full).items() if not found]


@pytest.mark.parametrize("revision", revisions()[1:])
def test_going_down_drops_only_what_later_revisions_brought_and_up_again_keeps_the_rest(
    settings: Settings, full: Engine, revision: str
) -> None:
    before, tables = rows(full), shape(full)
    brought = set[str]().union(*(BRINGS[later] for later in revisions() if later > revision))
    later = [columns for number, columns in BRINGS_COLUMNS.items() if number > revision]
    fewer = {name: count for columns in later for name, count in columns.items()}
    go(settings, full, revision, down=True)
    left = {name: found for name, found in before.items() if name not in brought}
    assert rows(full) == {name: shortened(found, fewer.get(name, 0)) for name, found in left.items()}
    migrate(settings, full)
    after = rows(full)
    assert {name: shortened(found, fewer.get(name, 0)) for name, found in after.items()} == {
        name: shortened(found, fewer.get(name, 0)) for name, found in (before | {name: [] for name in brought}).items()
    }
    # whoever was there before can sign in still, and keeps role and password
    assert after["person"] == before["person"]
    assert shape(full) == tables
    asked = Questions(full).ask("GreenhouseError: verl/first valve 3 is frozen")
    assert asked.matches[0].slug == "verl/first"


def test_each_step_up_from_nothing_is_undone_by_the_step_down(settings: Settings, engine: Engine) -> None:
    shapes = [shape(engine)]
    for revision in [*revisions()[1:], "base"]:
        go(settings, engine, revision, down=True)
        shapes.append(shape(engine))
    assert list(shapes[-1]) == [VERSION]
    for revision, wanted_shape in zip(revisions()[::-1], shapes[-2::-1], strict=True):
        go(settings, engine, revision)
        assert shape(engine) == wanted_shape


def test_the_command_that_the_documentation_names_goes_down(settings: Settings, full: Engine) -> None:
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    code = page.partition('.venv/bin/python -c "')[2].partition('" 0001')[0]
    env = os.environ | {"ERRDEX_DATABASE_URL": settings.database_url}
    subprocess.run([sys.executable, "-c", code, "0001"], cwd=ROOT, env=env, timeout=60, check=True)
    assert not BRINGS["0002"] & set(rows(full))
    assert migrate(settings, full) is None or settings.url.get_backend_name() == "sqlite"
