"""From the three digests of one entry to what is to be done. Pure, so that the whole table can be tested."""

from enum import Enum


class Move(Enum):
    """What brings a bundle and its entry level."""

    LEVEL = "level"
    """Both are what they should be; only the base may have to follow."""
    FORGET = "forget"
    """There is neither bundle nor entry."""
    IN = "in"
    """The folder's text is published."""
    OUT = "out"
    """The bundle takes the published text, or goes when the entry was renamed."""
    SUBMIT = "submit"
    """The folder's text becomes a submission, then OUT."""
    GONE = "gone"
    """The bundle was removed: the entry is withdrawn, if so many may be."""


def decide(bundle: str | None, entry: str | None, base: str | None, *, published: bool, renamed: bool) -> Move:
    """Return the move for the digests of a bundle and its entry, None where there is none.

    `base` is what both were when last level, None if they never were. `published` and `renamed` say whether the entry
    is published, and whether a published entry names it as an earlier slug of its own.
    """
    if entry is None:
        return Move.IN if bundle is not None else Move.FORGET
    unwanted = renamed and not published
    if bundle is None:
        return _without_bundle(entry, base, published=published, unwanted=unwanted)
    if bundle == entry:
        return Move.OUT if unwanted else Move.LEVEL
    if base == entry:
        return Move.IN
    return Move.OUT if base == bundle else Move.SUBMIT


def _without_bundle(entry: str, base: str | None, *, published: bool, unwanted: bool) -> Move:
    if unwanted:
        return Move.LEVEL
    if base != entry:
        return Move.OUT
    # A team that removes the bundle of a withdrawn entry does not want it back.
    return Move.GONE if published else Move.LEVEL
