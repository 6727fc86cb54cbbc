"""`errdex eval`: how right the answers are on labelled pastes."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy import Engine

from app import sync
from app.asking.question_service import Questions
from app.cli import output
from app.cli.database import filled, settings
from app.cli.exits import UNREACHABLE, Stop
from app.config import Settings
from app.quality import evaluation
from app.quality.evaluation import Case, Result
from app.store.engine import connect

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def evaluate(
    cases: Annotated[Path, typer.Argument(metavar="CASES", help="Labelled pastes as JSON lines, plain or .gz.")],
    *,
    misses: Annotated[
        Path | None, typer.Option("--misses", help="Write what went wrong into this file.", show_default=False)
    ] = None,
    relabelled: Annotated[
        Path | None,
        typer.Option(
            "--relabelled", help="Labels that cases got since, as JSON lines: set, id, expect.", show_default=False
        ),
    ] = None,
    projects: Annotated[bool, typer.Option("--projects", help="Also print the figures of each project.")] = False,
    shape: Annotated[bool, typer.Option("--shape", help="Also print the figures of each label.")] = False,
    content: Annotated[
        bool, typer.Option("--content", help="Measure the content folder, not the configured database.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure how right the answers are on labelled pastes."""
    asked = _cases(cases, relabelled)
    with _throwaway() if content else filled() as engine:
        results = _run(engine, asked)
    groups = [("all", results)]
    groups += list(_by_project(results)) if projects else []
    groups += list(_by_label(results)) if shape else []
    figures = {name: evaluation.figures(rows) for name, rows in groups}
    if misses:
        misses.write_text("".join(map(_miss, (row for row in results if not row.right))), encoding="utf-8")
    if as_json:
        output.write_json(figures)
    else:
        _show(figures)


def _cases(path: Path, relabelled: Path | None) -> list[Case]:
    try:
        cases = evaluation.read_cases(path)
    except (ValueError, EOFError) as error:
        raise Stop(UNREACHABLE, f"{path}: {error}") from error
    if relabelled is None:
        return cases
    try:
        return evaluation.relabel(path.name.partition(".")[0], cases, evaluation.read_relabelled(relabelled))
    except ValueError as error:
        raise Stop(UNREACHABLE, f"{relabelled}: {error}") from error


@contextmanager
def _throwaway() -> Iterator[Engine]:
    from app.store.migrate import migrate

    with tempfile.TemporaryDirectory() as folder:
        made = Settings(database_url=f"sqlite:///{folder}/eval.db")
        engine = connect(made)
        try:
            migrate(made, engine)
            with output.progress("Ingesting") as advance:
                sync.ingest(engine, settings().content_folder, progress=advance)
            yield engine
        finally:
            engine.dispose()


def _run(engine: Engine, asked: Sequence[Case]) -> list[Result]:
    questions = Questions(engine)
    results: list[Result] = []
    with output.progress("ReadTransaction") as advance:
        for number, case in enumerate(asked, 1):
            results += evaluation.run(questions, [case])
            advance(number, len(asked))
    return results


def _by_project(results: Sequence[Result]) -> Iterator[tuple[str, list[Result]]]:
    def project(row: Result) -> str:
        return row.case.expect[0].partition("/")[0] if row.case.expect else ""

    yield from _grouped(results, project, "")


def _by_label(results: Sequence[Result]) -> Iterator[tuple[str, list[Result]]]:
    for label in ("lang", "form", "shape", "group"):
        yield from _grouped(results, lambda row, label=label: row.case.labels.get(label, ""), f"{label}=")  # type: ignore[misc]


def _grouped(
    results: Sequence[Result], key: Callable[[Result], str], prefix: str
) -> Iterator[tuple[str, list[Result]]]:
    for name in sorted({key(row) for row in results} - {""}):
        yield f"{prefix}{name}", [row for row in results if key(row) == name]


def _show(figures: dict[str, dict[str, Any]]) -> None:
    heads = list(next(iter(figures.values())))
    rows = [[name, *("" if row[head] is None else str(row[head]) for head in heads)] for name, row in figures.items()]
    output.table(["", *heads], rows)


def _miss(row: Result) -> str:
    case = row.case
    head = f"##### {case.id} expect={list(case.expect)} first={row.first} rank={row.rank} top={row.top}"
    return f"{head} ranked={list(row.ranked)} {case.labels}\n{case.text[:1500]}\n\n"
