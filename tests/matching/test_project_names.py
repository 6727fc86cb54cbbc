"""Which project a paste names: a table of what counts as naming one, and of what must not."""

import pytest

from app.content.names import projects
from app.matching.parsing.parser import parse
from app.matching.parsing.project_names import project_of

FRAME = '  File "/srv/{}/worker.py", line 3, in run\n'


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("how do I start verl on two nodes?", "verl"),
        (FRAME.format("skyrl_train") + "ValueError: bad", "skyrl"),
        # what others are built on does not count beside them
        (FRAME.format("verl") + FRAME.format("rlinf") + "ValueError: bad", "rlinf"),
        (FRAME.format("roll") + "ValueError: bad", "roll"),
        ("ROLL stops after the first step, why is that?", "roll"),
        ("the dice roll again and again, why is that?", ""),
        # two of a kind: it is not sure which one it is about
        (FRAME.format("roll") + FRAME.format("rlinf") + "ValueError: bad", ""),
        # a library stands in the stacks of everybody
        (FRAME.format("ray") + FRAME.format("vllm") + "ValueError: bad", ""),
        ("overly long, isn't it, and how do I cut it?", ""),
        # a team's own project, known by its entries alone
        (FRAME.format("orchard") + "ValueError: bad", "orchard"),
        ("why does orchard not start on the second node?", "orchard"),
        ("pip says orchard==2.1 is not there, what now?", "orchard"),
        # one whose name is a word that people and programs use counts only where it is a package
        ("why does the worker not start on the second node?", ""),
        (FRAME.format("worker") + "ValueError: bad", "worker"),
        ("it fails in worker.loop.step, what now?", "worker"),
    ],
)
def test_a_paste_names_a_project(text: str, named: str) -> None:
    assert projects({"orchard", "worker"}).named(parse(text)) == named


def test_a_word_that_programs_print_is_no_name() -> None:
    assert project_of("timeout").words == ()
    assert project_of("orchard").words == ("orchard",)
