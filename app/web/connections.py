"""The server's side of a connection: what a caller may send before a request counts as one, and how slowly."""

import asyncio
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# The scope of a request whose body comes too slowly has this key; its value is the rate that is asked for, in bytes per
# second. `app.web.middleware.BodyLimit` answers with it.
LATE = "errdex.late"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a connection is held to. Sizes in bytes, times in seconds, the rate in bytes a second.

    A head is the request line and all header fields. A body has `body_seconds` and the time that its bytes take at
    `body_rate`; whoever was quicker may pause, but for no longer than `most_pause`. A late body is answered by the
    application, which has `answer_seconds` for it. `linger` is for how long what a
    caller still sends is read and thrown away after a refusal: closing at once would destroy the answer on its way.
    """

    head: int = 64 * 1024
    fields: int = 100
    head_seconds: float = 10
    body_seconds: float = 10
    body_rate: int = 8 * 1024
    most_pause: float = 30
    answer_seconds: float = 10
    linger: float = 2
    look_every: float = 1


# A body that is sent in chunks of one byte has so many bytes around each byte: the length, and two line ends.
_PER_BYTE = 5


class _Awaited(Enum):
    """What a connection is waiting for from its caller."""

    NOTHING = auto()
    HEAD = auto()
    BODY = auto()


class _TooLarge(Exception):
    """The head of a request is larger than allowed; the parser stops at it."""


class LimitedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits on size and time. A subclass with other `limits` is held to those."""

    limits: ClassVar[Limits] = Limits()

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        self._awaited = _Awaited.HEAD
        self._now = self._deadline = 0.0
        # `_body` counts the bytes of the request's body that came, `_around` all its other bytes, also those that the
        # parser has not reported yet. `_read` is the size of the last read, which may hold several requests.
        self._body = self._around = self._read = 0
        self._is_begun = self._is_too_large = self._is_refused = False
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._now = self.loop.time()
        self._await_head()
        self._timer = self.loop.call_later(self.limits.look_every, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop looking at the time."""
        if self._timer:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless the caller was refused already."""
        if self._is_refused:
            return
        self._now = self.loop.time()
        self._read = len(data)
        self._around += self._read
        super().data_received(data)
        if self._around > self.limits.head + _PER_BYTE * self._body:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._around and self._awaited is _Awaited.NOTHING:
            # These are empty lines before a request; uvicorn takes them for the beginning of one.
            self._await_head()

    def on_message_begin(self) -> None:
        """Count anew: one read can bring the end of a request and the beginning of the next."""
        self._await_head()
        self._is_begun = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Begin to wait for the body."""
        self._measure_head()
        super().on_headers_complete()
        self._awaited = _Awaited.BODY
        self._deadline = self._now + self.limits.body_seconds

    def on_body(self, body: bytes) -> None:
        """Give the caller time for what comes next."""
        size = len(body)
        self._around -= size
        self._body += size
        most = max(self.limits.most_pause, self.limits.body_seconds)
        self._deadline = min(self._deadline + size / self.limits.body_rate, self._now + most)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for nothing more; how long a connection stays open without a request is uvicorn's matter."""
        # Header fields can also follow a body, as trailers.
        self._measure_head()
        self._awaited = _Awaited.NOTHING
        self._is_begun, self._around = False, 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser stopped at."""
        self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE if self._is_too_large else HTTPStatus.BAD_REQUEST, msg)

    def _await_head(self) -> None:
        self._awaited = _Awaited.HEAD
        self._deadline = self._now + self.limits.head_seconds
        self._body = 0

    def _measure_head(self) -> None:
        """Raise what stops the parser when the head is too large; a read is 256 KiB at most, which bounds what came."""
        is_large = len(self.headers) > self.limits.fields
        if not is_large and max(self._around, self._read) > self.limits.head:
            fields = sum(len(name) + len(value) + len(b": \r\n") for name, value in self.headers)
            is_large = len(self.url) + fields > self.limits.head
        if is_large:
            self._is_too_large = True
            raise _TooLarge

    def _look(self) -> None:
        """See whether the time is over; once a second for a connection costs less than a timer for each request."""
        if self.transport.is_closing():
            return
        if self.flow.read_paused:
            # While the server itself has paused reading, the caller is not the one who is late.
            self._deadline += self.limits.look_every
        elif self._awaited is not _Awaited.NOTHING and not self._is_refused and self.loop.time() > self._deadline:
            self._end_wait()
        self._timer = self.loop.call_later(self.limits.look_every, self._look)

    def _end_wait(self) -> None:
        cycle = self.cycle
        if self._awaited is _Awaited.HEAD:
            if self._is_begun:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            else:
                self.transport.close()
        elif cycle.response_started:
            self.transport.close()
        elif LATE in cycle.scope:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            # The application that waits for the body wakes up and tells the caller so in words. If none waits, the next
            # look closes the connection.
            cycle.scope[LATE] = self.limits.body_rate  # type: ignore[literal-required]
            cycle.keep_alive = False
            cycle.message_event.set()
            self._deadline = self.loop.time() + self.limits.answer_seconds

    def _refuse(self, status: HTTPStatus, text: str = "") -> None:
        """Read nothing more and close, with an answer where none is on its way."""
        self._is_refused = True
        cycle = self.cycle
        is_answering = cycle is not None and not cycle.response_complete
        if is_answering and (self._awaited is _Awaited.HEAD or self.pipeline):
            # The requests before this one on the same connection still get their answers.
            cycle.keep_alive = False
            return
        if is_answering:
            if cycle.response_started:
                self.transport.close()
                return
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.write(_answer(status, text or status.description))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(self.limits.linger, self.transport.close)


def _answer(status: HTTPStatus, text: str) -> bytes:
    body = text.encode()
    return (
        f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    ).encode() + body
