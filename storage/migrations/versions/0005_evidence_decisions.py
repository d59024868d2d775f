"""Proposed evidence that people confirmed or rejected"""

import sqlalchemy as sa
from alembic import op

import storage.tables

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "evidence_decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.String(length=500), nullable=False),
        sa.Column("candidate", sa.String(length=500), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("rule", sa.String(length=20), nullable=False),
        sa.Column("reviewer", sa.String(length=200), nullable=False),
        sa.Column("decided_at", storage.tables.UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_evidence_decisions_collection_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evidence_decisions")),
    )
    with op.batch_alter_table("evidence_decisions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_evidence_decisions_collection_id_question"),
            ["collection_id", "question"],
            unique=False,
        )


def downgrade() -> None:
    op.drop_table("evidence_decisions")
