"""counts of wrong sign-ins, and the addresses that people signed in from

Revision: 0003, after 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sign_in_count",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    with op.batch_alter_table("sign_in_count", schema=None) as batch_op:
        batch_op.create_index("ix_sign_in_count_until", ["until"], unique=False)

    op.create_table(
        "known_address",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"]),
        sa.PrimaryKeyConstraint("person", "address"),
    )
    with op.batch_alter_table("known_address", schema=None) as batch_op:
        batch_op.create_index("ix_known_address_last", ["last"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("known_address", schema=None) as batch_op:
        batch_op.drop_index("ix_known_address_last")

    op.drop_table("known_address")
    with op.batch_alter_table("sign_in_count", schema=None) as batch_op:
        batch_op.drop_index("ix_sign_in_count_until")

    op.drop_table("sign_in_count")
