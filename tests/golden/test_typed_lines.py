"""The words around an error line that no entry covers do not change its answer (`bench/typed_lines.py`)."""

from app.asking.question_service import Questions
from bench import typed_lines


def test_words_around_a_line_without_an_entry_change_nothing(questions: Questions) -> None:
    asked = typed_lines.measure(questions)
    assert typed_lines.bare_answered(asked) <= 0.02
    assert len(typed_lines.otherwise(asked)) <= 0.02 * len(asked)
