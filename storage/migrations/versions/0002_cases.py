"""Reviewed questions that the gate checks"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Text
from sqlalchemy.dialects import postgresql

import storage.tables

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _json() -> sa.JSON:
    return sa.JSON(none_as_null=True).with_variant(
        postgresql.JSONB(none_as_null=True, astext_type=Text()), "postgresql"
    )


def upgrade() -> None:
    op.create_table(
        "cases",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.String(length=500), nullable=False),
        sa.Column("frozen", sa.LargeBinary(), nullable=False),
        sa.Column("selector", sa.String(length=500), nullable=False),
        sa.Column("budget_tokens", sa.Integer(), nullable=True),
        sa.Column("budget_passages", sa.Integer(), nullable=True),
        sa.Column("must", _json(), nullable=False),
        sa.Column("limits", _json(), nullable=False),
        sa.Column("arms", _json(), nullable=False),
        sa.Column("verdict", sa.String(length=100), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("promoted_by", sa.String(length=200), nullable=False),
        sa.Column("promoted_at", storage.tables.UtcDateTime(timezone=True), nullable=False),
        sa.Column("code_version", sa.String(length=50), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_cases_collection_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cases")),
        sa.UniqueConstraint(
            "collection_id", "question", name=op.f("uq_cases_collection_id_question")
        ),
    )


def downgrade() -> None:
    op.drop_table("cases")
