"""Folders of bundles and the database, brought level three-way with a base per folder: nobody's words are lost."""

from app.store.rebuild import rebuild
from app.sync.ingest import ingest
from app.sync.mirror import mirror, write_out, write_out_later
from app.sync.outcome import Outcome, Progress

__all__ = ["Outcome", "Progress", "ingest", "mirror", "rebuild", "write_out", "write_out_later"]
