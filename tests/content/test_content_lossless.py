"""Whatever an entry holds, it comes back the same: from a folder, and from JSON lines through a database."""

import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from sqlalchemy import Engine

from app.config import Settings
from app.content import bundle
from app.content.canonical import facts
from app.content.schema import WRITTEN, EntryDocument, Part, choices
from app.store.engine import connect
from app.store.session import reading
from app.transfer import jsonl
from tests.conftest import create, drop, make

NAMES = st.from_regex(r"[a-z0-9][a-z0-9-]{0,12}", fullmatch=True)
SLUGS = st.builds("{}/{}".format, NAMES, NAMES)
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
FILLED = WORDS.filter(lambda text: bool(text.strip()))
LINES = FILLED.filter(lambda text: not set("\r\n") & set(text))
TEXTS = st.fixed_dictionaries({"title": LINES, "body": WORDS})
FRAMES = st.from_regex(r"[a-z/_.]{1,9}:[a-z<>_]{1,9}", fullmatch=True)
UNLESS = st.lists(
    st.one_of(
        FILLED.filter(lambda text: len(text) > 2 and not text.startswith("frame:")), FRAMES.map("frame:{}".format)
    ),
    max_size=10,
)
SIGNATURES = st.one_of(
    st.fixed_dictionaries(
        {"pattern": FILLED.filter(lambda text: len(text) > 2)},
        optional={"weak": st.booleans(), "unconfirmed": st.booleans(), "unless": UNLESS},
    ),
    st.fixed_dictionaries({"frame": FRAMES}, optional={"unless": UNLESS}),
)
LANG_LINES = st.dictionaries(st.sampled_from(["en", "zh"]), st.lists(LINES, max_size=3))
NEEDED = {"slug": SLUGS, "updated": st.dates(date(1, 1, 1), date(9999, 12, 31)), "en": TEXTS}
OPTIONAL: dict[str, st.SearchStrategy[object]] = {
    "zh": TEXTS,
    **{
        name: st.sampled_from([word for word in words if word])
        for name, words in choices().items()
        if name in EntryDocument.model_fields
    },
    "components": st.lists(NAMES, max_size=3),
    "tags": st.lists(NAMES, max_size=3),
    "also": st.lists(SLUGS, max_size=2),
    "former": st.lists(SLUGS, max_size=2, unique=True),
    "related": st.lists(SLUGS, max_size=2),
    "titles": LANG_LINES,
    "signatures": st.lists(SIGNATURES, max_size=4),
    "affects": st.dictionaries(WORDS, st.sampled_from(["", "<0.7", ">=1.2,<2", "==1.*"]), max_size=2),
    "fixed": st.lists(
        st.fixed_dictionaries(
            {"package": st.sampled_from(["torch", "flash-attn"]), "release": st.sampled_from(["2.6", "0.8.5.post1"])},
            optional={"url": st.sampled_from(["", "https://example.com/a"])},
        ),
        max_size=3,
    ),
    "pairs": st.lists(
        st.fixed_dictionaries(
            {
                "works": st.booleans(),
                "versions": st.dictionaries(
                    st.sampled_from(["trl", "vllm", "cuda"]), st.sampled_from(["", "<0.7", ">=1.2,<2"]), min_size=2
                ),
            }
        ),
        max_size=3,
    ),
    "actions": st.fixed_dictionaries({}, optional={"retryable": st.booleans(), "needs": st.just("human")}),
    "sources": st.lists(
        st.fixed_dictionaries({"title": LINES, "url": st.just("https://example.com/a")}, optional={"license": WORDS}),
        max_size=2,
    ),
    "level": st.dictionaries(st.sampled_from(["en", "zh"]), st.dictionaries(WORDS, WORDS, max_size=2)),
    "examples": st.lists(WORDS, max_size=12),
}
PLAIN = st.fixed_dictionaries(NEEDED, optional=OPTIONAL)


def document(plain: dict[str, object]) -> EntryDocument | None:
    """The entry, when the schema takes it."""
    try:
        return EntryDocument.model_validate(plain, context=WRITTEN)
    except ValidationError:
        return None


DOCUMENTS = PLAIN.map(document).filter(lambda found: found is not None)


def test_every_field_of_the_schema_is_tried() -> None:
    assert {*NEEDED, *OPTIONAL} == set(EntryDocument.model_fields)


class Leak(Part):
    """A part that the schema of today does not have."""

    litres: int


class WiderDocument(EntryDocument):
    """The schema of some later release."""

    severity: str | None = None
    leaks: tuple[Leak, ...] = ()


def test_a_field_that_is_added_to_the_schema_is_written_without_another_hand() -> None:
    plain = {"slug": "pump/leak", "updated": "2026-01-02", "en": {"title": "A leak", "body": ""}}
    told = {"severity": "fatal", "leaks": [{"litres": 3}, {"litres": 4}]}
    written = tomllib.loads(facts(WiderDocument.model_validate(plain | told)))
    assert {key: written[key] for key in told} == told
    assert "severity" not in tomllib.loads(facts(WiderDocument.model_validate(plain)))


@given(DOCUMENTS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_bundle_that_was_written_reads_back_equal(entry: EntryDocument) -> None:
    """On disk and in memory are the same, and writing again changes no byte."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / entry.slug
        bundle.write(folder, entry)
        again = bundle.read(folder, entry.slug)
    assert again.canonical() == entry.canonical()
    assert bundle.files(again) == bundle.files(entry)


@given(entries=st.lists(DOCUMENTS, min_size=1, max_size=8))
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_an_export_imported_and_exported_again_is_equal(blank: Settings, entries: list[EntryDocument]) -> None:
    """Through a database, the last of each slug."""
    last = {entry.slug: entry.canonical() for entry in entries}
    with copy_of(blank) as engine:
        done = jsonl.import_lines(engine, [entry.canonical() for entry in entries])
        assert (done.added, done.broken) == (len(last), [])
        exported = export(engine)
    assert exported == [last[slug] for slug in sorted(last)]
    with copy_of(blank) as engine:
        jsonl.import_lines(engine, exported)
        assert export(engine) == exported
        assert jsonl.import_lines(engine, exported).unchanged == len(last)


def export(engine: Engine) -> list[str]:
    """All lines of an export."""
    with reading(engine) as session:
        return list(jsonl.export_lines(session))


@contextmanager
def copy_of(blank: Settings) -> Iterator[Engine]:
    """A database without entries."""
    with tempfile.TemporaryDirectory() as folder:
        made = make(Path(folder))
        create(made, blank)
        engine = connect(made)
        try:
            yield engine
        finally:
            engine.dispose()
            drop(made)
