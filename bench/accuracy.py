#!/usr/bin/env python3
"""How right the answers are, as the page docs/accuracy.md tells it.

    python -m bench.accuracy [--write] [--development FILE] [--pages FILE]

Prints the blocks of the page that hold figures: those of the labelled pastes of this repository, and, where the files
are there (default: ../shared/eval/dev.jsonl, ../shared/outside/rustc.jsonl.gz), those of the development set and of
foreign pages. `--write` puts them into the page in place of what stands there, and leaves the rest as it is.
"""

import argparse
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from app import sync
from app.asking.question_service import Questions
from app.config import ROOT, Settings
from app.content import bundle
from app.matching.text.rules import weights
from app.quality import evaluation
from app.quality.evaluation import Result
from app.store.engine import connect
from app.store.migrate import migrate
from bench import outside_pages
from bench.pastes import RELABELLED, SHARED, own_sets

PAGE = ROOT / "docs" / "accuracy.md"
DEVELOPMENT = SHARED / "eval" / "dev.jsonl"
PAGES = SHARED / "outside" / "rustc.jsonl.gz"
TUNED_ON, NOT_TUNED_ON = (1, 2, 3), (4, 5)
COLUMNS = ("answered@1", "found@3", "wrong", "false", "auc")
WORDS = {"high": "this is it", "likely": "probably this"}
_BLOCK = "<!-- {name}: written by bench/accuracy.py -->\n{text}<!-- end of {name} -->\n"


def blocks(questions: Questions, development: Path = DEVELOPMENT) -> dict[str, str]:
    """Return the blocks that can be measured here, by name: `labelled`, and `development` where that file is."""
    own = {f"`{path.relative_to(ROOT)}`": _asked(questions, path) for path in own_sets()}
    found = {"shipped": _shipped(), "labelled": _text(own)}
    if development.is_file():
        found["development"] = _text({f"`{development.name}`": _asked(questions, development)})
    return found


def of_pages(path: Path = PAGES) -> str:
    """Return the block on foreign pages, with three patterns each and with none."""
    sets: dict[str, list[Result]] = {}
    for patterns in (outside_pages.PATTERNS, 0):
        for draws in (TUNED_ON, NOT_TUNED_ON):
            results = [one for number in draws for one in outside_pages.ask(outside_pages.draw(path, number, patterns))]
            sets[f"draws {', '.join(map(str, draws))}, {patterns} patterns"] = results
    return "\n".join(
        [*_figures(sets), "", *_confidence({name: found for name, found in sets.items() if "0 p" not in name}), ""]
    )


def _by_now(name: str, results: Sequence[Result]) -> list[Result]:
    """Return the results with the labels that the cases have by now; `name` is that of the file in backticks."""
    known = evaluation.read_relabelled(RELABELLED)
    cases = evaluation.relabel(Path(name.strip("`")).stem, [result.case for result in results], known)
    return [evaluation.judged(result, case) for result, case in zip(results, cases, strict=True)]


def block_of(page: str, name: str) -> str:
    """Return what stands in a block of the page. Raises `ValueError` when it has none of that name."""
    found = _pattern(name).search(page)
    if found is None:
        raise ValueError(f"docs/accuracy.md has no block {name}")
    return found["text"]


def replaced(page: str, name: str, text: str) -> str:
    """Return the page with another text in a block. Raises `ValueError` as `block_of`."""
    block_of(page, name)
    return _pattern(name).sub(lambda _: _BLOCK.format(name=name, text=text), page)


def _pattern(name: str) -> re.Pattern[str]:
    whole = re.escape(_BLOCK.format(name=name, text="\0"))
    return re.compile(whole.replace(re.escape("\0"), r"(?P<text>.*?)"), re.DOTALL)


def _asked(questions: Questions, path: Path) -> list[Result]:
    return evaluation.run(questions, evaluation.read_cases(path))


def _shipped() -> str:
    number = sum(1 for _ in bundle.folders(ROOT / "content"))
    knobs = weights()["answer"]
    return (
        f'Measured with the {number} shipped entries. An answer is "likely" from {knobs["likely"]} points on and '
        f'"high" from {knobs["high"]} with a lead of {knobs["margin"]}\nover any other entry that it does not name as '
        "equally right.\n"
    )


def _text(sets: Mapping[str, Sequence[Result]]) -> str:
    now = {name: _by_now(name, results) for name, results in sets.items()}
    parts = ["With the labels that the texts have by now:", "", *_figures(now), "", *_confidence(now), ""]
    return "\n".join([*parts, "With the labels that they had when they were written:", "", *_figures(sets), ""])


def _figures(sets: Mapping[str, Sequence[Result]]) -> Iterator[str]:
    yield f"| set | positives | negatives | {' | '.join(COLUMNS)} |"
    yield "| --- |" + " ---: |" * (2 + len(COLUMNS))
    for name, results in sets.items():
        found = evaluation.figures(results)
        cells = " | ".join(_share(found[column]) for column in COLUMNS)
        yield f"| {name} | {found['positives']} | {found['negatives']} | {cells} |"


def _confidence(sets: Mapping[str, Sequence[Result]]) -> Iterator[str]:
    """Yield a table of how often an answer of either confidence is right, by set and, of several, of all together."""
    yield "| set | " + " | ".join(f'{name} ("{said}") | right' for name, said in WORDS.items()) + " |"
    yield "| --- |" + " ---: |" * (2 * len(WORDS))
    together = {"all": [one for results in sets.values() for one in results]} if len(sets) > 1 else {}
    for name, results in {**sets, **together}.items():
        found = evaluation.figures(results)
        cells = " | ".join(f"{found[word]} | {_share(found[f'{word} right'])}" for word in WORDS)
        yield f"| {name} | {cells} |"


def _share(value: float | int | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def main() -> None:
    """Measure, and print the blocks or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the page instead of printing")
    parser.add_argument("--development", metavar="FILE", type=Path, default=DEVELOPMENT)
    parser.add_argument("--pages", metavar="FILE", type=Path, default=PAGES)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_url=f"sqlite:///{folder}/accuracy.db")
        engine = connect(settings)
        migrate(settings, engine)
        sync.ingest(engine, ROOT / "content")
        found = blocks(Questions(engine), given.development)
        engine.dispose()
    if given.pages.is_file():
        found["pages"] = of_pages(given.pages)
    if not given.write:
        print("\n".join(_BLOCK.format(name=name, text=text) for name, text in found.items()))
        return
    page = PAGE.read_text(encoding="utf-8")
    for name, text in found.items():
        page = replaced(page, name, text)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
