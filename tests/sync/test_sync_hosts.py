"""Several hosts with their own clones of a folder, one database, and edits everywhere."""

import contextlib
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Engine

from app import sync
from app.config import Settings
from app.store.engine import connect
from tests.sync.folders import (
    A,
    B,
    C,
    Crash,
    assert_level,
    clear,
    crash_after,
    document,
    entries,
    files,
    held,
    publish,
    save,
    served,
    stored_texts,
    submitted,
)

SLUGS = st.sampled_from([A, B, C])
HOST = st.integers(0, 2)


def copy(root: Path, target: Path) -> Path:
    """A copy of a folder with everything, also what sync keeps in it."""
    shutil.copytree(root, target)
    return target


def clone(root: Path, target: Path) -> Path:
    """What git would bring to another host."""
    shutil.copytree(root, target, ignore=shutil.ignore_patterns(".errdex"))
    return target


@pytest.mark.parametrize("another", [copy, clone])
def test_an_old_clone_neither_sets_an_entry_back_nor_asks_for_review(
    engine: Engine, root: Path, place: Path, level: None, another: object
) -> None:
    assert callable(another)
    other = another(root, place / "other")
    publish(engine, document(word="second"))
    sync.mirror(engine, root)
    done = sync.mirror(engine, other)
    assert (done.written, done.changed, done.submitted) == ([A], [], [])
    assert served(engine) == held(other) == document(word="second")


@pytest.mark.parametrize("another", [copy, clone])
def test_edits_of_two_hosts_meet_on_the_site(
    engine: Engine, root: Path, place: Path, level: None, another: object
) -> None:
    assert callable(another)
    other = another(root, place / "other")
    sync.mirror(engine, other)
    save(root, document(word="one"))
    save(other, document(word="two"))
    assert sync.mirror(engine, root).changed == [A]
    assert sync.mirror(engine, other).submitted == [A]
    assert submitted(engine) == [document(word="two")]
    assert held(root) == held(other) == document(word="one")


def test_a_folder_made_from_the_shipped_corpus_is_a_folder_of_its_own(engine: Engine, place: Path) -> None:
    shipped = place / "shipped"
    save(shipped, document())
    (shipped / ".errdex").mkdir()
    (shipped / ".errdex" / "id").write_text("errdex-shipped\n")
    sync.ingest(engine, shipped)
    team = copy(shipped, place / "team")
    sync.mirror(engine, team)
    save(shipped, document(word="upgrade"))
    sync.ingest(engine, shipped)
    assert sync.mirror(engine, team).written == [A]
    assert sync.ingest(engine, shipped).quiet
    assert served(engine) == document(word="upgrade")


def test_a_folder_meets_a_database_that_was_emptied(engine: Engine, root: Path, level: None) -> None:
    clear(engine)
    assert sync.mirror(engine, root).added == [A]


