"""Only a few requests at a time render a text that nobody has reviewed. The others wait without a thread, until their
client gives up.
"""

import asyncio
from collections import deque

from fastapi import Request
from starlette.requests import ClientDisconnect

# More threads at once would only wait for each other, since Python runs one at a time.
AT_ONCE = 2
# So many seconds pass between two looks whether the client of a waiting request is still there.
LOOK = 0.5


class Places:
    """Places of one application, given in the order in which they were asked for. Used from its event loop only."""

    def __init__(self, most: int = AT_ONCE) -> None:
        self._free = most
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self, request: Request) -> None:
        """Wait for a place. Raises `ClientDisconnect` when the client of the request has gone meanwhile."""
        if self._free:
            self._free -= 1
            return
        mine = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        try:
            while not mine.done():
                await asyncio.wait({mine}, timeout=LOOK)
                if await request.is_disconnected():
                    raise ClientDisconnect
        except BaseException:
            self._give_up(mine)
            raise

    def give_back(self) -> None:
        """Pass a place on to the request that has waited longest."""
        if self._waiting:
            self._waiting.popleft().set_result(None)
        else:
            self._free += 1

    def _give_up(self, mine: asyncio.Future[None]) -> None:
        if mine.done():
            self.give_back()
        else:
            self._waiting.remove(mine)
