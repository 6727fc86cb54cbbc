"""What examples are answered with, asked of a throwaway database that holds just the entries that are checked."""

import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial

from app.asking.question_service import Questions
from app.config import Settings
from app.content.check import AskExample
from app.content.name_rows import Own
from app.content.schema import EntryDocument
from app.store import team_names
from app.store.engine import connect
from app.store.migrate import migrate
from app.store.session import writing
from app.transfer import jsonl

# The slug that an example is answered with first, None without an answer, and how sure that is.
Told = tuple[str | None, str]
Progress = Callable[[int, int], None]
# So many examples are asked in about the second that another process takes to start.
FEW = 200
# Each process takes a second to start, so that more of them win nothing with some thousand examples.
MOST_PROCESSES = 4
# So many at a time are enough to keep all processes busy to the end.
PORTION = 20

# What one of the other processes asks; it is opened as the process starts.
_opened: list[Questions] = []


@contextmanager
def asking(
    documents: Sequence[EntryDocument], examples: Sequence[str], names: Own
) -> Iterator[Callable[[Progress | None], AskExample]]:
    """Begin to ask a database of these documents and names for all `examples`, and yield what waits for the answers.

    That tells how far it is, and returns a function from each example to its answer. Many examples are asked by other
    processes, while the caller does something else.
    """
    processes = min(os.cpu_count() or 1, MOST_PROCESSES)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/check.db"
        _fill(url, documents, names)
        if len(examples) < FEW or processes < 2:
            engine = connect(Settings(database_url=url))
            try:
                yield partial(_collect, examples, map(partial(_answer, Questions(engine)), examples))
            finally:
                engine.dispose()
            return
        # A process that is forked would share locks with the threads of this one.
        spawned = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(processes, spawned, _open, (url,)) as pool:
            yield partial(_collect, examples, pool.map(_answer_opened, examples, chunksize=PORTION))


def _fill(url: str, documents: Sequence[EntryDocument], names: Own) -> None:
    settings = Settings(database_url=url)
    engine = connect(settings)
    try:
        migrate(settings, engine)
        with writing(engine) as session:
            jsonl.add_new(session, documents, actor="check")
            for kind, rows in names.items():
                for key, row in rows.items():
                    team_names.put(session, kind, key, row)
    finally:
        engine.dispose()


def _collect(examples: Sequence[str], answers: Iterable[Told], progress: Progress | None) -> AskExample:
    told: dict[str, Told] = {}
    for number, (example, answer) in enumerate(zip(examples, answers, strict=True), 1):
        told[example] = answer
        if progress:
            progress(number, len(examples))
    return told.__getitem__


def _open(url: str) -> None:
    _opened.append(Questions(connect(Settings(database_url=url))))


def _answer_opened(example: str) -> Told:
    return _answer(_opened[0], example)


def _answer(questions: Questions, example: str) -> Told:
    found = questions.ask(example)
    if found.matches:
        return found.matches[0].slug, f"{found.matches[0].score:g}"
    best = found.related[0] if found.related else None
    return None, f"the best is {best.slug}, {best.score:g}" if best else "nothing is related"
