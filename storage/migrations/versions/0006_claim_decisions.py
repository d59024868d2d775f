"""Claims that people merged or kept apart"""

import sqlalchemy as sa
from alembic import op

import storage.tables

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "claim_decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("kept", sa.Text(), nullable=False),
        sa.Column("other", sa.Text(), nullable=False),
        sa.Column("together", sa.Boolean(), nullable=False),
        sa.Column("reviewer", sa.String(length=200), nullable=False),
        sa.Column("decided_at", storage.tables.UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_claim_decisions_collection_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim_decisions")),
    )
    with op.batch_alter_table("claim_decisions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_claim_decisions_collection_id"), ["collection_id"], unique=False
        )


def downgrade() -> None:
    op.drop_table("claim_decisions")
