"""`errdex serve`: migrate, ingest, listen."""

import errno
import gc
import math
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

from sqlalchemy import Engine

from app import sync
from app.asking import unanswered
from app.cli import worker_metrics
from app.cli.addresses import address
from app.cli.corpus import summary
from app.cli.database import connected, settings, upgrade
from app.cli.exits import UNREACHABLE, Stop, told
from app.cli.output import findings, note, progress, say
from app.cli.reference import shown
from app.cli.start_notes import start_notes
from app.cli.syncing import sync_at_start
from app.config import Settings
from app.errors import Unavailable
from app.people import accounts, members
from app.store import entries, people
from app.store.errors import DamagedDatabase
from app.store.session import reading, writing
from app.transfer.parallel import end_with_parent
from app.web.middleware import App

FACTORY = "app.cli.serve:application"
# Workers count into files in the folder that this variable names, see app.web.metrics.
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
GRACE_SECONDS = 5
TAKEN_SECONDS = 5


def serve() -> None:
    """Serve the site and the API.

    Makes or upgrades the database and ingests the content folder first, then syncs the team's folder (ERRDEX_MIRROR) if
    there is one. Address, port and number of workers are ERRDEX_HOST, ERRDEX_PORT and ERRDEX_WORKERS.
    """
    found = settings()
    for sentence in start_notes(found, os.environ):
        note(sentence)
    with listening(found) as listener:
        engine = connected(found)
        try:
            upgrade(found, engine)
            _ingest(found, engine)
            sync_at_start(found, engine)
            _hole_wanted(engine)
            _key(found, engine)
            first_admin = _first_admin(engine)
        finally:
            engine.dispose()
        if first_admin:
            # The link is printed on standard output and nowhere else, for it makes whoever reads it an admin.
            say(f"There is no admin yet. Become one within 24 hours: {address(found)}/en/join/{first_admin}")
        say(f"The database is {shown('database_url', found.url.render_as_string(hide_password=False))}")
        say(f"Errdex is at {address(found)} (Ctrl-C ends it)")
        with _counted_together(found.workers):
            _run(found, listener)


def application() -> App:
    """Return the application of the environment's settings with its access log; uvicorn calls it in every worker."""
    from app.logs import begin
    from app.main import create_app
    from app.web.access_log import AccessLog

    found = Settings()
    begin(found.log_level)
    # Workers whose supervisor was killed would keep the port, and the next `errdex serve` could not start.
    end_with_parent(signal.SIGTERM)
    if made := os.environ.get(METRICS_FOLDER):
        worker_metrics.hold(Path(made))
    app = create_app(found)
    # What was imported and built stays as long as the process, and looking through it for cycles would take 60 ms each
    # time.
    gc.collect()
    gc.freeze()
    return AccessLog(cast(App, app))


def listening(found: Settings) -> socket.socket:
    """Return a socket that is bound to the configured address; bound first, so that a taken port is told at once.

    Raises `Stop` when the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in found.host else socket.AF_INET
    # Without the protocol asyncio would not recognise TCP, and would leave delayed sending switched on.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bind(listener, found)
        # From here on connections wait for the workers, so the address that is printed can be opened at once.
        listener.listen(2048)
        listener.set_inheritable(True)
    except OSError as error:
        listener.close()
        text = f"cannot listen on {found.host}:{found.port}: {error.strerror}. Set ERRDEX_HOST and ERRDEX_PORT."
        raise Stop(UNREACHABLE, text) from error
    return listener


def _bind(listener: socket.socket, found: Settings) -> None:
    """Bind to the configured address; wait a moment for a server that was killed and whose workers end just now."""
    until = time.monotonic() + TAKEN_SECONDS
    while True:
        try:
            return listener.bind((found.host, found.port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise
        time.sleep(0.1)


def _key(found: Settings, engine: Engine) -> None:
    try:
        accounts.signing_key(engine, found.secret_key.get_secret_value())
    except DamagedDatabase:
        raise
    except Unavailable as error:
        text = "the database has no secret key yet and takes none. Make it writable once, or set ERRDEX_SECRET_KEY."
        raise Stop(UNREACHABLE, text) from error


def _first_admin(engine: Engine) -> str:
    """Return the token of a link for the first admin, which takes the place of earlier ones; empty when there is one.

    A database that takes nothing just now gets none.
    """
    with reading(engine) as session:
        if people.has_active_admin(session):
            return ""
    try:
        with writing(engine) as session:
            return members.make_link(session, "admin", by=0)
    except DamagedDatabase:
        raise
    except Unavailable:
        return ""


def _ingest(found: Settings, engine: Engine) -> None:
    root = found.content_folder
    if not root.is_dir():
        note(f"There is no content folder at {root}; serving what the database holds.")
        return
    with progress("Ingesting") as advance:
        try:
            outcome = sync.ingest(engine, root, progress=advance)
        except DamagedDatabase:
            raise
        except (OSError, Unavailable) as error:
            _go_on(engine, root, error)
            return
    findings(outcome.findings)
    say(summary(outcome))


def _hole_wanted(engine: Engine) -> None:
    """Take private words out of the patterns that an earlier version kept; a database that takes nothing keeps them."""
    try:
        unanswered.hole_again(engine)
    except DamagedDatabase:
        raise
    except Unavailable as error:
        note(f"Errors without an entry were not brought into today's form: {told(error)[1].rstrip('.')}.")


def _go_on(engine: Engine, root: Path, error: Exception) -> None:
    """Serve what the database holds, if it holds anything: a full disk or a read-only file does not end reading."""
    with reading(engine) as session:
        if not entries.total(session):
            raise error
    note(f"{root} was not ingested: {told(error)[1].rstrip('.')}. Serving what the database holds.")


@contextmanager
def _counted_together(workers: int) -> Iterator[None]:
    """Have several workers count into one folder, which is gone afterwards; one worker counts in memory."""
    os.environ.pop(METRICS_FOLDER, None)
    if workers == 1:
        worker_metrics.remove_abandoned()
        yield
        return
    # Until the supervisor handles signals itself, one would end the process and leave the folder behind.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    with worker_metrics.folder() as made:
        os.environ[METRICS_FOLDER] = str(made)
        yield


def _run(found: Settings, listener: socket.socket) -> None:
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from app.logs import configuration
    from app.web.connections import LimitedProtocol

    config = uvicorn.Config(
        FACTORY,
        factory=True,
        http=LimitedProtocol,
        host=found.host,
        port=found.port,
        workers=found.workers,
        log_config=configuration(found.log_level),
        log_level=None,
        access_log=False,
        server_header=False,
        # X-Forwarded-For and X-Forwarded-Proto of these proxies are believed, so the application sees the client that
        # they name.
        forwarded_allow_ips=list(found.proxies),
        # The supervisor kills a worker that does not answer it. With the default time a busy one would be taken for
        # dead.
        timeout_worker_healthcheck=math.ceil(found.request_seconds),
        timeout_graceful_shutdown=math.ceil(found.request_seconds) + GRACE_SECONDS,
    )
    if found.workers > 1:
        Multiprocess(config, sockets=[listener]).run()
        return
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    if not server.started:
        raise Stop(UNREACHABLE, "the server did not start; the lines above say why")
