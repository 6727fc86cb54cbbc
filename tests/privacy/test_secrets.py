"""What looks secret is masked, everything else is left as it is."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.privacy.secrets import RULES, mask, rules, spotted
from tests.privacy.corpus import CASES, JOINTS, Case

PLACEHOLDER = re.compile(r"<(?:TOKEN|EMAIL|USER|HOST|ADDRESS)#[0-9]+>")
# classes such as \w, boundaries and back references are none of these
ESCAPES = set(r"\nrt[]{}()|*+?^$./")
# names, inline flags, atomic groups; possessive repetition; set operations
NOT_SHARED = re.compile(r"\(\?(?![:=!]|<[=!])|[*+?}]\+|\[\[|&&|\|\||~~")
texts = st.lists(st.sampled_from([*(case.text for case in CASES), *JOINTS]) | st.text(max_size=12), max_size=8).map(
    "".join
)


def plain_part(pattern: str) -> str:
    """The pattern without its escapes and character classes."""
    return re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "_", pattern)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_text_of_the_corpus_becomes_what_it_should(case: Case) -> None:
    assert mask(case.text).text == case.masked


def test_the_corpus_is_large_and_a_third_of_it_stays_untouched() -> None:
    untouched = [case for case in CASES if case.text == case.masked]
    assert len(CASES) >= 80
    assert len(untouched) * 3 >= len(CASES)
    assert len({case.name for case in CASES}) == len(CASES)


@given(texts)
def test_masking_twice_changes_nothing_more(text: str) -> None:
    once = mask(text).text
    assert mask(once).text == once


@given(texts)
def test_what_is_not_masked_is_untouched(text: str) -> None:
    """Put the values back where the placeholders stand, and the text is the one that came in."""
    text = PLACEHOLDER.sub("", text)
    masked = mask(text)
    back = masked.text
    for finding in reversed(masked.findings):
        assert back.count(finding.placeholder) <= finding.count
        back = back.replace(finding.placeholder, finding.value)
    assert back == text


def test_a_value_that_is_kept_stays() -> None:
    text = "mila@kestrel.io wrote to otto@kestrel.io"
    assert mask(text, kept=("mila@kestrel.io",)).text == "mila@kestrel.io wrote to <EMAIL#1>"


def test_what_was_found_is_listed_with_its_count() -> None:
    found = mask("/home/mila/a /home/mila/b mila@kestrel.io").findings
    assert [(one.name, one.value, one.placeholder, one.count) for one in found] == [
        ("an e-mail address", "mila@kestrel.io", "<EMAIL#1>", 1),
        ("a user name", "mila", "<USER#1>", 2),
    ]


def test_each_finding_in_a_line_is_spotted() -> None:
    assert sorted(rule.name for _, rule in spotted("mila@kestrel.io at 93.184.216.34")) == [
        "a public address",
        "an e-mail address",
    ]


def test_rules_use_only_what_both_dialects_read_alike() -> None:
    plain = json.loads(RULES.read_text(encoding="utf-8"))
    written = [*plain["pieces"].values()]
    for row in plain["rules"]:
        written += [row["pattern"], *row.get("not_if", ()), *row.get("not_after", ()), *row.get("not_before", ())]
        assert set(row) <= {
            "name",
            "placeholder",
            "needs",
            "whole",
            "again",
            "pattern",
            "not_if",
            "not_after",
            "not_before",
            "note",
        }
        assert row["needs"], row["name"]
    for pattern in written:
        assert set(re.findall(r"\\(.)", pattern)) <= ESCAPES, pattern
        assert not NOT_SHARED.search(re.sub(r"\\.", "_", pattern)), pattern
        outside = plain_part(pattern)
        assert "." not in outside, pattern
        # nothing without bound is repeated, so the time cannot explode
        assert not re.search(r"[*+][^()]*\)[*+{]|,\}[^()]*\)[*+{]", outside), pattern


def test_only_checks_which_see_one_line_ask_for_an_end() -> None:
    """Python's $ also stands before a last line feed; JavaScript's does not."""
    for rule in rules():
        assert not set("^$") & set(plain_part(rule.pattern.pattern)), rule.name
