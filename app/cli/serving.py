"""`errdex serve`: migrate, ingest, listen."""

import socket
from contextlib import suppress
from typing import cast

from sqlalchemy import Engine

from app import sync
from app.cli.access_log import AccessLog, log_config
from app.cli.corpus import summary
from app.cli.database import connected, settings, upgrade
from app.cli.exits import UNREACHABLE, Stop
from app.cli.output import findings, note, progress, say
from app.cli.syncing import sync_at_start
from app.config import Settings
from app.middleware import App

FACTORY = "app.cli.serving:application"


def serve() -> None:
    """Serve the site and the API.

    Makes or upgrades the database and ingests the content folder first, then syncs the team's folder (ERRDEX_MIRROR) if
    there is one. Address, port and number of workers are ERRDEX_HOST, ERRDEX_PORT and ERRDEX_WORKERS.
    """
    found = settings()
    with listening(found) as listener:
        engine = connected(found)
        try:
            upgrade(found, engine)
            _ingest(found, engine)
            sync_at_start(found, engine)
        finally:
            engine.dispose()
        say(f"Errdex is at {address(found)} (Ctrl-C ends it)")
        _run(found, listener)


def application() -> App:
    """Return the application of the environment's settings with its access log; uvicorn calls it in every worker."""
    from app.main import create_app

    return AccessLog(cast(App, create_app()))


def address(found: Settings) -> str:
    """Return the address that people open."""
    if found.base_url:
        return found.base_url
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(found.host, found.host)  # noqa: S104
    return f"http://[{host}]:{found.port}" if ":" in host else f"http://{host}:{found.port}"


def listening(found: Settings) -> socket.socket:
    """Return a socket that is bound to the configured address; bound first, so that a taken port is told at once.

    Raises `Stop` when the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in found.host else socket.AF_INET
    # with the protocol left out, asyncio would not know it for TCP and would not switch off delayed sending
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((found.host, found.port))
        # connections wait from here on, so the address that is printed answers
        listener.listen(2048)
        listener.set_inheritable(True)
    except OSError as error:
        listener.close()
        text = f"cannot listen on {found.host}:{found.port}: {error.strerror}. Set ERRDEX_HOST and ERRDEX_PORT."
        raise Stop(UNREACHABLE, text) from error
    return listener


def _ingest(found: Settings, engine: Engine) -> None:
    root = found.content_folder
    if not root.is_dir():
        note(f"There is no content folder at {root}; serving what the database holds.")
        return
    with progress("Ingesting") as advance:
        outcome = sync.ingest(engine, root, progress=advance)
    findings(outcome.findings)
    say(summary(outcome))


def _run(found: Settings, listener: socket.socket) -> None:
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    config = uvicorn.Config(
        FACTORY,
        factory=True,
        host=found.host,
        port=found.port,
        workers=found.workers,
        log_config=log_config(found.log_level),
        log_level=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=10,
    )
    if found.workers > 1:
        Multiprocess(config, sockets=[listener]).run()
        return
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    if not server.started:
        raise Stop(UNREACHABLE, "the server did not start; the lines above say why")
