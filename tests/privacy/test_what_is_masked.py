"""Each list of values that are masked, row by row: an example of every row, and what none of them may take."""

import pytest

from app.asking import counted_pattern
from app.matching.parsing.parser import parse
from app.matching.text.masks import MASKS, mask
from app.privacy.public_pattern import KEPT_OUT
from app.privacy.redaction import KINDS, redact

# name of the row: a text with such a value, and what becomes of it
MASKED = {
    "masked": ("login of <user> failed", "login of <user> failed"),
    "url": ("see https://example.org/a?b=c, then", "see <url>, then"),
    "email": ("mail to ann@example.org.", "mail to <email>."),
    "uuid": ("run 123e4567-e89b-12d3-a456-426614174000 lost", "run <uuid> lost"),
    "address": ("at 0x7f3A21", "at <address>"),
    "ip": ("from 10.0.0.7:2222 to", "from <ip> to"),
    "path": ("in ~/run/x.pt and C:\\data\\x", "in <path> and <path>"),
    "hash": ("commit 0123456789abcdef0 of", "commit <hash> of"),
    "number": ("step 17 of 1,000.5e-3", "step <number> of <number>"),
}
REDACTED = {
    "numbered": ("login of <USER#2> failed", "login of <user> failed"),
    "short": ("commit ab12cd34 of", "commit <hash> of"),
}
SENTENCE = "ValueError: invalid size of the tensor {} in the batch of the optimizer"
PUBLIC = {
    "hole": ("<*>", "<*>"),
    "object": ("<acme.Sensor object>", "<*>"),
    "random": ("aB3dE5fG7hI9jK1lM3nO5pQ7", "<*>"),
    "relative": ("in data/run/x", "in <*>"),
    "file": ("in config.yaml", "in <*>"),
    "name": ("'acmecorp'", "'<*>'"),
    "whose": ("for user ann", "for user <*>"),
    "assigned": ("size=acme", "size=<*>"),
    "digits": ("x2y", "<*>"),
}


def test_every_row_has_an_example() -> None:
    assert set(MASKED) == {name for name, _ in MASKS}
    assert set(REDACTED) == {name for name, _ in KINDS} - set(MASKED)
    assert set(PUBLIC) == {name for name, _ in KEPT_OUT} - set(MASKED) - set(REDACTED)


@pytest.mark.parametrize(("text", "masked"), MASKED.values(), ids=MASKED)
def test_a_value_is_masked(text: str, masked: str) -> None:
    assert mask(text) == masked
    assert redact(text) == masked


@pytest.mark.parametrize("text", ["deadbeef", "the cafe of a@b", "rank3 waits", "either/or", "<path> stays"])
def test_a_word_is_not_masked(text: str) -> None:
    assert mask(text) == text
    assert redact(text) == text


@pytest.mark.parametrize(("text", "redacted"), REDACTED.values(), ids=REDACTED)
def test_a_value_that_the_engine_need_not_know_does_not_leave_a_paste(text: str, redacted: str) -> None:
    assert redact(text) == redacted


def test_zero_stays() -> None:
    assert redact("waits for 0 of 12, loss 0.0") == "waits for 0 of <number>, loss 0.0"


@pytest.mark.parametrize(("text", "pattern"), PUBLIC.values(), ids=PUBLIC)
def test_a_value_is_no_part_of_what_is_counted(text: str, pattern: str) -> None:
    assert counted_pattern.pattern_of(parse(SENTENCE.format(text))) == SENTENCE.format(pattern)


@pytest.mark.parametrize("text", ["'optimizer state'", "for user default"])
def test_words_that_software_prints_are_counted_also_where_a_name_could_stand(text: str) -> None:
    assert counted_pattern.pattern_of(parse(SENTENCE.format(text))) == SENTENCE.format(text)
