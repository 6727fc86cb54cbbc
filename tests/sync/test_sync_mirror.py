"""One test for each thing that can have happened to a bundle, an entry, or both."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app import sync
from app.content.schema import Text
from app.people.accounts import Who
from app.store import entries as table
from app.store import submissions
from app.store.session import reading, writing
from app.wiki import proposals
from tests.sync.conftest import Sync
from tests.sync.folders import (
    A,
    B,
    assert_level,
    bases,
    document,
    files,
    held,
    publish,
    save,
    served,
    stored_texts,
    submitted,
)


def test_a_published_entry_is_written_into_a_folder_that_is_made(engine: Engine, root: Path, run: Sync) -> None:
    publish(engine, document())
    assert run().written == [A]
    assert held(root) == document()
    assert_level(engine, root)


def test_git_is_told_to_leave_the_id_alone(root: Path, level: None) -> None:
    assert (root / ".errdex" / "id").read_text().strip()
    assert (root / ".errdex" / ".gitignore").read_text() == "*\n"


def test_a_new_bundle_is_published(engine: Engine, root: Path, run: Sync) -> None:
    save(root, document())
    assert run().added == [A]
    assert served(engine) == document()


def test_an_edited_bundle_is_published_and_keeps_its_own_form(
    engine: Engine, root: Path, level: None, run: Sync
) -> None:
    path = root / A / "entry.toml"
    path.write_text("# ours\n" + path.read_text().replace('"first"', '"second"'), encoding="utf-8")
    assert run().changed == [A]
    assert served(engine).tags == ("second",)
    assert path.read_text().startswith("# ours\n")


def test_an_edited_entry_is_written_and_files_that_say_the_same_are_left(
    engine: Engine, root: Path, level: None, run: Sync
) -> None:
    facts, text = root / A / "entry.toml", root / A / "zh.md"
    facts.write_text("# ours\n" + facts.read_text(), encoding="utf-8")
    text.write_bytes(text.read_bytes().replace(b"\n", b"\r\n"))
    run()
    publish(engine, document().model_copy(update={"en": Text(title="second en", body="")}))
    assert run().written == [A]
    assert held(root).text("en")[1].title == "second en"
    assert facts.read_text().startswith("# ours\n")
    assert b"\r\n" in text.read_bytes()


def test_edited_on_both_sides_the_folders_text_becomes_a_submission_and_the_sites_stays(
    engine: Engine, root: Path, level: None, run: Sync
) -> None:
    save(root, document(word="ours"))
    publish(engine, document(word="theirs"))
    done = run()
    assert (done.submitted, done.written) == ([A], [A])
    assert submitted(engine) == [document(word="ours")]
    assert held(root) == served(engine) == document(word="theirs")


def test_an_approved_submission_comes_back_into_the_folder(engine: Engine, root: Path, level: None, run: Sync) -> None:
    save(root, document(word="ours"))
    publish(engine, document(word="theirs"))
    run()
    with writing(engine) as session:
        waiting = submissions.queue(session, submissions.Wished())[0]
        proposals.approve(session, waiting.id or 0, waiting.version, Who(1, "rita", "reviewer"))
    assert run().written == [A]
    assert held(root) == document(word="ours")


def test_never_level_and_different_becomes_a_submission_too(engine: Engine, root: Path, run: Sync) -> None:
    publish(engine, document(word="theirs"))
    save(root, document(word="ours"))
    assert run().submitted == [A]
    assert submitted(engine) == [document(word="ours")]
    assert held(root) == document(word="theirs")


def test_never_level_and_the_same_is_only_noted(engine: Engine, root: Path, run: Sync) -> None:
    publish(engine, document())
    save(root, document())
    assert run().quiet
    assert list(bases(engine).values()) == [document().digest()]


def test_never_level_and_an_earlier_revision_is_not_an_edit(engine: Engine, root: Path, run: Sync) -> None:
    publish(engine, document())
    publish(engine, document(word="second"))
    save(root, document())
    done = run()
    assert (done.submitted, done.written) == ([], [A])


def test_a_bundle_that_is_set_back_on_purpose_is_published(engine: Engine, root: Path, level: None, run: Sync) -> None:
    publish(engine, document(word="second"))
    run()
    save(root, document())
    assert run().changed == [A]
    assert served(engine) == document()


def test_the_same_edit_on_both_sides_is_level(engine: Engine, root: Path, level: None, run: Sync) -> None:
    save(root, document(word="second"))
    publish(engine, document(word="second"))
    assert run().quiet


def test_a_removed_bundle_withdraws_its_entry_and_says_so(engine: Engine, root: Path, level: None, run: Sync) -> None:
    save(root, document(B))
    run()
    shutil.rmtree(root / A)
    done = run()
    assert (done.withdrawn, done.written) == ([A], [A])
    assert served(engine).status == held(root).status == "withdrawn"
    shutil.rmtree(root / A)
    assert run().quiet
    assert not (root / A).exists()


def test_a_bundle_of_a_withdrawn_entry_is_kept_and_published_again_by_its_status(
    engine: Engine, root: Path, level: None, run: Sync
) -> None:
    publish(engine, document(status="withdrawn"))
    assert run().written == [A]
    assert held(root).status == "withdrawn"
    save(root, document())
    assert run().changed == [A]
    assert served(engine).status == "published"


def test_a_status_that_is_set_in_the_folder_withdraws(engine: Engine, root: Path, level: None, run: Sync) -> None:
    save(root, document(status="withdrawn"))
    assert run().withdrawn == [A]
    assert served(engine).status == "withdrawn"


def test_removed_here_and_edited_on_the_site_the_words_stay(engine: Engine, root: Path, level: None, run: Sync) -> None:
    save(root, document(B))
    run()
    shutil.rmtree(root / A)
    publish(engine, document(word="second"))
    assert run().written == [A]
    assert held(root) == document(word="second")


def test_edited_here_and_withdrawn_on_the_site_the_words_become_a_submission(
    engine: Engine, root: Path, level: None, run: Sync
) -> None:
    save(root, document(word="ours"))
    publish(engine, document(status="withdrawn"))
    assert run().submitted == [A]
    assert submitted(engine) == [document(word="ours")]
    assert held(root).status == "withdrawn"


def test_a_renamed_bundle_leads_from_its_former_slug(engine: Engine, root: Path, level: None, run: Sync) -> None:
    shutil.rmtree(root / A)
    save(root, document(B, former=(A,)))
    done = run()
    assert (done.added, done.withdrawn, done.written) == ([B], [A], [])
    assert not (root / A).exists()
    with reading(engine) as session:
        assert table.moved_to(session, A) == B
    assert served(engine).status == "withdrawn"


def test_an_entry_that_was_renamed_on_the_site_moves_and_leaves_what_is_not_ours(
    engine: Engine, root: Path, level: None, run: Sync
) -> None:
    (root / A / "notes.txt").write_text("mine")
    publish(engine, document(B, former=(A,)))
    publish(engine, document(status="withdrawn"))
    done = run()
    assert (done.written, done.removed) == ([B], [A])
    assert [path.name for path in (root / A).iterdir()] == ["notes.txt"]


def test_an_edit_of_a_bundle_that_was_renamed_on_the_site_becomes_a_submission(
    engine: Engine, root: Path, level: None, run: Sync
) -> None:
    save(root, document(word="ours"))
    publish(engine, document(B, former=(A,)))
    publish(engine, document(status="withdrawn"))
    done = run()
    assert (done.submitted, done.removed) == ([A], [A])
    assert submitted(engine) == [document(word="ours")]


def test_a_whole_project_may_be_renamed(engine: Engine, root: Path, run: Sync) -> None:
    for number in range(20):
        save(root, document(f"old/e{number}"))
    run()
    shutil.rmtree(root / "old")
    for number in range(20):
        save(root, document(f"new/e{number}", former=(f"old/e{number}",)))
    done = run()
    assert len(done.added) == len(done.withdrawn) == 20
    assert not done.kept


@pytest.mark.parametrize("left", [0, 14])
def test_many_removed_at_once_stay_until_told_to_prune(engine: Engine, root: Path, run: Sync, left: int) -> None:
    for number in range(20):
        publish(engine, document(f"verl/e{number:02d}"))
    run()
    for number in range(left, 20):
        shutil.rmtree(root / f"verl/e{number:02d}")
    assert len(run().kept) == 20 - left
    assert served(engine, "verl/e19").status == "published"
    assert len(run(prune=True).withdrawn) == 20 - left
    assert served(engine, "verl/e19").status == "withdrawn"


def test_an_emptied_folder_is_not_filled_so_that_the_next_run_withdraws_nothing_either(
    engine: Engine, root: Path, level: None, run: Sync
) -> None:
    shutil.rmtree(root / "verl")
    publish(engine, document(B))
    assert sync.write_out(engine, root, [B]).quiet
    assert run().kept == [A]
    assert served(engine).status == "published"


def test_a_folder_without_id_withdraws_nothing_and_takes_everything(
    engine: Engine, root: Path, level: None, run: Sync
) -> None:
    shutil.rmtree(root)
    assert run().written == [A]
    assert served(engine).status == "published"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("entry.toml", b"kind = "),
        ("entry.toml", b'kind = "error"\nupdated = 2026-11-20\ncolour = "red"\n'),
        ("en.md", b"no title\n"),
        ("en.md", "gb18030: 报错".encode("gb18030")),
        ("en.md", b"# a\n\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> theirs\n"),
    ],
)
def test_a_broken_bundle_is_named_and_left_alone_with_its_entry(
    *, engine: Engine, root: Path, level: None, run: Sync, name: str, content: bytes
) -> None:
    (root / A / name).write_bytes(content)
    publish(engine, document(word="second"))
    before = files(root)
    done = run()
    assert {finding.slug for finding in done.findings} == {A}
    assert files(root) == before
    assert served(engine) == document(word="second")


def test_texts_without_their_facts_are_broken_not_gone(engine: Engine, root: Path, level: None, run: Sync) -> None:
    save(root, document(B))
    run()
    (root / A / "entry.toml").unlink()
    assert [finding.path for finding in run().findings] == [f"{A}/entry.toml"]
    assert served(engine).status == "published"
    assert (root / A / "en.md").exists()


def test_conflict_markers_in_a_fence_are_text(engine: Engine, root: Path, level: None, run: Sync) -> None:
    (root / A / "en.md").write_text("# a\n\n```\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> theirs\n```\n")
    assert run().changed == [A]


@pytest.mark.parametrize("inside", ["", "en.md", "examples", "examples/01.txt"])
def test_links_lead_out_of_the_folder_and_are_not_followed(
    *, engine: Engine, root: Path, level: None, run: Sync, place: Path, inside: str
) -> None:
    outside = place / "outside"
    (root / A / inside).rename(outside)
    (root / A / inside).symlink_to(outside)
    before = files(place / "outside") if outside.is_dir() else outside.read_bytes()
    publish(engine, document(word="second"))
    assert [finding.slug for finding in run().findings] == [A]
    assert (files(place / "outside") if outside.is_dir() else outside.read_bytes()) == before


def test_what_is_not_ours_is_never_touched(engine: Engine, root: Path, level: None, run: Sync) -> None:
    theirs = ["README.md", f"{A}/picture.png", f"{A}/examples/raw.log", ".git/a/entry.toml", ".github/b/entry.toml"]
    for name in theirs:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"mine")
    publish(engine, document(word="second", examples=()))
    run()
    publish(engine, document(status="withdrawn"))
    assert not run().findings
    assert {name: (root / name).read_bytes() for name in theirs} == dict.fromkeys(theirs, b"mine")


def test_examples_keep_the_names_of_their_files(engine: Engine, root: Path, run: Sync) -> None:
    save(root, document(examples=("one\n", "two\n")))
    (root / A / "examples" / "01.txt").rename(root / A / "examples" / "nan.txt")
    (root / A / "examples" / "02.txt").rename(root / A / "examples" / "oom.txt")
    run()
    publish(engine, document(examples=("two\n", "three\n")))
    run()
    assert {path.name: path.read_text() for path in (root / A / "examples").iterdir()} == {
        "oom.txt": "two\n",
        "oom_2.txt": "three\n",
    }


def test_what_files_cannot_tell_apart_is_level(engine: Engine, root: Path, run: Sync) -> None:
    publish(engine, document(en=Text(title=" blanks ", body="\n\na\n\n"), examples=("a\r\nb",)))
    assert run().written == [A]


def test_an_entry_that_no_bundle_can_hold_is_named_and_left_alone(engine: Engine, root: Path, run: Sync) -> None:
    publish(engine, document(examples=("large " * 200_000,)))
    assert [finding.slug for finding in run().findings] == [A]
    assert not files(root)


@pytest.mark.parametrize("sign", ["index.lock", "MERGE_HEAD", "rebase-merge/head-name"])
def test_nothing_moves_while_git_is_at_work(engine: Engine, root: Path, level: None, run: Sync, sign: str) -> None:
    path = root / ".git" / sign
    path.parent.mkdir(parents=True)
    path.touch()
    save(root, document(word="transit"))
    assert [finding.path for finding in run().findings] == [".git"]
    assert served(engine) == document()


def test_a_published_slug_is_written_out_at_once_and_others_are_left_to_the_next_run(
    engine: Engine, root: Path, level: None
) -> None:
    publish(engine, document(word="second"))
    publish(engine, document(B))
    assert sync.write_out(engine, root, [A]).written == [A]
    assert held(root) == document(word="second")
    assert not (root / B).exists()
    assert sync.mirror(engine, root).written == [B]


def test_writing_out_loses_no_edit_and_withdraws_nothing(engine: Engine, root: Path, level: None) -> None:
    save(root, document(word="ours"))
    publish(engine, document(word="theirs"))
    assert sync.write_out(engine, root, [A]).submitted == [A]
    assert "ours" in stored_texts(engine)
    shutil.rmtree(root / A)
    assert sync.write_out(engine, root, [A, "no/such"]).quiet
    assert served(engine).status == "published"


def test_progress_counts_every_bundle(engine: Engine, root: Path, level: None) -> None:
    seen: list[tuple[int, int]] = []
    sync.mirror(engine, root, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 1)]


def test_an_upgrade_of_the_shipped_corpus_meets_an_edit_from_the_folder_as_a_submission(
    engine: Engine, root: Path, place: Path, run: Sync
) -> None:
    shipped = place / "shipped"
    save(shipped, document())
    sync.ingest(engine, shipped)
    run()
    save(root, document(word="ours"))
    run()
    save(shipped, document(word="upgrade"))
    assert sync.ingest(engine, shipped).submitted == [A]
    assert run().quiet
    assert served(engine) == held(root) == document(word="ours")
