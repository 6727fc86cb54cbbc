"""Stacks of other languages, and errors that stand above their stack."""

import pytest

from app.matching.parsing.frames import FOREIGN, ForeignFrame, is_foreign
from app.matching.parsing.parser import parse

ORDINARY = "step 12 of 400, loss 0.31\n" * 1_000


@pytest.mark.parametrize("row", FOREIGN, ids=lambda row: row.name)
def test_a_line_of_a_stack_is_no_message(row: ForeignFrame) -> None:
    assert is_foreign(row.example)
    for before in ("", ORDINARY):
        report = parse(f"{before}RuntimeError: boom\n    {row.example}\n")
        assert [message.text for message in report.errors] == ["RuntimeError: boom"]


@pytest.mark.parametrize(
    "line",
    [
        "at 12:00 the run (7) ended",
        "at least 3 GPUs are needed",
        "...",
        "... 3 more steps to go",
        "frame #2 was dropped",
        "#12 is a pull request",
        "@user please look (again)",
        "goroutine of the week",
        "/data/main.go",
        "lib(1) is a manual page",
    ],
)
def test_what_is_no_line_of_a_stack(line: str) -> None:
    assert not is_foreign(line)


def test_java_prints_the_origin_last() -> None:
    report = parse(
        'Exception in thread "main" java.lang.RuntimeException: job 3 failed\n'
        "\tat org.lab.Job.run(Job.java:12)\n"
        "Caused by: java.io.FileNotFoundException: /data/x.parquet (No such file or directory)\n"
        "\tat java.base/java.io.FileInputStream.open0(Native Method)\n"
        "\t... 12 more\n"
    )
    assert [(message.type, message.role) for message in report.errors] == [
        ("RuntimeException", "wrapper"),
        ("FileNotFoundException", "cause"),
    ]


@pytest.mark.parametrize("note", ["", "       (note: full exception trace is shown but execution is paused at: main)"])
def test_where_a_debugger_stops_the_stack_stands_below_and_innermost_first(note: str) -> None:
    report = parse(
        f"Exception has occurred: KeyError{note}\n'lr'\n"
        '  File "D:\\proj\\a.py", line 118, in inner\n    return row["lr"]\n'
        '  File "D:\\proj\\a.py", line 10, in outer\n    inner()\n'
    )
    assert report.cause is not None
    assert (report.cause.type, report.cause.text) == ("KeyError", "KeyError: 'lr'")
    assert [frame.function for frame in report.cause.frames] == ["outer", "inner"]


def test_a_panic_keeps_its_message_and_not_its_stack() -> None:
    go = "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\n\t/b/main.go:41 +0x1d\n"
    rust = "thread 'main' panicked at src/router.rs:88:14:\ncalled `Option::unwrap()` on a `None` value\n"
    for text, lines in ((go, 1), (rust, 2)):
        report = parse(text)
        assert [message.text for message in report.errors] == ["\n".join(text.split("\n")[:lines])]
