"""The tables. Plain SQLAlchemy Core: rows go in and out in bulk, never as objects one by one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMING)
Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite drops the zone: it is put back when read; naive ones are refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is not None and value.tzinfo is None:
            raise ValueError("a moment without a time zone cannot be stored.")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _of(table: str, name: str | None = None, **options: Any) -> Column[int]:
    return Column(
        name or f"{table[:-1]}_id",
        ForeignKey(f"{table}.id", ondelete="CASCADE"),
        nullable=False,
        **options,
    )


settings = Table(
    "settings",
    metadata,
    Column("key", String(100), primary_key=True),
    Column("value", Text, nullable=False),
)

# visible: False while an import is under way; readers never see it. importer: process and host that
# write it, so that leftovers of a dead import can be told from one that is running.
collections = Table(
    "collections",
    metadata,
    _id(),
    Column("name", String(200), nullable=False, unique=True),
    Column("note", Text, nullable=False, default=""),
    Column("made_up", Boolean, nullable=False, default=False),
    Column("seed", Integer),
    Column("format", String(50), nullable=False),
    Column("visible", Boolean, nullable=False, default=False),
    Column("importer", String(200), nullable=False, default=""),
    Column("imported_at", UtcDateTime, nullable=False),
)

# The columns from `candidates` on are worked out at import, so that the Questions page filters,
# sorts and pages in SQL. outcome: worse, better, right, wrong, or empty without two arms.
questions = Table(
    "questions",
    metadata,
    _id(),
    _of("collections"),
    Column("external_id", String(500), nullable=False),
    Column("position", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("metadata", Json, nullable=False),
    Column("query_embedding", LargeBinary),
    Column("ranked", Boolean, nullable=False),
    Column("evidence_known", Boolean, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("candidates", Integer, nullable=False),
    Column("pool_tokens", Integer),
    Column("redundancy", Float),
    Column("facts", Integer, nullable=False),
    Column("evidence_rank", Integer),
    Column("outcome", String(10), nullable=False),
    Column("has_sent", Boolean, nullable=False),
    Column("claims_given", Boolean, nullable=False),
    UniqueConstraint("collection_id", "external_id"),
    Index(None, "collection_id", "position"),
    Index(None, "collection_id", "outcome"),
    Index(None, "collection_id", "redundancy"),
    Index(None, "collection_id", "pool_tokens"),
)

# One row a text, shared by every question and collection that holds it.
passages = Table(
    "passages",
    metadata,
    _id(),
    Column("content_hash", String(64), nullable=False, unique=True),
    Column("text", Text, nullable=False),
    Column("counted_tokens", Integer),
)

# Apart from passages: counting and averaging must not drag vectors through memory.
embeddings = Table(
    "embeddings",
    metadata,
    Column("passage_id", ForeignKey("passages.id", ondelete="CASCADE"), primary_key=True),
    Column("collection_id", ForeignKey("collections.id", ondelete="CASCADE"), primary_key=True),
    Column("source", String(100), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)

# score, rerank_score and tokens as given, None where the input has none. computed_score: BM25 where
# a score is missing. judged: the input says which facts it supports, even if none.
candidates = Table(
    "candidates",
    metadata,
    _id(),
    _of("questions"),
    Column("passage_id", ForeignKey("passages.id"), nullable=False, index=True),
    Column("external_id", String(500), nullable=False),
    Column("rank", Integer, nullable=False),
    Column("file_position", Integer, nullable=False),
    Column("score", Float),
    Column("rerank_score", Float),
    Column("computed_score", Float),
    Column("tokens", Integer),
    Column("judged", Boolean, nullable=False),
    Column("claims_given", Boolean, nullable=False),
    Column("metadata", Json, nullable=False),
    UniqueConstraint("question_id", "external_id"),
    UniqueConstraint("question_id", "rank"),
)

claim_sets = Table(
    "claim_sets",
    metadata,
    _id(),
    _of("collections"),
    Column("name", String(200), nullable=False),
    Column("version", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    UniqueConstraint("collection_id", "name", "version"),
)

claims = Table(
    "claims",
    metadata,
    _id(),
    _of("claim_sets"),
    _of("candidates", index=True),
    Column("key", Text, nullable=False),
    Column("text", Text),
    Column("start", Integer),
    Column("end", Integer),
    Index(None, "claim_set_id", "candidate_id"),
)

# The claims that selectors see, packed: sets over `names` as little-endian words of 64 bits.
packs = Table(
    "packs",
    metadata,
    _of("questions", primary_key=True),
    _of("claim_sets", primary_key=True),
    Column("names", Json, nullable=False),
    Column("words", LargeBinary, nullable=False),
)

facts = Table(
    "facts",
    metadata,
    _id(),
    _of("questions", index=True),
    Column("external_id", String(500), nullable=False),
    Column("position", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("weight", Float, nullable=False),
    Column("alternatives", Json, nullable=False),
    UniqueConstraint("question_id", "external_id"),
)

# A place that supports a fact: a passage version, with a span where one is known. candidate: the id
# under which the pool holds that version; position: place in the list that was given for it.
supports = Table(
    "supports",
    metadata,
    _id(),
    _of("facts", index=True),
    _of("passages", index=True),
    Column("candidate", String(500), nullable=False),
    Column("position", Integer, nullable=False),
    Column("degree", String(20), nullable=False),
    Column("start", Integer),
    Column("end", Integer),
)

answer_bearing = Table(
    "answer_bearing",
    metadata,
    _of("questions", primary_key=True),
    Column("candidate", String(500), primary_key=True),
)

outcomes = Table(
    "outcomes",
    metadata,
    _id(),
    _of("questions", index=True),
    Column("arm", String(500), nullable=False),
    Column("run", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("correct", Boolean),
    Column("score", Float),
    Column("cited", Boolean),
    Column("answer", Text),
    Column("setting", Text),
    Column("sent", Json),
    UniqueConstraint("question_id", "arm", "run"),
)

# Document frequencies over a collection, for TF-IDF: compressed JSON, term -> documents with it.
term_statistics = Table(
    "term_statistics",
    metadata,
    _of("collections", primary_key=True),
    Column("documents", Integer, nullable=False),
    Column("terms", LargeBinary, nullable=False),
)

comparisons = Table(
    "comparisons",
    metadata,
    _id(),
    _of("collections", index=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("note", Text, nullable=False),
    Column("author", String(200), nullable=False),
    Column("saved_at", UtcDateTime, nullable=False),
    Column("code_version", String(50), nullable=False),
    Column("selectors", Json, nullable=False),
    Column("budget_tokens", Integer),
    Column("budget_passages", Integer),
    Column("relevance", String(10), nullable=False),
    Column("fingerprint", String(64), nullable=False),
)

# The question is kept by its own id: a result outlives a re-import of the question. fingerprint: of
# the question as it was, None where that was not kept yet.
results = Table(
    "comparison_results",
    metadata,
    _id(),
    _of("comparisons"),
    Column("question", String(500), nullable=False),
    Column("selector", String(500), nullable=False),
    Column("position", Integer, nullable=False),
    Column("measures", Json, nullable=False),
    Column("ranks", Json, nullable=False),
    Column("fingerprint", String(64)),
    UniqueConstraint("comparison_id", "question", "selector"),
    Index(None, "question"),
)

# A verdict on a question, kept by the question's own id: it outlives a re-import. Rows are only
# ever added; the newest of a question counts, and an empty verdict takes the earlier one back.
reviews = Table(
    "reviews",
    metadata,
    _id(),
    _of("collections"),
    Column("question", String(500), nullable=False),
    Column("verdict", String(100), nullable=False),
    Column("note", Text, nullable=False),
    Column("reviewer", String(200), nullable=False),
    Column("reviewed_at", UtcDateTime, nullable=False),
    Column("group", String(500), nullable=False),
    Index(None, "collection_id", "question"),
)

# A reviewed question that the gate checks from now on. frozen: the question with its pool as it
# was, compressed, see storage/frozen.py; nothing that is imported later changes it. must: names of
# what the prompt has to hold; limits: sign of crowding -> the most that is accepted.
cases = Table(
    "cases",
    metadata,
    _id(),
    _of("collections"),
    Column("question", String(500), nullable=False),
    Column("frozen", LargeBinary, nullable=False),
    Column("selector", String(500), nullable=False),
    Column("budget_tokens", Integer),
    Column("budget_passages", Integer),
    Column("must", Json, nullable=False),
    Column("limits", Json, nullable=False),
    Column("arms", Json, nullable=False),
    Column("verdict", String(100), nullable=False),
    Column("note", Text, nullable=False),
    Column("promoted_by", String(200), nullable=False),
    Column("promoted_at", UtcDateTime, nullable=False),
    Column("code_version", String(50), nullable=False),
    UniqueConstraint("collection_id", "question"),
)

# Long work, one row a job. request: what to do, as the job's kind reads it. state: queued, running,
# done, failed or cancelled. worker: the process that runs it; beat_at: when it last said so. done,
# total: in questions; resumed_at: how many were done when this process began, for the estimate.
# attempts: processes that began since the last finished chunk. result: where its outcome is.
jobs = Table(
    "jobs",
    metadata,
    _id(),
    _of("collections", index=True),
    Column("kind", String(50), nullable=False),
    Column("title", String(300), nullable=False),
    Column("request", Json, nullable=False),
    Column("author", String(200), nullable=False),
    Column("state", String(20), nullable=False, index=True),
    Column("submitted_at", UtcDateTime, nullable=False),
    Column("started_at", UtcDateTime),
    Column("ended_at", UtcDateTime),
    Column("worker", String(200), nullable=False),
    Column("beat_at", UtcDateTime),
    Column("attempts", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("resumed_at", Integer, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("problem", Text, nullable=False),
    Column("result", Text, nullable=False),
)

# What a job has finished, a chunk of questions a row: by its key, no chunk is kept twice.
job_chunks = Table(
    "job_chunks",
    metadata,
    _of("jobs", primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("questions", Integer, nullable=False),
    Column("payload", LargeBinary, nullable=False),
)

# Who did what. No reference to a collection, only its name: a deed outlives what it is about.
deeds = Table(
    "deeds",
    metadata,
    _id(),
    Column("at", UtcDateTime, nullable=False),
    Column("who", String(200), nullable=False),
    Column("deed", String(50), nullable=False),
    Column("collection", String(200), nullable=False),
    Column("what", Text, nullable=False),
)

# What people said of proposed evidence, kept by the ids of question and candidate: it outlives a
# re-import, which applies it again. Rows are only ever added; the newest of a passage counts.
evidence_decisions = Table(
    "evidence_decisions",
    metadata,
    _id(),
    _of("collections"),
    Column("question", String(500), nullable=False),
    Column("candidate", String(500), nullable=False),
    Column("confirmed", Boolean, nullable=False),
    Column("rule", String(20), nullable=False),
    Column("reviewer", String(200), nullable=False),
    Column("decided_at", UtcDateTime, nullable=False),
    Index(None, "collection_id", "question"),
)

# What people said of two claims, by name: it outlives a re-import. Rows are only ever added; the
# newest of a pair counts. together: `kept` stands for `other`; else they are two again.
claim_decisions = Table(
    "claim_decisions",
    metadata,
    _id(),
    _of("collections", index=True),
    Column("kept", Text, nullable=False),
    Column("other", Text, nullable=False),
    Column("together", Boolean, nullable=False),
    Column("reviewer", String(200), nullable=False),
    Column("decided_at", UtcDateTime, nullable=False),
)
