"""Records that are printed over several lines are read as one; what only looks like one is left as it is."""

import pytest

from app.matching.parsing.parser import parse

JOINED = (
    ('{\n  "loss": 0.1,\n  "kl": 0.02\n}\n', ['"loss": 0.1, "kl": 0.02']),
    ("metrics: {\n'loss': 0.1,\n'lr': 1e-06,\n}\n", ["metrics: {", "'loss': 0.1, 'lr': 1e-06"]),
    (
        '(W pid=1) {\n(W pid=1)   "a": {\n(W pid=1)     "b": "x"\n(W pid=1)   },\n(W pid=1)   "c": null\n(W pid=1) }\n',
        ['"a": {, "b": "x", }, "c": null'],
    ),
    ("loss: 0.1\nreward: 0.0\nreward_std: 0.0\n", ["loss: 0.1, reward: 0.0, reward_std: 0.0"]),
    ("| loss      | 0.1 |\n| mean kl   | nan |\n| fps       | 12  |\n", ["loss: 0.1, mean kl: nan, fps: 12"]),
    ("step\tloss\tkl\n10\t0.1\tnan\n", ["step: 10, loss: 0.1, kl: nan"]),
    ("step,loss,eval/kl\n10,0.1,0.2\n", ["step: 10, loss: 0.1, eval/kl: 0.2"]),
    ("| step | loss | kl |\n|------|------|----|\n| 10   | 0.1  | 2  |\n", ["step: 10, loss: 0.1, kl: 2"]),
    ("   step  loss   kl\n0    10   0.1  nan\n", ["step: 10, loss: 0.1, kl: nan"]),
    ("│ Step │ Training Loss │ split │\n│ 4 │ 0.5 │ train │\n", ["Step: 4, Training Loss: 0.5, split: train"]),
)
APART = (
    # no record: two lines, a list of what was done, code, a table of words, rows with another number of cells
    "loss: 0.1\nreward: 0.0\n",
    "read shard a\nread shard b\nread shard c\n",
    "run(a, b, c) {\nreturn a\n}\n",
    "NAME   READY   STATUS\ntrainer-0   Running   gpu\n",
    "step,loss,kl\n10,0.1\n",
    "the run of today\n10 0.1 0.2 4\n",
    "hello, dear, all\nplease help\n",
)


@pytest.mark.parametrize(("text", "said"), JOINED)
def test_a_record_is_one_message(text: str, said: list[str]) -> None:
    report = parse(text)
    assert [message.text for message in report.messages] == said
    for message in report.messages:
        assert all(text[span.start : span.end] in message.text for span in message.spans(0, len(message.text)))


def test_an_answer_stands_with_what_was_typed() -> None:
    report = parse(
        "$ ulimit -n\n1024\n$ python run.py\nloading\nTraceback (most recent call last):\n"
        "  File \"run.py\", line 3, in <module>\nKeyError: 'lr'\n$ python again.py\n"
        "2026-01-01 10:00:00 INFO started\n"
    )
    assert [message.text for message in report.messages] == [
        "ulimit -n\n1024",
        "python run.py\nloading",
        "KeyError: 'lr'",
        "python again.py",
        "started",
    ]


@pytest.mark.parametrize("text", APART)
def test_what_is_no_record(text: str) -> None:
    lines = [line.strip() for line in text.splitlines() if line != "}"]
    assert [message.text for message in parse(text).messages] == lines


def test_an_error_in_a_record_is_an_error_of_its_own() -> None:
    report = parse('{\n  "step": 4,\n  "lr": 0.1,\n  "detail": "RuntimeError: boom",\n  "code": 500,\n  "at": 3\n}\n')
    assert [(message.kind, message.text) for message in report.messages] == [
        ("log", '"step": 4, "lr": 0.1'),
        ("error", '"detail": "RuntimeError: boom",\n"code": 500, "at": 3'),
    ]


def test_a_line_of_another_printer_stands_between() -> None:
    text = "[rank0]: {\n[rank0]:   'a': 1,\n[rank1]: RuntimeError: boom\n[rank0]:   'b': 2\n[rank0]: }\n"
    assert {message.text for message in parse(text).messages} == {"'a': 1, 'b': 2", "RuntimeError: boom"}


def test_a_long_record_is_given_in_parts() -> None:
    keys = "".join(f'  "some_key_{number}": {number},\n' for number in range(1_000))
    report = parse("{\n" + keys + "}\n")
    assert all(len(message.text) <= 2_000 for message in report.messages)
    assert '"some_key_59": 59' in report.messages[0].text or len(report.messages) > 1
