"""docs/accuracy.md says how right the answers are now: `python -m bench.accuracy --write` after a change."""

import pytest

from app.asking.question_service import Questions
from bench import accuracy


def test_the_page_has_the_figures_of_the_engine(questions: Questions) -> None:
    """Those of the development set are compared only where it is."""
    page = accuracy.PAGE.read_text(encoding="utf-8")
    for name, text in accuracy.blocks(questions).items():
        assert accuracy.block_of(page, name) == text, "python -m bench.accuracy --write"


def test_a_block_is_replaced_and_nothing_else() -> None:
    page = accuracy.PAGE.read_text(encoding="utf-8")
    for name in ("shipped", "labelled", "pages", "development"):
        there = accuracy.block_of(page, name)
        changed = accuracy.replaced(page, name, r"\1 other figures" + "\n")
        assert accuracy.block_of(changed, name) == r"\1 other figures" + "\n"
        assert accuracy.replaced(changed, name, there) == page


def test_a_page_without_the_block_is_told() -> None:
    with pytest.raises(ValueError, match="no block labelled"):
        accuracy.replaced("# How right the answers are\n", "labelled", "")
