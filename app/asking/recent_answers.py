"""What was answered lately, for those who ask the same again: ranks of one job, a team, a page in another language."""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

# Texts of more characters are not remembered, for they are seldom sent twice.
LONGEST = 16 * 1024
T = TypeVar("T")


class Remembered(Generic[T]):
    """Values by the text that was asked and the state of the index then; the oldest make room for new ones.

    At most `most` values are kept; with 0 none. A text itself is not kept, only a digest of it under a key of this
    process. Safe to use from several threads.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._key = secrets.token_bytes(32)
        self._values: OrderedDict[bytes, tuple[Hashable, T]] = OrderedDict()
        self._lock = Lock()

    def get(self, text: str) -> tuple[Hashable, T] | None:
        """Return the state in which a text was asked last and the value, or None."""
        if not self.takes(text):
            return None
        with self._lock:
            return self._values.get(self._digest(text))

    def keep(self, text: str, state: Hashable, value: T) -> None:
        """Keep the value of a text that `takes` allows, in place of an earlier one."""
        digest = self._digest(text)
        with self._lock:
            self._values.pop(digest, None)
            self._values[digest] = (state, value)
            while len(self._values) > self.most:
                self._values.popitem(last=False)

    def takes(self, text: str) -> bool:
        """Tell whether the value of a text would be kept: not if `most` is 0, and not if the text is long."""
        return self.most > 0 and len(text) <= LONGEST

    def _digest(self, text: str) -> bytes:
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, key=self._key).digest()
