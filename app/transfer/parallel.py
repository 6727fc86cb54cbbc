"""Pure work that other processes do ahead of the one that needs its results."""

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import TypeVar

# More processes would only wait for the one that stores what they made.
MOST_PROCESSES = 4
Job = TypeVar("Job")
Made = TypeVar("Made")


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def made_ahead(
    work: Callable[[Job], Made], jobs: Iterable[Job], processes: int
) -> Generator[tuple[Job, Made], None, None]:
    """Yield each job with what `work` makes of it, in order; so many processes work on those that come next.

    `work` is a function of a module, jobs and results can be pickled. Jobs are drawn one by one, no more than are
    worked on. With fewer than 2 processes, in a process that may start none, or when one of them is killed, the work is
    done here instead. Raises what `work` and `jobs` raise.
    """
    if processes < 2 or multiprocessing.current_process().daemon:
        yield from ((job, work(job)) for job in jobs)
        return
    begun: deque[tuple[Job, Future[Made]]] = deque()
    spawning = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(processes, MOST_PROCESSES), spawning, initializer=_begin)
    try:
        for job in jobs:
            begun.append((job, _submitted(pool, work, job)))
            if len(begun) > processes:
                yield _taken(work, *begun.popleft())
        while begun:
            yield _taken(work, *begun.popleft())
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, work: Callable[[Job], Made], job: Job) -> Future[Made]:
    try:
        return pool.submit(work, job)
    except BrokenProcessPool as error:
        failed: Future[Made] = Future()
        failed.set_exception(error)
        return failed


def _taken(work: Callable[[Job], Made], job: Job, made: Future[Made]) -> tuple[Job, Made]:
    try:
        return job, made.result()
    except BrokenProcessPool:
        return job, work(job)


def _begin() -> None:
    """Prepare a process that helps: it ends with its parent, leaves Ctrl-C to it, and looks for no cycles meanwhile."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    end_with_parent(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


def end_with_parent(by: int) -> None:
    """Have this process end by a signal when the one that started it is gone, however that ended."""
    if parent := multiprocessing.parent_process():

        def wait() -> None:
            parent.join()
            os.kill(os.getpid(), by)

        Thread(target=wait, daemon=True).start()
