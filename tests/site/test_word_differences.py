"""Which words of a line differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.site.entry.word_differences import MOST_PAIRS, word_parts

LINES = st.text(alphabet="ab \t.等着", max_size=30)


@pytest.mark.parametrize(
    ("before", "after", "taken", "put"),
    [
        ("the pump leaks badly", "the pump drips badly", ["leaks"], ["drips"]),
        ("the pump leaks", "the old pump leaks", [], ["old "]),
        ("一直等。", "一直在等着。", [], ["在", "着"]),
        ('tags = ["oom"]', 'tags = ["oom", "install"]', [], [', "install"']),
        ("the trainer's own process ends", "the trainer's last step ends", ["own process"], ["last step"]),
    ],
)
def test_the_words_of_one_version_only_are_named(before: str, after: str, taken: list[str], put: list[str]) -> None:
    found = word_parts(before, after)
    assert found is not None
    assert [[part.text for part in side if part.is_changed] for side in found] == [taken, put]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("the pump leaks", "a gardener is away"),
        ("# torch.compile cache race", "# Another title"),
        ("a " * MOST_PAIRS, "a " * MOST_PAIRS),
    ],
)
def test_lines_with_little_in_common_and_very_long_ones_are_not_compared(before: str, after: str) -> None:
    assert word_parts(before, after) is None


@given(LINES, LINES)
def test_the_parts_of_a_line_are_the_line(before: str, after: str) -> None:
    if found := word_parts(before, after):
        assert ["".join(part.text for part in side) for side in found] == [before, after]
