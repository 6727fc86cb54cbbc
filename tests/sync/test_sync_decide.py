"""The whole table of three digests."""

import pytest

from app.sync.decide import Move, decide
from app.sync.deletion_guard import lost_too_much


@pytest.mark.parametrize(
    ("bundle", "entry", "base", "move"),
    [
        ("1", "1", "1", Move.LEVEL),
        ("1", "1", None, Move.LEVEL),
        ("1", "1", "0", Move.LEVEL),
        ("2", "1", "1", Move.IN),
        ("1", "2", "1", Move.OUT),
        ("2", "3", "1", Move.SUBMIT),
        ("1", "2", None, Move.SUBMIT),
        ("1", None, None, Move.IN),
        ("1", None, "0", Move.IN),
        (None, "1", None, Move.OUT),
        (None, "2", "1", Move.OUT),
        (None, "1", "1", Move.GONE),
        (None, None, "1", Move.FORGET),
        (None, None, None, Move.FORGET),
    ],
)
def test_a_published_entry_and_its_bundle(bundle: str | None, entry: str | None, base: str | None, move: Move) -> None:
    assert decide(bundle, entry, base, published=True, renamed=False) is move


@pytest.mark.parametrize(
    ("bundle", "base", "renamed", "move"),
    [
        ("w", "w", False, Move.LEVEL),
        ("1", "1", False, Move.OUT),
        ("2", "w", False, Move.IN),
        (None, "w", False, Move.LEVEL),
        (None, "1", False, Move.OUT),
        (None, None, False, Move.OUT),
        ("w", "w", True, Move.OUT),
        ("1", "1", True, Move.OUT),
        ("2", "w", True, Move.IN),
        ("2", "1", True, Move.SUBMIT),
        (None, "w", True, Move.LEVEL),
        (None, "1", True, Move.LEVEL),
        (None, None, True, Move.LEVEL),
    ],
)
def test_a_withdrawn_entry_w_and_its_bundle(bundle: str | None, base: str | None, renamed: bool, move: Move) -> None:
    assert decide(bundle, "w", base, published=False, renamed=renamed) is move


@pytest.mark.parametrize(
    ("gone", "known", "present", "too_much"),
    [(5, 6, 1, False), (6, 100, 94, True), (6, 120, 114, False), (7, 120, 113, True), (1, 1, 0, True)],
)
def test_more_than_five_and_five_percent_are_too_much_and_so_is_all(
    gone: int, known: int, present: int, too_much: bool
) -> None:
    assert lost_too_much([str(number) for number in range(gone)], known, present) is too_much
