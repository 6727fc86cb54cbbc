"""The message at the head of the result page, and what of it a phone shows."""

import pytest

from app.site.paste.headline import LONGEST, ROOM, headline_of

SIZES = (
    "RuntimeError: The size of tensor a (2048) must match the size of tensor b (4096) at non-singleton dimension 1 "
    "while loading the shard, expected hidden_size=4096 but the checkpoint says 2048"
)
CASES = {
    "a short one is whole": ("KeyError: 'reward'", "KeyError: 'reward'", ""),
    "a long one begins with what it is and ends with the value": (
        SIZES,
        "RuntimeError: The size of tensor a (2048) ",
        "but the checkpoint says 2048",
    ),
    "without any space it is cut where the room ends": ("x" * 100, "x" * 42, "x" * 38),
}


@pytest.mark.parametrize(("said", "begin", "end"), CASES.values(), ids=CASES)
def test_begin_and_end_of_a_message(said: str, begin: str, end: str) -> None:
    found = headline_of(said)
    assert (found.begin, found.end) == (begin, end)
    assert "".join(found) == said


def test_a_very_long_message_loses_of_its_middle_and_keeps_its_end() -> None:
    found = headline_of(f"LeakError: {'drop after drop ' * 60}into the server room")
    assert len("".join(found)) <= LONGEST
    assert found.end.endswith("into the server room")
    assert found.middle.endswith("… ")
    assert len(found.begin) + len(found.end) <= ROOM
