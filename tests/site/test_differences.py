"""What changed between two versions, by file and line."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.content.schema import EntryDocument, Text
from app.site.entry.differences import CONTEXT, MOST_SHOWN, FileDifference, differences, lines

TEXTS = st.none() | st.text(alphabet="ab\n", max_size=40)


def entry(body: str = "## Fix\nWait.", *examples: str, zh: str = "") -> EntryDocument:
    return EntryDocument(
        slug="team/zorb",
        updated=date(2026, 11, 20),
        en=Text(title="ZorbError", body=body),
        zh=Text(title="佐布", body=zh) if zh else None,
        examples=examples,
    )


def changed(found: FileDifference) -> list[str]:
    return [line.sign + line.text for part in found.stretches for line in part.lines if line.sign != " "]


def counts(found: FileDifference) -> list[tuple[int, bool]]:
    return [(part.count, part.folded) for part in found.stretches]


def test_the_same_entry_differs_in_no_file() -> None:
    assert differences(entry(), entry()) == ()


def test_files_are_named_facts_first_then_texts_then_examples() -> None:
    after = entry("## Fix\nRun.", "one\n", zh="等").model_copy(update={"tags": ("arm64",)})
    found = differences(entry(), after)
    assert [(one.name, one.state) for one in found] == [
        ("entry.toml", "changed"),
        ("en.md", "changed"),
        ("zh.md", "added"),
        ("examples/01.txt", "added"),
    ]
    assert changed(found[1]) == ["-Wait.", "+Run."]
    assert changed(found[3]) == ["+one"]


def test_a_file_that_is_gone_is_all_taken_out() -> None:
    (found,) = differences(entry("x", "one\ntwo\n"), entry("x"))
    assert (found.state, changed(found)) == ("removed", ["-one", "-two"])


def test_long_unchanged_parts_are_folded_and_short_ones_are_not() -> None:
    before = [str(number) for number in range(100)]
    after = [*before[:50], "new", *before[50:56], "newer", *before[56:]]
    (found,) = differences(entry("\n".join(before)), entry("\n".join(after)))
    # the title and an empty line stand before the body
    assert counts(found) == [(52 - CONTEXT, True), (2 * CONTEXT + 6 + 2, False), (44 - CONTEXT, True)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a\n", "a", [" a", "-"]),
        ("a", "a\n", [" a", "+"]),
        ("a\n", "b\n", ["-a", "+b"]),
        (None, "a\n", ["+a"]),
        ("a\n", None, ["-a"]),
        ("", "", [" "]),
        ("a\nb\na\n", "a\na\n", [" a", "-b", " a"]),
    ],
)
def test_lines_of_two_texts(before: str | None, after: str | None, expected: list[str]) -> None:
    assert [line.sign + line.text for line in lines(before, after)] == expected


@given(TEXTS, TEXTS)
def test_both_versions_can_be_read_off_the_difference(before: str | None, after: str | None) -> None:
    found = lines(before, after)
    both_end = all(text is None or text.endswith("\n") for text in (before, after))
    for text, sign in ((before, "-"), (after, "+")):
        kept = "\n".join(line.text for line in found if line.sign in (" ", sign))
        assert kept + ("\n" if both_end and text else "") == (text or "")


@given(st.lists(st.sampled_from("abcdefgh"), max_size=60), st.lists(st.sampled_from("abcdefgh"), max_size=60))
def test_every_line_is_counted_once_and_only_unchanged_ones_are_folded(before: list[str], after: list[str]) -> None:
    old, new = "x\n" + "\n".join(before), "x\n" + "\n".join(after)
    for found in differences(entry("y", old), entry("y", new)):
        shown = [line for part in found.stretches for line in part.lines]
        assert shown == lines(old, new)
        assert all(line.sign == " " for part in found.stretches if part.folded for line in part.lines)


def test_what_is_too_long_to_compare_is_cut_and_counted() -> None:
    before, after = ("\n".join(f"{word} {n % 997}" for n in range(20_000)) for word in ("old", "new"))
    (found,) = differences(entry("x", before), entry("x", after))
    assert sum(part.count for part in found.stretches) == 40_000
    assert sum(len(part.lines) for part in found.stretches) == MOST_SHOWN


def test_lines_that_are_alike_again_and_again_are_compared_whatever_stands_between() -> None:
    # a search for the longest common run takes the cube of these
    before = "\n".join(f"same\nold {n}\nolder {n}" for n in range(2000))
    after = "\n".join(f"same\nnew {n}\nnewer {n}" for n in range(2000))
    found = lines(before, after)
    assert sum(line.sign == " " for line in found) == 2000
    assert len(found) == 2000 * 5
