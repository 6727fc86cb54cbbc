"""What the database keeps about itself: the version of its index."""

from sqlalchemy import Engine
from sqlmodel import select

from app import index
from app.content.schema import EntryDocument
from app.models import Entry, Stored
from app.store import postings
from app.store.session import writing

INDEX = "index-version"


def rebuild(engine: Engine) -> int:
    """Index every entry again when the index was made by another version; return how many were."""
    with writing(engine) as session:
        stored = session.get(Stored, INDEX)
        if stored is not None and stored.text == index.VERSION:
            return 0
        rows = session.exec(select(Entry)).all()
        for entry in rows:
            document = EntryDocument.model_validate_json(entry.document)
            entry.features, entry.words = index.features(document), index.words(document)
            session.flush()
            postings.post(session, entry.id or 0, index.terms(document) if entry.status == "published" else frozenset())
        session.merge(Stored(name=INDEX, text=index.VERSION))
        return len(rows)
