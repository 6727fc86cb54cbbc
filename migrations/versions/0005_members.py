"""members: their state, language and e-mail address; tokens for programs, one-time links, and who did what

Revision: 0005, after 0004.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("email", sa.String(length=254), nullable=False, server_default=""))
    op.add_column("person", sa.Column("language", sa.String(length=2), nullable=False, server_default=""))
    op.add_column("person", sa.Column("state", sa.String(length=16), nullable=False, server_default="active"))
    op.add_column("login_session", sa.Column("began", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "access_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("scope", sa.String(length=16), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked", sa.DateTime(timezone=True), nullable=True),
        sa.Column("used", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index("ix_access_token_person", "access_token", ["person"], unique=False)
    op.create_table(
        "one_time_link",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"]),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index("ix_one_time_link_person", "one_time_link", ["person"], unique=False)
    op.create_table(
        "audit_record",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Integer(), nullable=True),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("act", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("before", sa.String(length=200), nullable=False),
        sa.Column("after", sa.String(length=200), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_audit_record_at", "audit_record", ["at"], unique=False)
    op.create_index("ix_audit_record_actor", "audit_record", ["actor"], unique=False)


def downgrade() -> None:
    op.drop_table("audit_record")
    op.drop_table("one_time_link")
    op.drop_table("access_token")
    # by hand: building the table anew would take the rows that refer to it along
    op.execute("ALTER TABLE login_session DROP COLUMN began")
    for column in ("state", "language", "email"):
        op.execute(f"ALTER TABLE person DROP COLUMN {column}")
