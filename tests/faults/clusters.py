"""A PostgreSQL cluster of a test's own, which can be stopped and started."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.servers import free_port

SERVER_USER = "postgres"


@cache
def programs() -> Path | None:
    """Return the folder of the newest server programs, None where there are none."""
    named = shutil.which("initdb")
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    newest = max(found, key=lambda path: float(path.parent.name), default=None)
    return newest or (Path(named).parent if named else None)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster; `url` is the address of its one database."""

    programs: Path
    home: Path
    port: int

    @property
    def url(self) -> str:
        """The address of its database."""
        return f"postgresql+psycopg://root@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.home}"
        self._run("pg_ctl", "-D", f"{self.home}/data", "-l", f"{self.home}/log", "-w", "-o", options, "start")

    def stop(self, mode: str) -> None:
        """Stop the server: `fast` ends the connections, `immediate` is like a crash."""
        self._run("pg_ctl", "-D", f"{self.home}/data", "-w", "-m", mode, "stop")

    def make(self) -> None:
        """Make the files."""
        self._run("initdb", "-D", f"{self.home}/data", "-U", "root", "-A", "trust", "-E", "UTF8", "--no-sync")

    def _run(self, program: str, *words: str) -> None:
        # the server refuses to run as root
        user = SERVER_USER if os.geteuid() == 0 else None
        command = [str(self.programs / program), *words]
        quiet = subprocess.DEVNULL
        subprocess.run(command, user=user, cwd=self.home, stdin=quiet, stdout=quiet, timeout=60, check=True)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A running cluster, removed at the end. Without its programs the test is skipped; under CI=true it fails."""
    folder = programs()
    if folder is None:
        told = "no PostgreSQL server programs (Debian: apt-get install postgresql)"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(told)
    with tempfile.TemporaryDirectory(prefix="errdex-faults-") as home:
        if os.geteuid() == 0:
            shutil.chown(home, SERVER_USER)
        made = Cluster(folder, Path(home), free_port())
        made.make()
        made.start()
        try:
            yield made
        finally:
            made.stop("immediate")
