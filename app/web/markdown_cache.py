"""Texts that were rendered lately, by a digest of their sources. What several requests ask for at once is made once."""

import hashlib
import sys
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T", bound=str)


class Rendered(Generic[T]):
    """Texts that were made from others, at most `most` bytes of them. The ones that nobody has asked for longest make
    room for new ones.

    The sources are not kept. Safe to use from several threads.
    """

    def __init__(self, most: int) -> None:
        self._room = most
        self._made: OrderedDict[bytes, T] = OrderedDict()
        self._being_made: dict[bytes, Future[T]] = {}
        self._lock = Lock()

    def get(self, source: tuple[str, ...], make: Callable[[], T]) -> T:
        """Return what `make` makes of `source`, or made of it before. Whoever asks for the same meanwhile waits for
        that result.

        Raises what `make` raises, to everybody who waits; the next one tries again.
        """
        key = _digest(source)
        with self._lock:
            if (known := self._made.get(key)) is not None:
                self._made.move_to_end(key)
                return known
            is_first = key not in self._being_made
            future = self._being_made.setdefault(key, Future())
        return self._make(key, future, make) if is_first else future.result()

    def _make(self, key: bytes, future: Future[T], make: Callable[[], T]) -> T:
        try:
            made = make()
        except BaseException as error:
            with self._lock:
                del self._being_made[key]
            future.set_exception(error)
            raise
        with self._lock:
            del self._being_made[key]
            self._keep(key, made)
        future.set_result(made)
        return made

    def _keep(self, key: bytes, made: T) -> None:
        self._made[key] = made
        self._room -= sys.getsizeof(made)
        while self._room < 0:
            _, old = self._made.popitem(last=False)
            self._room += sys.getsizeof(old)


def _digest(source: tuple[str, ...]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in source:
        sent = part.encode("utf-8", "surrogatepass")
        digest.update(len(sent).to_bytes(8, "big") + sent)
    return digest.digest()
