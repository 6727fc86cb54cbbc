"""Which file an example goes into, so that files keep their names and are read in the order of the document."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import PurePath

_TRIES = 50


def example_names(texts: Sequence[str], there: Sequence[tuple[str, str]]) -> list[str]:
    """Return a file name for each example, in ascending order.

    `there` are the names and texts of the files that are there, in the order of their names. A text keeps its file, a
    changed text the file between the same neighbours, and a new one gets a name that fits; where none fits, all are
    numbered.
    """
    kept = _kept(texts, there)
    names: list[str] = []
    for number, name in enumerate(kept):
        upper = next((later for later in kept[number + 1 :] if later), "")
        found = name or _new(number, len(texts), names[-1] if names else "", upper)
        if not found:
            width = max(2, len(str(len(texts))))
            return [f"{position + 1:0{width}d}.txt" for position in range(len(texts))]
        names.append(found)
    return names


def _kept(texts: Sequence[str], there: Sequence[tuple[str, str]]) -> list[str]:
    kept = [""] * len(texts)
    matcher = SequenceMatcher(None, [text for _, text in there], list(texts), autojunk=False)
    for kind, old, old_end, new, new_end in matcher.get_opcodes():
        if kind in ("equal", "replace"):
            for at in range(min(old_end - old, new_end - new)):
                kept[new + at] = there[old + at][0]
    return kept


def _new(number: int, total: int, lower: str, upper: str) -> str:
    stem = PurePath(lower).stem
    tries = [f"{number + 1:0{width}d}.txt" for width in (max(2, len(str(total))), 3, 4)]
    # An underscore sorts after the dot of the suffix, so a_2.txt comes after a.txt.
    tries += [f"{stem}_{count}.txt" for count in range(2, _TRIES)] if stem else []
    return next((name for name in tries if lower < name and (not upper or name < upper)), "")
