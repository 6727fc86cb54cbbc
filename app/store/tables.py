"""All tables. Who needs some of them imports the module that has them; a command that only asks is spared the rest."""

from sqlmodel import SQLModel

from app.store import (  # noqa: F401
    asked_tables,
    entry_tables,
    installation_tables,
    name_tables,
    people_tables,
    submission_tables,
)

METADATA = SQLModel.metadata
