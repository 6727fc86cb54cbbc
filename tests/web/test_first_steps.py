"""Which steps of a fix are shown at once, and which are opened."""

import pytest

from app.web.first_steps import Steps, first_steps

NUMBERED = "1. Stop it.\n2. Clean up:\n\n   ```bash\n   rm -rf cache\n   ```\n3. Wait.\n4. Start it."
CASES = {
    "to the first command": (NUMBERED, Steps("1. Stop it.\n2. Clean up:\n\n   ```bash\n   rm -rf cache\n   ```",
                                             "3. Wait.\n4. Start it.", 2, 4)),
    "two where the command comes late": (
        "1. a\n2. b\n3. c\n4. d\n\n   ```\n   e\n   ```",
        Steps("1. a\n2. b", "3. c\n4. d\n\n   ```\n   e\n   ```", 2, 4),
    ),
    "two where there is none": ("- a\n- b\n- c", Steps("- a\n- b", "- c", 2, 3)),
    "all of a few": ("1. a\n2. b", Steps("1. a\n2. b", "", 2, 2)),
    "numbers go on where all are written alike": ("1. a\n1. b\n1. c", Steps("1. a\n1. b", "3. c", 2, 3)),
    "numbers go on from the first": ("4. a\n5. b\n6. c", Steps("4. a\n5. b", "6. c", 2, 3)),
    "words before a list are no step": ("One of these:\n\n1. a\n2. b", Steps("One of these:\n\n1. a", "2. b", 1, 2)),
    "what is announced is shown with it": (
        "a\n\nDo this:\n\n```\nb\n```\n\nc", Steps("a\n\nDo this:\n\n```\nb\n```", "c", 3, 4)
    ),
    "a heading is not the end": ("a\n\n### b\n\nc\n\nd", Steps("a\n\n### b\n\nc", "d", 3, 4)),
    "nothing": ("", Steps("", "", 0, 0)),
}  # fmt: skip


@pytest.mark.parametrize(("text", "steps"), CASES.values(), ids=CASES)
def test_the_first_steps_are_shown_and_the_others_follow(text: str, steps: Steps) -> None:
    assert first_steps(f"## Symptom\nIt stops.\n\n## Fix\n{text}\n\n## Check\nIt runs.", ("Fix", "修复")) == steps


def test_without_the_heading_the_first_section_is_taken() -> None:
    assert first_steps("## In short\nYes.\n\n## More\nNo.", ("Fix",)) == Steps("Yes.", "", 1, 1)
    assert first_steps("", ("Fix",)) == Steps("", "", 0, 0)
