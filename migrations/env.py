"""What alembic runs: on the connection that `app.store.migrate` hands over, or for autogenerate on one of its own."""

from alembic import context

from app.config import Settings
from app.store.engine import connect
from app.store.tables import METADATA

connection = context.config.attributes.get("connection")
if connection is None:
    settings = context.config.attributes.get("settings") or Settings()
    connection = connect(settings).connect()

context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
