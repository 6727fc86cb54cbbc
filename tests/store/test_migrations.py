"""The tables are what the models say, and migrations go both ways on data."""

from alembic import command
from sqlalchemy import Engine, inspect, text

from app.config import Settings
from app.store.migrate import alembic_config, migrate


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
