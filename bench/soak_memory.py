"""The memory of a server's workers over time, as the system counts it."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import NamedTuple

from bench.figures import say
from bench.soak_server import workers_of

# The table shows so many minutes after the beginning.
MOMENTS = (1, 10, 30, 60)
LOOK_AGAIN = 0.5


class Sample(NamedTuple):
    """Memory of the workers together at a moment, in MiB; `minute` counts from the beginning.

    `anonymous` is their own. `file` counts a page of the database once for each connection that maps it; `proportional`
    shares out what is mapped several times.
    """

    minute: float
    anonymous: float
    file: float
    proportional: float
    threads: int


def watch(supervisor: int, seconds: float, ended: Event) -> list[Sample]:
    """Return the memory at the beginning, at each of the moments, and at the end; each is told when it is taken."""
    began = time.monotonic()
    found = [_sample(supervisor, 0)]
    for minute in sorted({*(moment for moment in MOMENTS if moment * 60 < seconds), (seconds - LOOK_AGAIN) / 60}):
        if ended.wait(max(0.0, began + minute * 60 - time.monotonic())):
            break
        found.append(_sample(supervisor, minute))
        say(" ".join(table(found)[-1:]))
    return found


def table(samples: Sequence[Sample]) -> list[str]:
    """Return the samples as a table."""
    head = ["| minute | RssAnon, MiB | RssFile, MiB | Pss, MiB | threads |", "|---|---|---|---|---|"]
    return head + [
        f"| {one.minute:.1f} | {one.anonymous:.0f} | {one.file:.0f} | {one.proportional:.0f} | {one.threads} |"
        for one in samples
    ]


def _sample(supervisor: int, minute: float) -> Sample:
    # A single worker is the process itself.
    workers = workers_of(supervisor) or {supervisor}
    sums = {"RssAnon": 0, "RssFile": 0, "Pss": 0, "Threads": 0}
    for worker in workers:
        for name in ("status", "smaps_rollup"):
            with suppress(OSError):
                for line in Path(f"/proc/{worker}/{name}").read_text().splitlines():
                    key, _, value = line.partition(":")
                    if key in sums:
                        sums[key] += int(value.split()[0])
    return Sample(minute, sums["RssAnon"] / 1024, sums["RssFile"] / 1024, sums["Pss"] / 1024, sums["Threads"])
