"""Which of equally good entries comes first, and how sure is said of them."""

from collections.abc import Sequence
from datetime import date

import pytest

from app.asking.verdict import rules_out
from app.content.names import projects
from app.content.schema import EntryDocument, Signature, Text
from app.matching import match
from app.matching.ranking.candidate import Features, load
from app.store import entry_index

MESSAGE = "ValueError: the greenhouse valve is frozen"


def entry(
    slug: str, *, pattern: str = MESSAGE, frame: str = "", also: Sequence[str] = (), affects: str = ""
) -> Features:
    """An entry with a strong pattern and, where given, a frame."""
    signatures = (Signature(pattern=pattern), *([Signature(frame=frame)] if frame else []))
    document = EntryDocument(
        slug=slug,
        updated=date(2026, 11, 20),
        signatures=signatures,
        en=Text(title="A valve", body=""),
        also=tuple(also),
        affects={"valves": affects} if affects else {},
    )
    return load(hash(slug), entry_index.features(document))


def answered(text: str, *entries: Features, apart: Sequence[Sequence[str]] = ()) -> list[tuple[str, str]]:
    """The answers with their confidence, best first."""
    found = match(text, lambda _: entries, projects({"one", "two"}), apart)
    return [(item.features.slug, item.confidence) for item in found.ranked if item.why_not is None]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (MESSAGE, "one/valve"),
        # more of the pattern's own words are there
        (f"{MESSAGE} again", "one/valve"),
        # a project that the paste names
        (f'[two] starts\n  File "/srv/two/loop.py", line 3, in run\n{MESSAGE}', "two/valve"),
    ],
)
def test_among_equals_a_rule_decides_and_the_slug_last(text: str, first: str) -> None:
    assert answered(text, entry("two/valve"), entry("one/valve"))[0][0] == first


def test_of_equals_one_whose_versions_are_ruled_out_comes_behind() -> None:
    pair = entry("one/valve", affects="<2"), entry("two/valve", affects=">=2")

    def first(text: str, *entries: Features) -> str:
        found = match(text, lambda _: entries, projects({"one", "two"}), rules_out=rules_out)
        return found.ranked[0].features.slug

    assert first(f"valves==2.1\n{MESSAGE}", *pair) == "two/valve"
    assert first(f"valves==1.1\n{MESSAGE}", *pair) == "one/valve"
    # nothing is known of versions, or an entry says nothing of them
    assert first(MESSAGE, *pair) == "one/valve"
    assert first(f"valves==2.1\n{MESSAGE}", entry("one/valve"), pair[1]) == "one/valve"
    # more points come before any version
    better = entry("one/valve", affects="<2", frame="srv/loop.py:run")
    assert first(f'valves==2.1\n  File "/srv/loop.py", line 3, in run\n{MESSAGE}', better, pair[1]) == "one/valve"


def test_of_equals_a_teams_own_comes_first_behind_what_its_versions_rule_out() -> None:
    pair = entry("one/shipped"), entry("two/own", affects="<2")

    def first(text: str, *entries: Features) -> str:
        found = match(
            text,
            lambda _: entries,
            projects({"one", "two"}),
            rules_out=rules_out,
            is_own=lambda slug: slug == "two/own",
        )
        return found.ranked[0].features.slug

    assert first(MESSAGE, *pair) == "two/own"
    assert first(f"valves==2.1\n{MESSAGE}", *pair) == "one/shipped"
    # more points come before who wrote it
    better = entry("one/shipped", frame="srv/loop.py:run")
    assert first(f'  File "/srv/loop.py", line 3, in run\n{MESSAGE}', better, pair[1]) == "one/shipped"


def test_equals_that_a_question_tells_apart_are_never_high() -> None:
    pair = (entry("one/valve", also=["two/valve"]), entry("two/valve", also=["one/valve"]))
    assert answered(MESSAGE, *pair) == [("one/valve", "high"), ("two/valve", "high")]
    family = [("two/valve", "one/valve")]
    assert answered(MESSAGE, *pair, apart=family) == [("two/valve", "likely"), ("one/valve", "likely")]
    assert answered(MESSAGE, pair[0], apart=family) == [("one/valve", "high")]
