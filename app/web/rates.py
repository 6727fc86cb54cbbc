"""How often one client may ask. Each worker counts in its own memory and allows its share of the rate, so that nothing
is written, and all workers together never allow more; only sign-in is counted in the database.
"""

import math
import time
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a client has left: of `quota` requests of this kind in `window` seconds, `left` for the next `opens`."""

    kind: str
    quota: int
    window: int
    left: int
    opens: int

    def headers(self) -> dict[str, str]:
        """Return the fields that tell it, as draft-ietf-httpapi-ratelimit-headers-11 writes them."""
        return {
            "ratelimit-policy": f'"{self.kind}";q={self.quota};w={self.window}',
            "ratelimit": f'"{self.kind}";r={self.left};t={self.opens}',
        }


class Rates:
    """Counts requests by kind and caller for one of `workers` workers. Safe to use from several threads."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._lock = Lock()

    def count(self, kind: str, rate: str, caller: str, cost: int = 1) -> tuple[Allowance, bool]:
        """Count `cost` requests, and return what is left then; False where they are too many, and none is counted.

        `rate` is that of the settings, such as `300/minute`.
        """
        item = share(rate, self._workers)
        with self._lock:
            allowed = self._limiter.test(item, kind, caller, cost=cost)
            if allowed:
                self._limiter.hit(item, kind, caller, cost=cost)
            stats = self._limiter.get_window_stats(item, kind, caller)
        opens = max(1, math.ceil(stats.reset_time - time.time()))
        return Allowance(kind, item.amount, item.get_expiry(), max(0, stats.remaining), opens), allowed


@lru_cache(maxsize=64)
def share(rate: str, workers: int) -> RateLimitItem:
    """Return the part of a rate that one of so many workers allows, of which each allows one at least."""
    item = parse(rate)
    return type(item)(max(1, item.amount // workers), item.multiples)
