"""The tables are what the models say, and migrations go both ways on data."""

from alembic import command
from sqlalchemy import Engine, inspect, text

from app import feedback, wanted
from app.config import Settings
from app.content.schema import EntryDocument
from app.matching.report import parse
from app.store.migrate import alembic_config, migrate
from app.store.session import writing
from app.wiki import publish

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
    wanted.count(engine, {wanted.pattern_of(parse("GreenhouseValveError: the valve has frozen shut over night")): 1})
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
