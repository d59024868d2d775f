"""What goes to a worker: no more of a pool than is read there, and proof that it has this code."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from functools import cache
from pathlib import Path

from selection.model import Pool


def light(pool: Pool, needs: Collection[str]) -> Pool:
    """The same pool without what nobody reads there: texts and metadata, vectors, similarities.

    needs: what selectors read, as they declare it. Measures read claims, tokens and facts only.
    """
    lighter = pool.without_gold()
    parts = lighter.__dict__
    parts.update(gold=pool.gold, answer_bearing=pool.answer_bearing, support_bits=pool.support_bits)
    parts.pop("passages", None)
    if "texts" not in needs:
        parts.update(texts=("",) * len(pool), question="")
    if "similarity" not in needs:
        parts.update(embeddings=None, query_embedding=None, _given_similarity=None)
    return lighter


@cache
def code_fingerprint() -> str:
    """SHA-256 over the source of this package: two machines with the same one give the same."""
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
