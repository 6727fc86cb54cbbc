"""credit: who wrote what was published, and which person sent a submission

Revision: 0007, after 0006.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("revision", sa.Column("author", sa.String(length=120), nullable=False, server_default=""))
    op.add_column("submission", sa.Column("person", sa.Integer(), nullable=True))


def downgrade() -> None:
    # by hand: building the tables anew would take the rows that refer to them along
    op.execute("ALTER TABLE submission DROP COLUMN person")
    op.execute("ALTER TABLE revision DROP COLUMN author")
