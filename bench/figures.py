"""Numbers made of measurements: medians, shares, the exponent of a growth."""

import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence


def clock(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def cpu_clock(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that `work` takes in this process, whatever else the machine does."""
    began = time.process_time()
    work()
    return time.process_time() - began


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Return median and 99th percentile of a series of seconds, in milliseconds."""
    ordered = sorted(seconds)
    p99 = ordered[min(len(ordered) - 1, math.ceil(len(ordered) * 0.99) - 1)]
    return {"median_ms": statistics.median(ordered) * 1000, "p99_ms": p99 * 1000}


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return k of the power law seconds ~ size ** k that fits best (least squares of the logarithms).

    1 is linear, 2 quadratic. Raises `ValueError` for fewer than two points.
    """
    if len(sizes) < 2:
        raise ValueError("a growth needs two points")
    return statistics.linear_regression(list(map(math.log, sizes)), list(map(math.log, seconds))).slope


def say(text: str) -> None:
    """Show what is being measured."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)
