"""What every test stands on: a real database in a temporary folder, and the application over HTTP."""

import fcntl
import itertools
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import Engine, create_engine, event, make_url, text
from starlette.testclient import TestClient

from app import sync
from app.asking.question_service import Questions
from app.config import ROOT, Settings
from app.main import create_app
from app.store.engine import connect
from app.store.migrate import migrate
from app.store.people_tables import Person
from app.store.session import writing

pytest_plugins = ["tests.databases", "tests.servers"]
NAME, PASSWORD = "rita", "correct horse battery"


# a submission is judged by the same examples each time; at a desk every run tries others
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis.settings.register_profile("desk", deadline=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") == "true" else "desk")

# the names by which tests reach the application: that of Starlette's test client, and of a host in an office
os.environ["ERRDEX_HOSTS"] = "testserver, errdex, errdex.lan"

# the address of a PostgreSQL server's maintenance database: then every test has a database there instead of a file
POSTGRESQL = os.environ.get("ERRDEX_TEST_POSTGRESQL", "")
# databases on the server are named after the run, which all of its processes share, and numbered by each process
RUN = os.environ.setdefault("ERRDEX_TEST_RUN", uuid.uuid4().hex[:8])
_numbers = itertools.count()
# What a password is kept as says how much work it is to compare with: for people of tests as little as there can be.
_hasher = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)])


# Who has one of these fixtures, however far away, has a database, and is run on PostgreSQL too.
DATABASES = {"settings", "shipped", "blank", "place"}
_running: list[pytest.Item] = []
_unmarked: set[str] = set()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that have a database."""
    for item in items:
        if DATABASES & set(getattr(item, "fixturenames", ())) or item.get_closest_marker("faults"):
            item.add_marker("database")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note which test is running."""
    _running[:] = [item]


@event.listens_for(Engine, "do_connect")
def _note_unmarked(*_connection: object) -> None:
    for item in _running:
        if not item.get_closest_marker("database"):
            _unmarked.add(item.nodeid)


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Fail a test that opened a database and does not say so: it would never be run on PostgreSQL."""
    if item.nodeid in _unmarked:
        pytest.fail("opened a database without a fixture that marks it: pytestmark = pytest.mark.database")


def make(folder: Path) -> Settings:
    """Settings for a database of its own: a file in `folder`, or one on the PostgreSQL server under test."""
    if not POSTGRESQL:
        return Settings(database_url=f"sqlite:///{folder / 'errdex.db'}")
    return _on_server(f"{os.getpid()}_{next(_numbers)}")


def _on_server(name: str) -> Settings:
    url = make_url(POSTGRESQL).set(database=f"errdex_test_{RUN}_{name}")
    return Settings(database_url=url.render_as_string(hide_password=False))


def on_server(statement: str) -> None:
    """Run a statement on the maintenance database of the PostgreSQL server under test."""
    engine = create_engine(POSTGRESQL, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


def create(settings: Settings, template: Settings | None = None) -> None:
    """Create the database of a test, empty or as a copy of another one."""
    if POSTGRESQL:
        of = f" TEMPLATE {template.url.database} STRATEGY FILE_COPY" if template else ""
        on_server(f"CREATE DATABASE {settings.url.database}{of}")
    elif template:
        shutil.copy(str(template.url.database), str(settings.url.database))


def drop(settings: Settings) -> None:
    """Drop the database of a test; a file goes with its folder."""
    if POSTGRESQL:
        on_server(f"DROP DATABASE IF EXISTS {settings.url.database} WITH (FORCE)")


def add_person(engine: Engine, name: str, password: str, role: str = "reviewer") -> None:
    """Create a person whose password takes no time to compare."""
    with writing(engine) as session:
        session.add(Person(name=name, password=_hasher.hash(password), role=role))


def made_once(factory: pytest.TempPathFactory, name: str, fill: Callable[[Engine], object]) -> Settings:
    """Return a migrated and filled database for tests to copy; the first process of the run that needs it makes it."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        # the folder of all workers
        folder = folder.parent
    settings = _on_server(name) if POSTGRESQL else Settings(database_url=f"sqlite:///{folder / name}.db")
    with (folder / f"{name}.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.fstat(lock.fileno()).st_size:
            create(settings)
            engine = connect(settings)
            migrate(settings, engine)
            fill(engine)
            engine.dispose()
            lock.write("made\n")
    return settings


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Drop what the run made once on the server, when all of its processes have ended."""
    if POSTGRESQL and not hasattr(session.config, "workerinput"):
        for name in ("blank", "shipped"):
            drop(_on_server(name))


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A migrated database with one reviewer in it, made once; tests copy it."""
    return made_once(tmp_path_factory, "blank", lambda engine: add_person(engine, NAME, PASSWORD))


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A database with the shipped corpus and one reviewer, made once; tests copy it."""

    def fill(engine: Engine) -> None:
        add_person(engine, NAME, PASSWORD)
        outcome = sync.ingest(engine, ROOT / "content")
        assert not outcome.findings, outcome.findings

    return made_once(tmp_path_factory, "shipped", fill)


@pytest.fixture(scope="session")
def questions(shipped: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Questions]:
    """The question service on the shipped corpus, read only."""
    settings = make(tmp_path_factory.mktemp("questions"))
    create(settings, shipped)
    engine = connect(settings)
    yield Questions(engine)
    engine.dispose()
    drop(settings)


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """Settings for a database of this test alone, not yet made."""
    settings = make(tmp_path)
    yield settings
    drop(settings)


@pytest.fixture
def engine(settings: Settings, blank: Settings) -> Iterator[Engine]:
    """A database without entries, migrated, with one reviewer in it."""
    create(settings, blank)
    engine = connect(settings)
    yield engine
    engine.dispose()


@pytest.fixture
def empty_client(settings: Settings, engine: Engine) -> Iterator[TestClient]:
    """The application on an empty, migrated database."""
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(settings: Settings, shipped: Settings) -> Iterator[TestClient]:
    """The application on the shipped corpus."""
    create(settings, shipped)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def sign_in(client: TestClient) -> TestClient:
    """Sign the test's reviewer in through the form."""
    answer = client.post("/en/sign-in", data={"name": NAME, "password": PASSWORD}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return client


@pytest.fixture
def reviewer(client: TestClient) -> TestClient:
    """The application on the shipped corpus, with a reviewer signed in."""
    return sign_in(client)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file below the test's folder and return its path."""

    def _write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return _write
