"""names: what a team calls its own projects, components, tags and families, and what submissions propose of it

Revision: 0008, after 0007.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "team_name",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "key"),
    )
    op.create_table(
        "suggested_name",
        sa.Column("submission", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"]),
        sa.PrimaryKeyConstraint("submission", "kind", "key"),
    )


def downgrade() -> None:
    op.drop_table("suggested_name")
    op.drop_table("team_name")
