"""A client that costs little: requests made beforehand, over several connections that are kept open."""

import asyncio
import re
import socket
import time
from collections.abc import Sequence
from functools import partial

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_GOOD = b"HTTP/1.1 200"


def post(path: str, body: bytes, kind: str = "application/json") -> bytes:
    """Return a POST request as it goes over the wire."""
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def get(path: str) -> bytes:
    """Return a GET request as it goes over the wire."""
    return f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode()


def size(port: int, request: bytes) -> int:
    """Return the number of bytes of the answer's body. Raises `RuntimeError` when the answer has no length."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request)
        answer = b""
        while b"\r\n\r\n" not in answer and (part := connection.recv(65536)):
            answer += part
    length = _LENGTH.search(answer)
    if length is None:
        raise RuntimeError(f"not a plain answer: {answer[:200]!r}")
    return int(length.group(1))


def load(port: int, requests: Sequence[bytes], connections: int, seconds: float) -> list[float]:
    """Send the requests in turn over so many connections for so long; return the seconds that each answer took.

    Raises `RuntimeError` when an answer is not 200, `ConnectionError` when the server hangs up.
    """
    return asyncio.run(_load(port, requests, connections, seconds))


async def _load(port: int, requests: Sequence[bytes], connections: int, seconds: float) -> list[float]:
    loop = asyncio.get_running_loop()
    until = time.perf_counter() + seconds
    opened: list[_Connection] = []
    for number in range(connections):
        # Connections begin far apart, so that none asks what another one has just asked.
        made = partial(_Connection, requests, number * len(requests) // connections, until)
        opened.append((await loop.create_connection(made, "127.0.0.1", port))[1])
    for connection in opened:
        connection.send()
    await asyncio.gather(*(connection.done for connection in opened))
    return [took for connection in opened for took in connection.took]


class _Connection(asyncio.Protocol):
    """One connection: sends the next request when the answer to the last one is whole."""

    def __init__(self, requests: Sequence[bytes], first: int, until: float) -> None:
        self.took: list[float] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._requests, self._next, self._until = requests, first, until
        self._rest = b""
        self._sent = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """Say so when it was not we who closed."""
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the server hung up"))

    def send(self) -> None:
        """Send the next request."""
        self._sent = time.perf_counter()
        self._transport.write(self._requests[self._next % len(self._requests)])
        self._next += 1

    def data_received(self, data: bytes) -> None:
        """Take a part of an answer."""
        self._rest += data
        head = self._rest.find(b"\r\n\r\n")
        if head < 0:
            return
        length = _LENGTH.search(self._rest, 0, head)
        if not self._rest.startswith(_GOOD) or length is None:
            self._end(RuntimeError(f"not a plain answer: {self._rest[:200]!r}"))
        elif len(self._rest) >= head + 4 + int(length.group(1)):
            self._took()

    def _took(self) -> None:
        now = time.perf_counter()
        self._rest = b""
        self.took.append(now - self._sent)
        if now < self._until:
            self.send()
        else:
            self._end(None)

    def _end(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(error) if error else self.done.set_result(None)
        self._transport.close()
