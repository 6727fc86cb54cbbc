"""A run that ends between any two things it writes is completed by the next one."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app import sync
from tests.sync.folders import (
    A,
    B,
    C,
    Crash,
    assert_level,
    clear,
    crash_after,
    document,
    publish,
    save,
    stored_texts,
    submitted,
)

MOST_STEPS = 60


def _start(engine: Engine, root: Path) -> None:
    publish(engine, document(A))
    publish(engine, document(B))
    sync.mirror(engine, root)


def _edited_on_the_site(engine: Engine, _root: Path) -> None:
    publish(engine, document(A, "theirs", zh=None, examples=("theirs 1", "theirs 2")))
    publish(engine, document(C, "theirs"))


def _edited_in_the_folder(_engine: Engine, root: Path) -> None:
    save(root, document(A, "ours"))
    save(root, document(C, "ours"))


def _edited_on_both(engine: Engine, root: Path) -> None:
    _edited_on_the_site(engine, root)
    _edited_in_the_folder(engine, root)


def _renamed_in_the_folder(_engine: Engine, root: Path) -> None:
    shutil.rmtree(root / A)
    save(root, document(C, "ours", former=(A,)))


def _renamed_on_the_site(engine: Engine, root: Path) -> None:
    save(root, document(A, "ours"))
    publish(engine, document(C, "theirs", former=(A,)))
    publish(engine, document(A, status="withdrawn"))


def _removed(_engine: Engine, root: Path) -> None:
    shutil.rmtree(root / A)


CASES = [
    _edited_on_the_site,
    _edited_in_the_folder,
    _edited_on_both,
    _renamed_in_the_folder,
    _renamed_on_the_site,
    _removed,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__.strip("_"))
def test_nothing_is_lost_or_said_twice_wherever_a_run_ends(
    engine: Engine, place: Path, case: Callable[[Engine, Path], None]
) -> None:
    counts = []
    for steps in range(1, MOST_STEPS):
        clear(engine)
        root = place / str(steps)
        _start(engine, root)
        case(engine, root)
        try:
            sync.mirror(engine, root, after_step=crash_after(steps))
            crashed = False
        except Crash:
            crashed = True
        sync.mirror(engine, root)
        assert_level(engine, root)
        assert sync.mirror(engine, root).quiet
        texts = stored_texts(engine)
        assert all(word in texts for word in ("ours", "theirs") if word in case.__name__ or word in _words(case))
        counts.append(len(submitted(engine)))
        if not crashed:
            break
    else:
        pytest.fail("the run has more steps than were tried")
    # as many as the run makes that nothing interrupts
    assert set(counts) == {counts[-1]}


def _words(case: Callable[[Engine, Path], None]) -> tuple[str, ...]:
    return {
        _edited_on_the_site: ("theirs",),
        _edited_in_the_folder: ("ours",),
        _edited_on_both: ("ours", "theirs"),
        _renamed_in_the_folder: ("ours",),
        _renamed_on_the_site: ("ours", "theirs"),
    }.get(case, ())


@pytest.mark.parametrize("steps", range(1, 12))
def test_a_bundle_that_was_being_written_may_be_edited_before_the_next_run(
    engine: Engine, root: Path, level: None, steps: int
) -> None:
    publish(engine, document(word="theirs"))
    with pytest.raises(Crash):
        sync.mirror(engine, root, after_step=crash_after(steps))
    (root / A / "en.md").write_text("# ours\n")
    sync.mirror(engine, root)
    assert_level(engine, root)
    assert sync.mirror(engine, root).quiet
    assert "ours" in stored_texts(engine)


def test_an_entry_may_be_edited_before_the_next_run(engine: Engine, root: Path, level: None) -> None:
    save(root, document(word="ours"))
    with pytest.raises(Crash):
        sync.mirror(engine, root, after_step=crash_after(1))
    publish(engine, document(word="theirs"))
    done = sync.mirror(engine, root)
    assert (done.written, done.submitted) == ([A], [])
    assert_level(engine, root)


def test_writing_out_completes_what_an_interrupted_run_was_writing(engine: Engine, root: Path, level: None) -> None:
    publish(engine, document(A, "theirs"))
    with pytest.raises(Crash):
        sync.mirror(engine, root, after_step=crash_after(6))
    publish(engine, document(B))
    sync.write_out(engine, root, [B])
    assert_level(engine, root)


def test_a_bundle_that_is_saved_while_it_is_synced_is_not_overwritten(engine: Engine, root: Path, level: None) -> None:
    publish(engine, document(word="theirs"))
    saved: list[str] = []

    def save_meanwhile(step: str) -> None:
        if step == "noted" and not saved:
            saved.append(step)
            save(root, document(word="ours"))

    done = sync.mirror(engine, root, after_step=save_meanwhile)
    assert (done.submitted, done.written) == ([A], [A])
    assert submitted(engine) == [document(word="ours")]
    assert_level(engine, root)
    assert sync.mirror(engine, root).quiet
