"""Runs a job as if it had been started by itself: bytes, terminal, window size, signals and status are unchanged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any, NamedTuple, Sequence

from errdex_client.copying import Copier
from errdex_client.ring import Ring

STDOUT, STDERR = 1, 2
# What a shell says of a command that is not there, and of one that may not be run.
NOT_FOUND, NOT_RUNNABLE = 127, 126
# What people and schedulers send.
_HANDED_ON = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCONT", "SIGTSTP")
# A signal that the system sent by itself has this si_code, such as those of the terminal to everything in its
# foreground.
_BY_THE_KERNEL = 0x80


class Finished(NamedTuple):
    """A job that has ended: its exit code, or the number of the signal that ended it (else 0)."""

    code: int
    signal: int

    @property
    def failed(self) -> bool:
        """Whether it ended otherwise than well, and not because somebody pressed Ctrl-C."""
        interrupted = self.signal == signal.SIGINT or self.code == 128 + signal.SIGINT
        return (self.code != 0 or self.signal != 0) and not interrupted

    def __str__(self) -> str:
        if not self.signal:
            return str(self.code)
        try:
            return signal.Signals(self.signal).name
        except ValueError:
            return f"signal {self.signal}"


def run_job(command: Sequence[str], ring: Ring) -> Finished:
    """Run a command to its end and return how it ended; what it prints goes where it would, and into the ring.

    Raises `OSError` when it cannot be started.
    """
    if os.name != "posix":
        return _Piped(command, ring).run()
    try:
        from errdex_client import terminal
    except ImportError:
        return _Piped(command, ring).run()
    return _Posix(command, ring, terminal).run()


class _Piped:
    """A job between pipes, where there are neither pseudo-terminals nor signals that could be handed on."""

    def __init__(self, command: Sequence[str], ring: Ring) -> None:
        self._command, self._ring = command, ring

    def run(self) -> Finished:
        job = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert job.stdout is not None
        assert job.stderr is not None
        copiers = [
            Copier(os.dup(job.stdout.fileno()), STDOUT, self._ring, -1),
            Copier(os.dup(job.stderr.fileno()), STDERR, self._ring, -1),
        ]
        job.stdout.close()
        job.stderr.close()
        for copier in copiers:
            copier.start()
        while True:
            try:
                code = job.wait()
                break
            except KeyboardInterrupt:
                # The console sends Ctrl-C to the job as well, and the job decides what to do.
                continue
        for copier in copiers:
            copier.join(2)
        return Finished(code, 0)


class _Posix:
    """A job that writes to a pseudo-terminal where it would have written to a terminal, and to pipes elsewhere.

    It stays in this process's group and reads what this process would read: what the terminal sends to its foreground
    (Ctrl-C, Ctrl-Z) reaches the job by itself, and what is sent to this process alone is handed on.
    """

    def __init__(self, command: Sequence[str], ring: Ring, terminal: Any) -> None:
        self._command, self._ring, self._terminal = command, ring, terminal
        # These are the descriptors that the job is read from, each with the one that its bytes are written to.
        self._sources: list[tuple[int, int]] = []
        self._screen: Copier | None = None
        self._ours = -1

    def run(self) -> Finished:
        """Run it."""
        names = (*_HANDED_ON, "SIGCHLD", "SIGWINCH")
        watched = {getattr(signal, name) for name in names if hasattr(signal, name)}
        # A signal that is ignored here, as after nohup, is handed on too: the job begins with ignoring it, but may take
        # it later. Blocked signals wait to be taken although they are ignored. SIGCHLD gets a handler even if our
        # parent had it ignored, for then nobody would learn how the job ended.
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, watched)
        try:
            job = self._start(before)
            return self._follow(job, watched)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _start(self, before: set[Any]) -> Any:
        shows, complains = os.isatty(STDOUT), os.isatty(STDERR)
        jobs = -1
        if shows or complains:
            self._ours, jobs = self._terminal.open_like(STDOUT if shows else STDERR)
            self._sources.append((self._ours, STDOUT if shows else STDERR))
        out = jobs if shows else self._pipe(STDOUT)
        # After `2>&1` both lead to one place, and their order counts, so the job gets one descriptor for both.
        err = jobs if complains else out if _same(STDOUT, STDERR) else self._pipe(STDERR)
        try:
            return subprocess.Popen(
                self._command,
                stdout=out,
                stderr=err,
                preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, before),  # noqa: PLW1509
            )
        finally:
            for number in {out, err}:
                os.close(number)

    def _pipe(self, target: int) -> int:
        ours, jobs = os.pipe()
        self._sources.append((ours, target))
        return jobs

    def _follow(self, job: Any, watched: set[signal.Signals]) -> Finished:
        ended, end = os.pipe()
        copiers = [Copier(source, target, self._ring, ended) for source, target in self._sources]
        self._screen = copiers[0] if self._ours >= 0 else None
        for copier in copiers:
            copier.start()
        while True:
            finished = _reaped(job)
            if finished is not None:
                break
            self._hand_on(job, *_next_signal(watched))
        os.close(end)
        for copier in copiers:
            copier.join()
        return finished

    def _hand_on(self, job: Any, number: int, by_the_system: bool) -> None:
        if number == signal.SIGWINCH:
            if self._screen is not None and self._screen.is_alive():
                self._terminal.copy_size(STDOUT if os.isatty(STDOUT) else STDERR, self._ours)
            # The signal is sent again, since the terminal's own may have come before the new size was copied.
            _send(job.pid, number)
        elif number != signal.SIGCHLD and not by_the_system:
            _send(job.pid, number)
        if number == signal.SIGTSTP:
            # We stop as well, so that the shell sees the job stopped.
            os.kill(os.getpid(), signal.SIGSTOP)


def _reaped(job: Any) -> Finished | None:
    """Return how the job ended, or None while it has not."""
    try:
        pid, status = os.waitpid(job.pid, os.WNOHANG)
    except ChildProcessError:
        return Finished(1, 0)
    if pid == 0:
        return None
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    finished = Finished(128 + number if number else os.WEXITSTATUS(status), number)
    # With the return code set, `Popen` does not wait for the process again.
    job.returncode = finished.code
    return finished


def _same(first: int, second: int) -> bool:
    """Tell whether two descriptors are of the same file, as after `2>&1`: then the order of what they get counts."""
    try:
        return os.path.sameopenfile(first, second)
    except OSError:
        return False


def _next_signal(watched: set[signal.Signals]) -> tuple[int, bool]:
    """Wait for the next signal; return its number, and whether the system sent it by itself."""
    if hasattr(signal, "sigwaitinfo"):
        found = signal.sigwaitinfo(watched)
        return found.si_signo, found.si_code == _BY_THE_KERNEL
    number = signal.sigwait(watched)
    # The sender is not known here; with a terminal it was mostly the terminal.
    return number, number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP) and os.isatty(0)


def _send(pid: int, number: int) -> None:
    # The job may have ended just now.
    with suppress(OSError):
        os.kill(pid, number)


def end_as(finished: Finished) -> None:
    """End this process as the job ended: with its code, or by its signal. Does not return."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if finished.signal and os.name == "posix":
        with suppress(OSError, ValueError, ImportError):
            import resource

            # The job has left a core file, if one is wanted; a second one of ours is of no use.
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if finished.signal != signal.SIGKILL:
                signal.signal(finished.signal, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {finished.signal})
            os.kill(os.getpid(), finished.signal)
    # The first process of a container is not ended by a signal that it sends to itself, so it exits with the code.
    os._exit(finished.code & 0xFF)
