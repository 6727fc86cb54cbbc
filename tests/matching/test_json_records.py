"""Log records of JSON: what is read of them, where it stands in the paste, and what is no record."""

import json

import pytest

from app.matching.parsing.json_records import record
from app.matching.parsing.parser import parse

TRACE = (
    'engine 2 failed\nTraceback (most recent call last):\n  File "/v/boot.py", line 4, in go\n    x()\nKeyError: "a"'
)


@pytest.mark.parametrize(
    "fields",
    [
        {"time": "2026-05-05T01:00:00Z", "level": "error", "message": TRACE},
        {"@timestamp": "2026-05-05T01:00:00Z", "log.level": "ERROR", "msg": TRACE},
        {"log": TRACE, "stream": "stderr", "time": "2026-05-05T01:00:00.1Z"},
        {"severity": "ERROR", "message": "engine 2 failed", "stack_trace": TRACE.partition("\n")[2]},
        {"event": "engine 2 failed", "level": "error", "exception": TRACE.partition("\n")[2]},
    ],
)
@pytest.mark.parametrize("lines", [0, 1_000])
def test_the_traceback_in_a_record_is_read_and_placed(fields: dict[str, str], lines: int) -> None:
    ordinary = '{"time": "2026-05-05T00:00:00Z", "level": "info", "message": "step 12"}\n' * lines
    text = ordinary + json.dumps(fields)
    report = parse(text)
    cause = next(message for message in report.errors if message.type)
    assert (cause.type, cause.text, cause.line) == ("KeyError", 'KeyError: "a"', lines + 1)
    assert [frame.function for frame in cause.frames] == ["go"]
    assert text[cause.span.start : cause.span.end] == json.dumps('KeyError: "a"')[1:-1]


def test_who_wrote_a_record_and_when_tell_which_error_was_first() -> None:
    late = {"ts": "2026-05-05T02:00:00Z", "app": "loop", "level": "error", "msg": "ValueError: no tokens"}
    early = {"ts": "2026-05-05T01:00:00Z", "app": "load", "level": "error", "msg": "KeyError: 'prompt'"}
    cause = parse(f"{json.dumps(late)}\n{json.dumps(early)}").cause
    assert cause is not None
    assert cause.text == "KeyError: 'prompt'"


@pytest.mark.parametrize(
    "text",
    [
        '{"rid": "a41c", "finish_reason": {"type": "length"}}',
        '{"level": 3, "reward": 0.0}',
        '{"message": "a text without level or time"}',
        "{'message': 'a dictionary of Python', 'level': 'error'}",
        'judge answered: {"message": "inside a sentence", "level": "error"}',
        "{}",
        '{"',
    ],
)
def test_what_is_no_record(text: str) -> None:
    assert record(text) is None


def test_a_record_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    found = record('{"level": "error", "message": "ValueError: bad\\nnext li')
    assert found is not None
    assert [line.text for line in found.lines] == ["ValueError: bad", "next li"]
