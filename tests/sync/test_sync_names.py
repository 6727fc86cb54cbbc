"""File names of examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sync.example_names import example_names

NAME = st.from_regex(r"[a-z0-9_.\- ]{1,6}", fullmatch=True).map(lambda stem: f"{stem}.txt")
TEXT = st.sampled_from("stuvwxyz")


@pytest.mark.parametrize(
    ("texts", "there", "names"),
    [
        ("ab", [], ["01.txt", "02.txt"]),
        ("ab", [("nan.txt", "a"), ("oom.txt", "b")], ["nan.txt", "oom.txt"]),
        ("ax", [("nan.txt", "a"), ("oom.txt", "b")], ["nan.txt", "oom.txt"]),
        ("b", [("nan.txt", "a"), ("oom.txt", "b")], ["oom.txt"]),
        ("abx", [("nan.txt", "a"), ("oom.txt", "b")], ["nan.txt", "oom.txt", "oom_2.txt"]),
        ("axb", [("nan.txt", "a"), ("oom.txt", "b")], ["nan.txt", "nan_2.txt", "oom.txt"]),
        ("xab", [("nan.txt", "a"), ("oom.txt", "b")], ["01.txt", "nan.txt", "oom.txt"]),
        ("abx", [("01.txt", "a"), ("02.txt", "b")], ["01.txt", "02.txt", "03.txt"]),
    ],
)
def test_examples_keep_their_files(texts: str, there: list[tuple[str, str]], names: list[str]) -> None:
    assert example_names(list(texts), there) == names


@given(st.lists(TEXT), st.dictionaries(NAME, TEXT))
def test_names_ascend_so_that_the_order_is_that_of_the_document(texts: list[str], files: dict[str, str]) -> None:
    names = example_names(texts, sorted(files.items()))
    assert names == sorted(set(names))
    assert len(names) == len(texts)


@given(st.dictionaries(NAME, TEXT))
def test_the_same_examples_keep_all_names(files: dict[str, str]) -> None:
    there = sorted(files.items())
    assert example_names([text for _, text in there], there) == [name for name, _ in there]
