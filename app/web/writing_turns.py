"""Turns at writing: few requests write at once, and those that wait take no thread from those who read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import Engine

from app.errors import Unavailable

# SQLite lets one writer write at a time; a second one prepares while the first one's commit goes to the disk.
# PostgreSQL lets many write: eight leave three of four connections of the pool to those who read.
AT_ONCE = {"sqlite": 2, "postgresql": 8}


class Turns:
    """The turns of one process, given in the order of asking."""

    def __init__(self, engine: Engine, seconds: float) -> None:
        self._seconds = seconds
        self._places = asyncio.Semaphore(AT_ONCE[engine.dialect.name])

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, which ends with the block. Raises `Unavailable` when none came in the seconds allowed."""
        try:
            async with asyncio.timeout(self._seconds):
                await self._places.acquire()
        except TimeoutError as error:
            raise Unavailable from error
        try:
            yield
        finally:
            self._places.release()
