"""Folders of bundles <-> database. Three-way, with a base kept per folder, so that nobody's words are lost."""

from app.store.rebuild import rebuild
from app.sync.ingest import ingest
from app.sync.mirror import mirror, write_out, write_out_later
from app.sync.outcome import Outcome, Progress

__all__ = ["Outcome", "Progress", "ingest", "mirror", "rebuild", "write_out", "write_out_later"]
