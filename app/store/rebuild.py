"""What the database keeps about itself: the version of its index."""

from sqlalchemy import Engine
from sqlmodel import col, select

from app.content.schema import EntryDocument
from app.store import entries, entry_index
from app.store.entry_tables import Entry
from app.store.installation_tables import INDEX_VERSION, Stored
from app.store.session import writing


def rebuild(engine: Engine) -> int:
    """Index every entry again when the index was made by another version; return how many were."""
    with writing(engine) as session:
        made_by = session.get(Stored, INDEX_VERSION)
        if made_by is not None and made_by.text == entry_index.VERSION:
            return 0
        rows = session.execute(select(col(Entry.id), col(Entry.revision), col(Entry.document))).all()
        for key, revision, text in rows:
            # The text is passed on as it is stored, so that its digest stays what it was.
            stored = entry_index.stored(EntryDocument.model_validate_json(text), text)
            entries.write(session, key or 0, stored, revision, {})
        session.merge(Stored(name=INDEX_VERSION, text=entry_index.VERSION))
        return len(rows)
