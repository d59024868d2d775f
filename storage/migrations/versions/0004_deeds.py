"""Who did what"""

import sqlalchemy as sa
from alembic import op

import storage.tables

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "deeds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", storage.tables.UtcDateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(length=200), nullable=False),
        sa.Column("deed", sa.String(length=50), nullable=False),
        sa.Column("collection", sa.String(length=200), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deeds")),
    )


def downgrade() -> None:
    op.drop_table("deeds")
