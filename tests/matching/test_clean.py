"""What is taken off a line, and what is not."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.matching.parsing.layers import MOST_LAYERS, layers
from app.matching.parsing.line_prefixes import PREFIXES, Prefix
from app.matching.parsing.lines import clean

LINES = [
    ("ValueError: plain", "ValueError: plain", ""),
    ("(WorkerDict pid=10027) boom", "boom", "(WorkerDict pid=10027)"),
    ("(ActorWorker(actor_infer-5) pid=19233) boom", "boom", "(ActorWorker(actor_infer-5) pid=19233)"),
    ("\x1b[36m(TaskRunner pid=7, ip=10.0.0.2)\x1b[0m boom", "boom", "(TaskRunner pid=7, ip=10.0.0.2)"),
    ("[36m(TaskRunner pid=7)[0m boom", "boom", "(TaskRunner pid=7)"),
    ("(raylet) boom", "boom", "(raylet)"),
    ("[rank3]:[rank3]: boom", "boom", "[rank3]:[rank3]:"),
    ("[rank12]:   File x", "File x", "[rank12]:"),
    ("3: boom", "boom", "3:"),
    ("2026-07-12 12:00:00,123 ERROR worker.py:1 -- boom", "worker.py:1 -- boom", ""),
    ("[2026-08-01 18:30:22,415 W 3380 3380] gcs_rpc_client.h:151: boom", "gcs_rpc_client.h:151: boom", ""),
    ("ERROR 07-12 12:00:00 [core.py:390] boom", "boom", ""),
    ("ERROR 01-20 08:41:10 multiproc_worker_utils.py:233] boom", "boom", ""),
    ("[2026-05-26 09:31:57 TP0] boom", "boom", "TP0"),
    ("> > boom", "boom", ""),
    ("│ boom                                  │", "boom", ""),
    ("E   boom", "boom", ""),
    ("boom [repeated 3x across cluster]", "boom", ""),
    ("boom \x1b[32m [repeated 15x across cluster] (Ray deduplicates logs by default.)\x1b[0m", "boom", ""),
    ("[2, 3] is not allowed", "[2, 3] is not allowed", ""),
    ("ERROR: Could not find a version", "Could not find a version", ""),
    ("values[36] are kept", "values[36] are kept", ""),
    ("verl.trainer - INFO - saved", "saved", ""),
    ("verl.trainer.main:fit:12 - saved", "saved", ""),
    ("INFO:verl.trainer:saved", "saved", ""),
    ("info: saved", "saved", ""),
    ("warn: saved", "saved", ""),
    ("reward - kl is what is left", "reward - kl is what is left", ""),
    ("ratio: 3 - 1", "ratio: 3 - 1", ""),
    ("Error saving the shard", "Error saving the shard", ""),
    ("rank of the matrix is 3", "rank of the matrix is 3", ""),
    ("INFO:saved", "INFO:saved", ""),
    ("[2026-06-01 09:00:14,711][data.filter][WARNING] - boom", "boom", ""),
    ("[rank0]:[E624 20:45:03.118407712 ProcessGroupNCCL.cpp:632] [Rank 0] boom", "boom", "[rank0]:[Rank 0]"),
    ("Mar  7 11:20:05 node3 slurmd[411]: boom", "boom", "node3 slurmd[411]:"),
    ("^[[31mboom^[[0m", "boom", ""),
    ("2026-05-05T03:00:00.000000001Z stderr F boom", "boom", ""),
    ("2026-05-05T03:00:00Z ##[error]boom", "boom", ""),
    ("npm ERR! boom", "boom", ""),
    ('time="2026-05-05T01:00:00Z" level=warning component=kubelet msg="boom"', 'boom"', ""),
    ("2026-05-05T03:00:00.123456+00:00 node3 kubelet[991]: boom", "boom", "node3 kubelet[991]:"),
    ("#12 [2/3] RUN make", "[2/3] RUN make", "#12"),
    ("# 12 ways to fail", "# 12 ways to fail", ""),
    ("npm is slow today", "npm is slow today", ""),
    ("time=3 level of detail", "time=3 level of detail", ""),
    ("values[3]: boom", "values[3]: boom", ""),
    ("[a][b] is a matrix", "[a][b] is a matrix", ""),
    ("March 7 was cold: boom", "March 7 was cold: boom", ""),
    ("node-1   File x", "File x", "node-1"),
    ("[14:23:20] engine[0] boom", "boom", "engine[0]"),
    ("node-local storage is full", "node-local storage is full", ""),
    ("engine[0].step = 3", "engine[0].step = 3", ""),
    ("step-1 boom", "step-1 boom", ""),
    ("[2026-05-14T03:12:21.871] [99120.batch] error: boom", "boom", "[99120.batch]"),
    ("[128.5] is the mean", "is the mean", "[128.5]"),
    ("[128.5, 3] is a list", "[128.5, 3] is a list", ""),
]


@pytest.mark.parametrize(("line", "text", "tag"), LINES)
def test_a_line_is_cleaned_and_says_who_printed_it(line: str, text: str, tag: str) -> None:
    cleaned = clean(line, 0)
    assert (cleaned.text, cleaned.tag) == (text, tag)
    assert "".join(line[s.source : s.source + s.length] for s in cleaned.segments) == text


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("ERROR: boom", "error"),
        ("2026-07-12 12:00:00 INFO boom", "log"),
        ("E0719 10:11:12.123456 77 boom", "error"),
        ("boom", ""),
    ],
)
def test_the_level_that_a_logger_gave_is_kept(line: str, level: str) -> None:
    assert clean(line, 0).level == level


@pytest.mark.parametrize("row", PREFIXES, ids=lambda row: row.name)
def test_the_example_of_each_prefix_is_cleaned(row: Prefix) -> None:
    cleaned = clean(row.example, 0)
    assert (cleaned.text, cleaned.tag, cleaned.level) == (row.rest, row.tag, row.level)


EXAMPLES = st.sampled_from([row.example for row in PREFIXES])
BEGINNINGS = EXAMPLES.flatmap(lambda example: st.integers(0, len(example)).map(lambda cut: example[:cut]))
MARKS = st.text("[](){}<>|│: -–E3.W/_,\t", max_size=8)


# every row, tried one after another
ROWS = [(row, re.compile(rf"\s*+(?:{row.pattern})")) for row in PREFIXES]


@given(st.lists(EXAMPLES | BEGINNINGS | MARKS, max_size=4).map("".join))
def test_looking_up_by_the_first_letter_leaves_no_prefix_out(line: str) -> None:
    """What stands before a line is what the first row of the whole table that fits says, and so on behind it."""
    found = layers(line, len(line))
    assert all(bool(row.first) is not bool(row.held) for row, _ in ROWS)
    ends = [0, *(end for _, _, end, _, _ in found)]
    for begun, (prefix, _, end, _, _) in zip(ends, found, strict=False):
        fitting = [(row, match.end()) for row, rule in ROWS if (match := rule.match(line, begun))]
        assert prefix is None or fitting[0] == (prefix, end)
    assert len(ends) > MOST_LAYERS or not any(rule.match(line, ends[-1]) for _, rule in ROWS)