class Hosts(RuleBasedStateMachine):
    """People write here and there, hosts sync now and then, and some of them go down meanwhile."""

    def __init__(self, engine: Engine, place: Path) -> None:
        super().__init__()
        self.engine = engine
        clear(engine)
        self.place = Path(tempfile.mkdtemp(dir=place))
        self.roots = [self.place / "0"]
        # slugs that a person touched on a host since its last whole sync
        self.touched: list[set[str]] = [set()]
        self.words: set[str] = set()
        self.number = 0

    def word(self) -> str:
        """A word that was never written before."""
        self.number += 1
        return f"w{self.number}w"

    def written(self, slug: str) -> dict[str, object]:
        """Parts of a new document, each with a word of its own that must not get lost."""
        parts = [self.word() for _ in range(4)]
        self.words.update(parts)
        texts = {"en": {"title": parts[1], "body": ""}, "zh": {"title": parts[2], "body": ""}}
        return {"slug": slug, "word": parts[0], **texts, "examples": (parts[3],)}

    def forget(self, root: Path, slug: str) -> None:
        """A person throws away what a bundle holds."""
        texts = b"\n".join(files(root / slug).values()) if (root / slug).exists() else b""
        stored = stored_texts(self.engine)
        self.words = {word for word in self.words if word in stored or word.encode() not in texts}

    def host(self, number: int) -> int:
        """One of the hosts that there are."""
        return number % len(self.roots)

    @initialize()
    def begin(self) -> None:
        """There is something on both sides."""
        publish(self.engine, document(**self.written(A)))  # type: ignore[arg-type]
        sync.mirror(self.engine, self.roots[0])

    @rule(slug=SLUGS)
    def edit_on_the_site(self, slug: str) -> None:
        publish(self.engine, document(**self.written(slug)))  # type: ignore[arg-type]

    @rule(slug=SLUGS)
    def withdraw_on_the_site(self, slug: str) -> None:
        if slug in entries(self.engine):
            publish(self.engine, served(self.engine, slug).model_copy(update={"status": "withdrawn"}))

    @rule(number=HOST, slug=SLUGS)
    def edit_in_a_folder(self, number: int, slug: str) -> None:
        at = self.host(number)
        self.forget(self.roots[at], slug)
        save(self.roots[at], document(**self.written(slug)))  # type: ignore[arg-type]
        self.touched[at].add(slug)

    @rule(number=HOST, slug=SLUGS)
    def remove_in_a_folder(self, number: int, slug: str) -> None:
        at = self.host(number)
        self.forget(self.roots[at], slug)
        shutil.rmtree(self.roots[at] / slug, ignore_errors=True)
        self.touched[at].add(slug)

    @rule(number=HOST, old=SLUGS, new=SLUGS)
    def rename_in_a_folder(self, number: int, old: str, new: str) -> None:
        at = self.host(number)
        root = self.roots[at]
        if old == new or (root / new).exists() or not (root / old / "entry.toml").exists():
            return
        if sync.mirror(self.engine, root, dry_run=True).findings:
            return
        try:
            present = held(root, old)
        except Exception:
            # what a crash left, which only the next run can read
            return
        shutil.rmtree(root / old)
        save(root, present.model_copy(update={"slug": new, "former": (old,)}))
        self.touched[at].update((old, new))

    @rule(number=HOST, slug=SLUGS)
    def break_in_a_folder(self, number: int, slug: str) -> None:
        at = self.host(number)
        path = self.roots[at] / slug / "en.md"
        if path.exists():
            self.forget(self.roots[at], slug)
            path.write_bytes(b"no title " + self.word().encode())
            self.touched[at].add(slug)

    @rule(number=HOST, prune=st.booleans())
    def sync_a_host(self, number: int, prune: bool) -> None:
        at = self.host(number)
        before = {slug: entry.digest() for slug, entry in entries(self.engine).items()}
        waiting = len(submitted(self.engine))
        broken = {finding.slug for finding in sync.mirror(self.engine, self.roots[at], prune=prune).findings}
        again = sync.mirror(self.engine, self.roots[at], prune=prune)
        assert {finding.slug for finding in again.findings} == broken
        again.findings = []
        assert again.quiet or again.kept
        assert not prune or not again.kept
        after = {slug: entry.digest() for slug, entry in entries(self.engine).items()}
        asked = {entry.slug for entry in submitted(self.engine)[waiting:]}
        renamed = {slug for entry in entries(self.engine).values() for slug in entry.former}
        changed = {slug for slug in after if after[slug] != before.get(slug)}
        assert changed | asked <= self.touched[at] | renamed
        self.touched[at] = broken | set(again.kept)

    @rule(number=HOST, steps=st.integers(1, 14))
    def crash_on_a_host(self, number: int, steps: int) -> None:
        with contextlib.suppress(Crash):
            sync.mirror(self.engine, self.roots[self.host(number)], after_step=crash_after(steps))

    @rule(number=HOST, slug=SLUGS)
    def write_out_on_a_host(self, number: int, slug: str) -> None:
        sync.write_out(self.engine, self.roots[self.host(number)], [slug])

    @precondition(lambda self: len(self.roots) < 3)
    @rule(number=HOST, whole=st.booleans())
    def another_host(self, number: int, whole: bool) -> None:
        at = self.host(number)
        target = self.place / str(len(self.roots))
        # git does not bring what is half written
        unfinished = (self.roots[at] / ".errdex" / "writing").exists()
        (copy if whole or unfinished else clone)(self.roots[at], target)
        self.roots.append(target)
        self.touched.append(set(self.touched[at]))

    @invariant()
    def every_word_is_somewhere(self) -> None:
        texts = stored_texts(self.engine) + "\n".join(
            content.decode() for root in self.roots if root.exists() for content in files(root).values()
        )
        assert not [word for word in self.words if word not in texts]

    def teardown(self) -> None:
        """At last everything is the same everywhere."""
        for root in self.roots:
            for slug in (A, B, C):
                path = root / slug / "en.md"
                if path.exists() and path.read_bytes().startswith(b"no title"):
                    path.write_bytes(b"# mended\n")
        for _ in range(2):
            for root in self.roots:
                sync.mirror(self.engine, root, prune=True)
        for root in self.roots:
            assert sync.mirror(self.engine, root).quiet
            assert_level(self.engine, root)
        self.every_word_is_somewhere()
        shutil.rmtree(self.place)


def test_whatever_people_and_hosts_do_no_words_are_lost_and_all_become_the_same(engine: Engine, place: Path) -> None:
    run_state_machine_as_test(
        lambda: Hosts(engine, place),  # type: ignore[arg-type]
        settings=hypothesis_settings(
            max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


@pytest.fixture
def shared(place: Path) -> Path:
    """A folder with bundles that no one has synced."""
    root = place / "shared"
    for number in range(12):
        save(root, document(f"verl/e{number:02d}"))
    return root


def test_hosts_that_sync_at_once_publish_each_bundle_once(
    engine: Engine, settings: Settings, shared: Path, place: Path
) -> None:
    roots = [shared, *(clone(shared, place / f"clone{number}") for number in range(2))]

    def sync_one(root: Path) -> None:
        own = connect(settings)
        sync.mirror(own, root)
        own.dispose()

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(sync_one, [*roots, shared]))
    assert len(entries(engine)) == 12
    assert not submitted(engine)
    for root in roots:
        assert_level(engine, root)
