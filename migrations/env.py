"""What alembic runs: on the connection that `app.store.migrate` hands over, or for autogenerate on one of its own."""

from alembic import context
from sqlmodel import SQLModel

import app.store.name_tables
import app.store.tables  # noqa: F401
from app.config import Settings
from app.store.engine import connect

connection = context.config.attributes.get("connection")
if connection is None:
    settings = context.config.attributes.get("settings") or Settings()
    connection = connect(settings).connect()

context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
