"""patterns of errors without an entry are released by a reviewer; digests of a day

What was kept before is released by nobody: reviewers see it, the public does not.

Revision: 0004, after 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "wanted_person",
        sa.Column("fingerprint", sa.String(length=32), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", "person"),
    )
    op.create_table(
        "wanted_released",
        sa.Column("fingerprint", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint"),
    )
    op.create_table(
        "day_salt",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("day"),
    )
    op.create_table(
        "day_digest",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("about", sa.String(length=80), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("day", "about", "digest"),
    )


def downgrade() -> None:
    op.drop_table("day_digest")
    op.drop_table("day_salt")
    op.drop_table("wanted_released")
    op.drop_table("wanted_person")
