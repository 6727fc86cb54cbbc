"""The order of drawing: a hash gives one order, and nothing is left out of it."""

import pytest

from bench.sampling import KINDS, OTHER_WORDS, PROJECTS, order

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_every_project_is_asked_for_every_kind_once() -> None:
    pairs = order(COMMIT)
    assert {(pair.project, pair.kind) for pair in pairs} == {(name, kind) for name in PROJECTS for kind in KINDS}
    assert len(pairs) == len(PROJECTS) * len(KINDS)


def test_a_commit_gives_the_same_order_again_and_another_commit_another() -> None:
    assert order(COMMIT) == order(COMMIT)
    assert order(COMMIT) != order(COMMIT[::-1])


def test_the_query_names_the_project_and_the_words_of_the_kind() -> None:
    assert {pair.query for pair in order(COMMIT)} >= {"verl hang stuck", "slurm 显存"}


def test_the_second_time_around_asks_for_the_same_pairs_in_other_words() -> None:
    again = order(COMMIT, OTHER_WORDS)
    assert {(pair.project, pair.kind) for pair in again} == {(pair.project, pair.kind) for pair in order(COMMIT)}
    assert {pair.query for pair in again}.isdisjoint(pair.query for pair in order(COMMIT))


@pytest.mark.parametrize("commit", ["", "HEAD", COMMIT[:12], COMMIT.upper()])
def test_what_is_not_a_whole_hash_is_refused(commit: str) -> None:
    with pytest.raises(ValueError, match="40 hexadecimal digits"):
        order(commit)
