"""Which errors a paste holds, and which of them came first."""

import pytest

from app.matching.model import Report
from app.matching.parsing.parser import HEAD_LINES, parse

CHAINED = """Traceback (most recent call last):
  File "/w/loader.py", line 3, in load
    open(path)
FileNotFoundError: [Errno 2] No such file or directory: '/w/x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/w/train.py", line 9, in main
    load()
RuntimeError: cannot load
"""
RAY = """(W pid=1) Traceback (most recent call last):
(W pid=2) Traceback (most recent call last):
(W pid=1)   File "/w/a.py", line 3, in step
(W pid=2)   File "/w/b.py", line 4, in other
(W pid=1) ValueError: bad batch
(W pid=2) KeyError: 'prompt'
ray.exceptions.RayTaskError(ValueError): ray::W.step() (pid=1, ip=10.0.0.1)
  File "/w/a.py", line 3, in step
ValueError: bad batch
"""
TEARDOWN = """RuntimeError: shape mismatch
Exception ignored in: <function Pool.__del__ at 0x7f00>
AttributeError: 'NoneType' object has no attribute 'close'

Set the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.
"""


def roles(report: Report) -> list[tuple[str, str | None]]:
    """Type (or text) and role of each error."""
    return [(message.type or message.text.partition("\n")[0], message.role) for message in report.errors]


def test_the_first_of_a_chain_is_the_cause() -> None:
    assert roles(parse(CHAINED)) == [("FileNotFoundError", "cause"), ("RuntimeError", "consequence")]


def test_interleaved_workers_keep_their_own_frames() -> None:
    report = parse(RAY)
    assert roles(report)[:2] == [("ValueError", "cause"), ("KeyError", "consequence")]
    assert [frame.function for frame in report.messages[0].frames] == ["step"]
    assert [frame.function for frame in report.messages[1].frames] == ["other"]


def test_the_same_error_printed_again_is_folded_and_counted() -> None:
    report = parse(RAY)
    assert report.messages[0].times == 2
    assert roles(report)[-1] == ("RayTaskError", "wrapper")


def test_what_is_printed_while_a_job_is_torn_down_is_noise() -> None:
    found = roles(parse(TEARDOWN))
    assert found[0] == ("RuntimeError", "cause")
    assert ("Exception ignored in: <function Pool.__del__ at 0x7f00>", "noise") in found


def test_a_wrapper_alone_is_still_named() -> None:
    assert roles(parse("ray.exceptions.ActorDiedError: The actor died unexpectedly")) == [("ActorDiedError", "cause")]


@pytest.mark.parametrize(
    ("line", "function"),
    [
        ('  File "/a/b.py", line 66, in handler', "handler"),
        ("│ /a/b.py:66 in handler │", "handler"),
        ("File /a/b.py:12, in handler(args)", "handler"),
        ("~/x/b.py in handler(self)", "handler"),
        ("tests/b.py:12: handler", "handler"),
    ],
)
def test_frames_are_read_in_every_form(line: str, function: str) -> None:
    assert [frame.function for frame in parse(line).frames] == [function]


def test_a_python_warning_is_not_a_frame_and_not_an_error() -> None:
    report = parse("/a/torch/cuda.py:174: UserWarning: CUDA initialization: driver too old")
    assert (report.frames, report.errors) == ((), ())


def test_an_error_in_the_middle_of_a_long_log_is_found_with_its_line() -> None:
    lines = [f"step {n} fine" for n in range(HEAD_LINES * 20)]
    lines[5_000] = "ValueError: in the middle"
    report = parse("\n".join(lines))
    assert report.cause is not None
    assert report.cause.text.startswith("ValueError: in the middle")
    assert (report.cause.line, report.truncated) == (5_001, True)


def test_an_error_escaped_in_a_json_body_is_found() -> None:
    report = parse('{"detail":"Traceback:\\n  File \\"/a.py\\", line 1, in f\\nValueError: inner"}')
    assert report.cause is not None
    assert report.cause.type == "ValueError"


def test_windows_line_ends_change_nothing_but_places() -> None:
    dos, unix = parse(CHAINED.replace("\n", "\r\n")), parse(CHAINED)
    assert [m.text for m in dos.errors] == [m.text for m in unix.errors]


INTERLEAVED = """(A pid=1) Traceback (most recent call last):
(B pid=2) Traceback (most recent call last):
(A pid=1)   File "/w/a.py", line 3, in step
(B pid=2)   File "/w/b.py", line 4, in other
(A pid=1) ValueError: bad batch
(B pid=2) KeyError: 'prompt'
"""


