"""How long a PostgreSQL server is waited for: by whom, and what an address can change."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Engine, make_url, text

from app.config import Settings
from app.errors import Unavailable
from app.store.engine import connect
from app.store.postgresql import LEAST_SECONDS, PATIENCE, limit_statements
from app.store.session import read_transaction, reading, writing
from tests.conftest import POSTGRESQL

pytestmark = [pytest.mark.database, pytest.mark.skipif(not POSTGRESQL, reason="PostgreSQL only")]
Made = Callable[..., Engine]


@pytest.fixture
def made() -> Iterator[Made]:
    """Make an engine on the maintenance database, limited to `seconds` a request if given; words of its address."""
    engines: list[Engine] = []

    def _made(seconds: float | None = None, **words: str) -> Engine:
        url = make_url(POSTGRESQL).update_query_dict(words)
        engines.append(connect(Settings(database_url=url.render_as_string(hide_password=False))))
        if seconds is not None:
            limit_statements(engines[-1], seconds)
        return engines[-1]

    yield _made
    for engine in engines:
        engine.dispose()


def parameters(engine: Engine) -> dict[str, str]:
    """The parameters that a connection was made with."""
    with engine.connect() as connection:
        raw = connection.connection.dbapi_connection
        assert raw is not None
        return dict(raw.info.get_parameters())


def limit_of(engine: Engine) -> str:
    """The longest that the server lets a statement take."""
    with reading(engine) as session:
        return str(session.execute(text("SHOW statement_timeout")).scalar_one())


def test_a_silent_host_is_given_up_unless_the_address_says_otherwise(made: Made) -> None:
    usual = parameters(made())
    assert {name: usual[name] for name in PATIENCE} == {name: str(value) for name, value in PATIENCE.items()}
    own = parameters(made(connect_timeout="17", tcp_user_timeout="0"))
    assert (own["connect_timeout"], own["tcp_user_timeout"]) == ("17", "0")
    assert own["keepalives_idle"] == str(PATIENCE["keepalives_idle"])


def test_statements_of_the_server_are_limited_and_those_of_commands_are_not(made: Made) -> None:
    assert limit_of(made(30)) == "15s"
    assert limit_of(made()) == "0"
    assert limit_of(made(30, options="-c statement_timeout=3s")) == "3s"


def test_a_statement_that_takes_too_long_is_unavailable_and_the_next_is_answered(made: Made) -> None:
    engine = made(0)
    slow = f"SELECT pg_sleep({LEAST_SECONDS * 4})"
    with pytest.raises(Unavailable), reading(engine) as session:
        session.execute(text(slow))
    with pytest.raises(Unavailable), read_transaction(engine) as store:
        store.select(slow)
    with writing(engine) as session:
        assert session.execute(text("SELECT 1")).scalar_one() == 1


def test_a_server_that_does_not_keep_its_own_limit_is_left(made: Made) -> None:
    """As one does that was stopped: the address takes the limit away that it would keep."""
    engine = made(0, options="-c statement_timeout=0")
    with pytest.raises(Unavailable), reading(engine) as session:
        session.execute(text(f"SELECT pg_sleep({LEAST_SECONDS * 4})"))
    with reading(engine) as session:
        assert session.execute(text("SELECT 1")).scalar_one() == 1


def test_without_a_free_connection_a_request_is_unavailable(made: Made) -> None:
    engine = made()
    taken = [engine.connect() for _ in range(32)]
    with pytest.raises(Unavailable), read_transaction(engine):
        pass
    for connection in taken:
        connection.close()
    with read_transaction(engine) as store:
        assert store.select("SELECT 1") == [(1,)]
