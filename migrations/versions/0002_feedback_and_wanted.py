"""feedback on entries, and errors that found none

Revision: 0002, after 0001.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "feedback",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=161), nullable=False),
        sa.Column("voter", sa.String(length=64), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("vote", sa.String(length=16), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("noted", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seen", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("slug", "voter"),
    )
    with op.batch_alter_table("feedback", schema=None) as batch_op:
        batch_op.create_index("ix_feedback_noted", ["noted"], unique=False)

    op.create_table(
        "wanted",
        sa.Column("fingerprint", sa.String(length=32), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("first", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dismissed", sa.Boolean(), nullable=False),
        sa.Column("pattern", sa.String(length=300), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint"),
    )
    with op.batch_alter_table("wanted", schema=None) as batch_op:
        batch_op.create_index("ix_wanted_asked", ["asked"], unique=False)
        batch_op.create_index("ix_wanted_last", ["last"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("wanted", schema=None) as batch_op:
        batch_op.drop_index("ix_wanted_last")
        batch_op.drop_index("ix_wanted_asked")

    op.drop_table("wanted")
    with op.batch_alter_table("feedback", schema=None) as batch_op:
        batch_op.drop_index("ix_feedback_noted")

    op.drop_table("feedback")