@pytest.mark.parametrize(
    ("text", "second"),
    [
        (INTERLEAVED, "cause"),
        (INTERLEAVED + "ray.exceptions.RayTaskError(ValueError): ray::A.step()\n", "consequence"),
        (INTERLEAVED.replace("KeyError: 'prompt'", "TimeoutError: A gave no answer"), "consequence"),
        (
            INTERLEAVED.replace("(B pid=2) Traceback (most recent call last):\n", "").replace("(A ", "(B "),
            "consequence",
        ),
    ],
)
def test_two_errors_are_the_cause_where_nothing_tells_which_was_first(text: str, second: str) -> None:
    found = [message.role for message in parse(text).errors]
    assert found[:2] == ["cause", second]


RAISED = """Traceback (most recent call last):
  File "/w/{file}.py", line 3, in {file}
    {file}()
{error}
"""
FIRST = RAISED.format(file="cache", error="EOFError: Ran out of input")
SECOND = RAISED.format(file="train", error="ValueError: bad batch")


@pytest.mark.parametrize(
    ("between", "first"),
    [
        ("{'loss': 0.41, 'epoch': 0.1}\n{'loss': 0.40, 'epoch': 0.2}\n{'loss': 0.39, 'epoch': 0.3}\n", "handled"),
        ("step:1 - loss:0.41\nstep:2 - loss:0.40\nstep:3 - loss:0.39\n", "handled"),
        ("a: 10%|█ | 1/9 [00:01<00:09, 1s/it]\nb: 0%| | 0/9 [00:01<?, 1s/it]\nc: 9%| | 1/9 [00:01<?]\n", "handled"),
        ("2026-05-14 09:00:01 INFO one\n2026-05-14 09:00:02 INFO two\n2026-05-14 09:00:03 INFO three\n", "handled"),
        # it ended, or too little was said to know
        ("", "cause"),
        ("{'loss': 0.41, 'epoch': 0.1}\n", "cause"),
        ("2026-05-14 09:00:01 INFO exiting\n2026-05-14 09:00:01 INFO closed\n2026-05-14 09:00:02 INFO bye\n", "cause"),
    ],
)
def test_an_error_after_which_its_printer_went_on_and_raised_another_is_handled(between: str, first: str) -> None:
    assert dict(roles(parse(FIRST + between + SECOND)))["EOFError"] == first


def test_a_line_of_progress_is_not_the_rest_of_an_error() -> None:
    (error,) = parse(FIRST + "{'loss': 0.41, 'epoch': 0.1}\n").errors
    assert error.text == "EOFError: Ran out of input"


def test_of_two_raised_errors_the_one_that_a_wrapper_passes_on_outweighs_one_about_another_process() -> None:
    peer = RAISED.format(file="ping", error="httpx.ReadTimeout")
    text = "".join(f"(Ping pid=1) {line}\n" for line in peer.splitlines())
    text += "".join(f"(Train pid=2) {line}\n" for line in SECOND.splitlines())
    assert dict(roles(parse(text)))["ReadTimeout"] == "cause"
    wrapped = text + "ray.exceptions.RayTaskError(ValueError): ray::Train.step() (pid=2, ip=10.0.0.1)\n"
    assert dict(roles(parse(wrapped)))["ValueError"] == "cause"


def test_a_type_may_begin_with_an_underscore() -> None:
    assert roles(parse("grpc._channel._InactiveRpcError: <_InactiveRpcError of RPC that ended\n")) == [
        ("_InactiveRpcError", "cause")
    ]


def test_pytest_says_the_place_of_an_error_below_it() -> None:
    report = parse("E           ValueError: bad batch\n\ntuner/run.py:133: ValueError\n")
    assert report.cause is not None
    assert [frame.path for frame in report.cause.frames] == ["tuner/run.py"]
    (other,) = parse("E           ValueError: bad batch\n\ntuner/run.py:133: KeyError\n").errors[:1]
    assert other.frames == ()


def test_the_stack_below_a_crash_belongs_to_the_crash() -> None:
    frames = "".join(f'  File "<unknown>", line 0, in {name}\n' for name in ("inner", "outer"))
    dump = f"!!!!!!! Segfault encountered !!!!!!!\n{frames}"
    crash, later = parse(dump + "requests.exceptions.ReadTimeout: Read timed out.\n").errors
    assert [frame.function for frame in crash.frames] == ["outer", "inner"]
    assert later.frames == ()


@pytest.mark.parametrize(
    ("then", "type_"),
    [
        # both wait for somebody else: the one that is printed first
        ("(Server pid=7) asyncio.exceptions.TimeoutError: update_weights", ""),
        # what a program raised of its own starts the failure
        ("(Server pid=7)   File \"s.py\", line 3, in load\n(Server pid=7) KeyError: 'lm_head'", "KeyError"),
    ],
)
def test_a_watchdog_is_the_cause_until_something_else_is(then: str, type_: str) -> None:
    stamp = "[rank0]:[E930 04:50:11.318826404 ProcessGroupNCCL.cpp:633]"
    watchdog = f"{stamp} Watchdog caught collective operation timeout: WorkNCCL(SeqNum=2, OpType=BROADCAST)"
    cause = parse(f"{watchdog}\n{then}").cause
    assert cause is not None
    assert cause.type == type_
