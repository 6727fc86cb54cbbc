"""`errdex run`: the job as ever, and when it fails, what explains it, also where CI and Kubernetes look for it."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Callable, Sequence

from errdex_client import job
from errdex_client.ring import Ring

# A summary of a job has at most so many bytes (GitHub takes a megabyte), and so has a termination message (Kubernetes
# keeps 4096).
LONGEST_SUMMARY, LONGEST_TERMINATION = 200_000, 4096
# variables that name the file in which a job's summary is looked for
SUMMARIES = ("ERRDEX_SUMMARY", "GITHUB_STEP_SUMMARY")
TERMINATION_LOG = "/dev/termination-log"


# It takes an excerpt and a language, and returns an answer.
Ask = Callable[[Any, str], "dict[str, Any]"]


def ask_server(excerpt: Any, lang: str) -> dict[str, Any]:
    """Return the answer of the configured server. Raises whatever keeps it from being asked."""
    from errdex_client.asking import ask

    return ask(excerpt, lang=lang, limit=3)


def run(command: Sequence[str], *, lang: str, json_file: str = "", verbose: bool = False, ask: Ask = ask_server) -> int:
    """Run a job and end as it ends; when it failed, say what is known of the error.

    Whatever goes wrong with asking, the job's output and status are what they are. Does not return, but when the job
    could not be started: then it is the code that a shell would give. `ask` is whom to ask.
    """
    ring = Ring()
    try:
        finished = job.run_job(command, ring)
    except OSError as error:
        sys.stderr.write(f"errdex: {command[0]}: {error.strerror or error}\n")
        return job.NOT_FOUND if isinstance(error, FileNotFoundError) else job.NOT_RUNNABLE
    answer: dict[str, Any] | None = None
    try:
        if finished.failed:
            answer = ask(_excerpt(ring), lang)
            _tell(answer, finished, lang)
    except Exception as error:
        if verbose:
            sys.stderr.write(f"errdex: {' '.join(str(error).split()) or type(error).__name__}\n")
    try:
        if json_file:
            _write_json(json_file, finished, answer)
    except Exception as error:
        if verbose:
            sys.stderr.write(f"errdex: {json_file}: {error}\n")
    job.end_as(finished)
    return finished.code


def _excerpt(ring: Ring) -> Any:
    from errdex_client.excerpts import excerpt_of

    return excerpt_of(b"".join(ring.pieces()).decode("utf-8", "replace"))


def _tell(answer: dict[str, Any], finished: job.Finished, lang: str) -> None:
    from errdex_client import answer_text
    from errdex_client.command import write_lines

    lines = answer_text.terminal_lines({**answer, "related": []}, lang)
    sys.stderr.write("\n")
    write_lines([[("── errdex ──", "dim")], *lines], sys.stderr)
    heading = answer_text.word(lang, "answer-text.failed", status=finished)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        sys.stderr.write(answer_text.github(answer, lang))
    for summary in filter(None, map(os.environ.get, SUMMARIES)):
        text = f"### {heading}\n\n{answer_text.markdown(answer, lang)}"
        _append(summary, _handed_out(text, LONGEST_SUMMARY))
    # Kubernetes makes its file before the job begins; where it made none, nobody reads it.
    place = os.environ.get("ERRDEX_TERMINATION_LOG", TERMINATION_LOG if os.path.exists(TERMINATION_LOG) else "")  # noqa: PTH110
    if place and answer["matches"]:
        _append(place, _handed_out(answer_text.markdown({**answer, "related": []}, lang), LONGEST_TERMINATION))


def _handed_out(text: str, most: int) -> bytes:
    """Return what others will read of an answer; one of a local database was asked for with what looks secret in it."""
    from errdex_client.secrets import mask

    return _cut(mask(text).text, most)


def _append(path: str, content: bytes) -> None:
    with open(path, "ab") as stream:  # noqa: PTH123
        stream.write(content)


def _cut(text: str, most: int) -> bytes:
    """Return a text in UTF-8, of which no more than `most` bytes are kept, in whole characters."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore").encode()


def _write_json(path: str, finished: job.Finished, answer: dict[str, Any] | None) -> None:
    first = answer["matches"][0] if answer and answer["matches"] else {}
    # a program acts on what is sure only
    actions = first.get("actions") if first.get("confidence") == "high" else None
    value = {"exit": finished.code, "signal": finished.signal or None, "actions": actions, "answer": answer}
    with open(path, "w", encoding="utf-8") as stream:  # noqa: PTH123
        json.dump(value, stream, ensure_ascii=False, indent=2)
        stream.write("\n")
