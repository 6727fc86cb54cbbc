"""Which texts are ranges of versions: those that `packaging` takes, by a pattern that the JSON Schema says, too."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from app.content.version_ranges import LONGEST_RANGE, RANGE_PATTERN, is_range

PIECES = [
    *"=!~<>,. \t\nv0129*-_+);a",
    "===",
    "==",
    "~=",
    ">=",
    "1.0",
    "2.*",
    "alpha",
    "RC",
    "Post",
    "dev",
    "rev",
    "+cu12",
]


def is_taken(text: str) -> bool:
    """Tell whether `packaging` takes a text for a range."""
    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        return False
    return True


@pytest.mark.parametrize(
    "text",
    [
        "",
        ">=0.7,<0.9",
        " >= 0.7 , < 0.9, ",
        "==2.1.*",
        "!=2.1.0",
        "~=1.4",
        "~=1.4.2rc1",
        "===2.6.0a0+nv24.10",
        "<3.0.0.dev0",
        ">=1!2.0.post1",
        "==2.4.0+cu121",
        "<=V2.0-RC.1",
    ],
)
def test_a_range_is_taken(text: str) -> None:
    assert is_range(text)
    assert is_taken(text)


@pytest.mark.parametrize(
    "text", ["0.7", ">0.7.*", "~=1", "~=1.4+cu121", "=>1", ">=1 <2", "==1.*.*", ">=one", ">=١", ">=1;", "≥1", ">=\x001"]
)
def test_anything_else_is_refused(text: str) -> None:
    assert not is_range(text)
    assert not is_taken(text)


@example([">=", "1" * 5000])
@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_it_is_taken_as_packaging_takes_it_and_never_longer(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert is_range(text) == (is_taken(text) and len(text) <= LONGEST_RANGE)


@settings(max_examples=30)
@given(st.from_regex(RANGE_PATTERN).filter(is_range))
def test_whatever_fits_can_be_compared_with_a_version(text: str) -> None:
    assert SpecifierSet(text).contains("1.0", prereleases=True) in (True, False)
