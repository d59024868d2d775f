"""Does a snippet pick what the screen shows? It is run on every pool, and timed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from selection.model import Budget, Pool
from selection.registry import Selector
from selection.tuning.snippets import requirements, snippets

MOST_TIMED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """same: pools on which the code picks the ranks of the screen, of n. different: their ids.

    milliseconds: median of one call, building the pool included; None without pools. problem: why
    it could not be run, as a sentence; empty where it was.
    """

    same: int
    n: int
    different: tuple[str, ...]
    milliseconds: float | None
    problem: str = ""


def replay(
    pools: Sequence[Pool],
    selector: Selector,
    budget: Budget,
    *,
    given: frozenset[str] = frozenset(),
) -> Replay:
    """Run the plain Python snippet on the passages of some pools, the first 200 of them.

    given: see `snippets`. The code sees what a pipeline would have and works out the rest itself.
    """
    tried = [pool for pool in pools if len(pool)][:MOST_TIMED]
    if not tried:
        return _not_run("There is no question to run it on.")
    needs = {one.column for one in requirements(selector, budget, tried[0])}
    if "embedding" in needs and any(pool.embeddings is None for pool in tried):
        return _not_run(
            "The code needs embeddings and these questions have none: "
            "what is shown used TF-IDF over the collection."
        )
    names: dict[str, object] = {}
    exec(
        compile(snippets(selector, budget, tried[0], given=given)[0].code, "snippet", "exec"), names
    )
    select = names["select"]
    assert callable(select)
    different, times = [], []
    for pool in tried:
        passages = _dicts(pool)
        began = time.perf_counter()
        sent = select(pool.question, passages)
        times.append(1000 * (time.perf_counter() - began))
        ranks = tuple(one["rank"] for one in sent)
        if ranks != selector.select(pool, budget).ranks:
            different.append(pool.id)
    return Replay(
        same=len(tried) - len(different),
        n=len(tried),
        different=tuple(different),
        milliseconds=median(times),
    )


def _not_run(why: str) -> Replay:
    return Replay(same=0, n=0, different=(), milliseconds=None, problem=why)


def _dicts(pool: Pool) -> list[dict[str, object]]:
    """Passages as a pipeline holds them, with their rank to tell them apart afterwards."""
    return [
        {
            "rank": at + 1,
            "text": one.text,
            "score": one.score,
            "rerank_score": one.rerank_score,
            "embedding": one.embedding,
            "tokens": one.tokens,
            "claims": one.claims,
        }
        for at, one in enumerate(pool.passages)
    ]
