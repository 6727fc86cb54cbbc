"""However an entry came into the database, and whenever it was indexed, the same is stored of it."""

from typing import Any

from sqlalchemy import Engine, text
from sqlmodel import Session

from app import sync
from app.asking.question_service import Questions
from app.config import ROOT
from app.content import bundle
from app.content.schema import EntryDocument, digest_of
from app.store.installation_tables import INDEX_VERSION
from app.store.session import reading, writing
from app.transfer import jsonl
from app.wiki import publishing

SLUGS = ("skyrl/http-400", "verl/ray-timeline", "rlinf/mujoco-egl-device-id")
DOCUMENTS = [bundle.read(ROOT / "content" / slug, slug) for slug in SLUGS]


def stored(session: Session) -> list[tuple[dict[str, Any], list[str]]]:
    """The columns of every entry but its number, its revision and its moment, and the terms that find it."""
    found = []
    for row in session.execute(text("SELECT * FROM entry ORDER BY slug")).mappings():
        query = text("SELECT term.text FROM posting JOIN term ON term.id = posting.term WHERE posting.entry = :id")
        terms = sorted(session.execute(query, {"id": row["id"]}).scalars())
        found.append(({key: value for key, value in row.items() if key not in ("id", "revision", "changed")}, terms))
    return found


def publish(engine: Engine, documents: list[EntryDocument]) -> None:
    """Publish one by one."""
    with writing(engine) as session:
        for document in documents:
            publishing.publish(session, document, actor="mila")


def test_published_one_by_one_changed_and_imported_it_is_stored_alike(engine: Engine) -> None:
    publish(engine, DOCUMENTS)
    with reading(engine) as session:
        first = stored(session)
    assert [columns["slug"] for columns, terms in first if terms] == sorted(SLUGS)
    other = [document.model_copy(update={"en": DOCUMENTS[0].zh}) for document in DOCUMENTS]
    publish(engine, other)
    with reading(engine) as session:
        assert stored(session) != first
    done = jsonl.import_lines(engine, [document.canonical() for document in DOCUMENTS])
    assert done.changed == len(DOCUMENTS)
    with reading(engine) as session:
        assert stored(session) == first


def test_an_index_of_another_version_is_made_anew_in_every_column(engine: Engine) -> None:
    publish(engine, DOCUMENTS)
    with reading(engine) as session:
        first = stored(session)
    with writing(engine) as session:
        session.execute(
            text(
                "UPDATE entry SET project = 'x', kind = 'x', title_en = 'x', title_zh = 'x', features = '', words = ''"
            )
        )
        session.execute(text("DELETE FROM posting"))
        session.execute(text("DELETE FROM term"))
        session.execute(text("UPDATE stored SET text = '1' WHERE name = :name"), {"name": INDEX_VERSION})
    assert sync.rebuild(engine) == len(DOCUMENTS)
    with reading(engine) as session:
        assert stored(session) == first
    assert sync.rebuild(engine) == 0


def test_who_asked_before_is_answered_from_the_index_that_was_made_anew(engine: Engine) -> None:
    publish(engine, DOCUMENTS)
    sync.rebuild(engine)
    questions = Questions(engine)
    example = DOCUMENTS[0].examples[0]

    def first() -> list[str]:
        return [match.slug for match in questions.ask(example).matches]

    assert first() == [SLUGS[0]]
    with writing(engine) as session:
        session.execute(text("DELETE FROM posting"))
        session.execute(text("UPDATE stored SET text = '1' WHERE name = :name"), {"name": INDEX_VERSION})
    assert first() == []
    assert sync.rebuild(engine) == len(DOCUMENTS)
    assert first() == [SLUGS[0]]
    publish(engine, [DOCUMENTS[0].model_copy(update={"status": "withdrawn"})])
    assert first() == []


def test_indexing_anew_changes_neither_revision_nor_digest(engine: Engine) -> None:
    """Also of a document that a release before wrote in another form."""
    publish(engine, DOCUMENTS[:1])
    with writing(engine) as session:
        session.execute(text("UPDATE entry SET document = document || ' ', digest = :d"), {"d": digest_of_padded()})
        session.execute(text("UPDATE stored SET text = '1' WHERE name = :name"), {"name": INDEX_VERSION})
        before = session.execute(text("SELECT revision, digest, changed FROM entry")).one()
    assert sync.rebuild(engine) == 1
    with reading(engine) as session:
        assert session.execute(text("SELECT revision, digest, changed FROM entry")).one() == before


def digest_of_padded() -> str:
    """The digest of the first document with a blank behind it."""
    return digest_of(f"{DOCUMENTS[0].canonical()} ")
