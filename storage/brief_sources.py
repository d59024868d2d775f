"""Where a brief comes from: two arms, a saved comparison, or two selectors that are run now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import select

from selection.diagnosis import needs
from selection.model import Budget, Pool
from selection.registry import Selector
from storage import queries
from storage import tables as t
from storage.arms import TwoArms, two_arms
from storage.brief import Brief, Changed, Source
from storage.compare import compare
from storage.diagnose import Noise, chosen_arms
from storage.engine import Database
from storage.outcomes import disagreements, pair
from storage.studies.prompts import Prompt, prompt_of

NOTHING_KNOWN = "no fact and no answer-bearing passage is known"
Values = Mapping[str, float | None]


def brief_of_arms(
    database: Database,
    collection: str,
    *,
    before: str | None = None,
    after: str | None = None,
) -> Brief:
    """The change from one arm to another; the first and the last unless named.

    :raises NotStored: for an unknown collection. :raises ValueError: for an unknown arm.
    """
    first, last = chosen_arms(database, collection, baseline=before, candidate=after)
    rows: list[Changed] = []
    shown: tuple[str, ...] = ()
    flips = pairs = 0
    for one in two_arms(database, collection, before=first, after=last):
        prompts = [prompt_of(one.pool, runs) for runs in (one.before, one.after)]
        rows.append(_of_prompts(one, prompts, arms=(first, last)))
        shown = max(shown, tuple(prompt.selector for prompt in prompts if prompt), key=len)
        for runs in (one.before, one.after):
            disagreed, of = disagreements([run for run in runs if run.correct is not None])
            flips, pairs = flips + disagreed, pairs + of
    return Brief(
        collection=collection,
        before=first,
        after=last,
        selectors=shown,
        source=None,
        rows=tuple(rows),
        total=len(rows),
        noise=Noise(flips=flips, pairs=pairs),
    )


def _of_prompts(
    one: TwoArms, prompts: Sequence[Prompt | None], *, arms: tuple[str, str]
) -> Changed:
    paired = pair([*one.before, *one.after], *arms)
    needed = needs(one.pool, evidence_known=one.evidence_known)
    shares = [None if prompt is None else _share(one.pool, needed, prompt) for prompt in prompts]
    unknown = [name for name, prompt in zip(arms, prompts, strict=True) if prompt is None]
    why = f"what {' and '.join(unknown)} sent is not known" if unknown else ""
    tokens = [None if prompt is None else prompt.tokens for prompt in prompts]
    return Changed(
        question=one.question,
        text=one.text,
        outcome=paired.outcome if paired else "",
        before=shares[0],
        after=shares[1],
        why=why or (NOTHING_KNOWN if None in shares else ""),
        tokens_before=tokens[0],
        tokens_after=tokens[1],
    )


def _share(
    pool: Pool, needed: Sequence[tuple[str, frozenset[int]]] | None, prompt: Prompt
) -> float | None:
    """The share of what is needed that a prompt holds, by weight."""
    if not needed:
        return None
    weights = [pool.gold.get(name, 1.0) for name, _ in needed]
    total = sum(weights)
    sent = frozenset(prompt.order)
    held = sum(w for w, (_, carriers) in zip(weights, needed, strict=True) if carriers & sent)
    return held / total if total > 0 else None


def brief_of_comparison(database: Database, name: str, *, selector: str | None = None) -> Brief:
    """The change from a saved comparison's baseline to one of its others; the second unless named.

    :raises NotStored: for an unknown comparison.
    :raises ValueError: where it has no such selector, or only one.
    """
    c, k, r, q = t.comparisons.c, t.collections.c, t.results.c, t.questions.c
    with database.read() as connection:
        head = connection.execute(
            select(t.comparisons, k.name.label("collection"))
            .join(t.collections, k.id == c.collection_id)
            .where(c.name == name, k.visible)
        ).first()
        if head is None:
            raise queries.NotStored(f"There is no comparison {name!r}.")
        first, last = _two(name, head.selectors, selector)
        found = connection.execute(
            select(r.question, r.selector, r.measures, q.text)
            .outerjoin(
                t.questions,
                (q.collection_id == head.collection_id) & (q.external_id == r.question),
            )
            .where(r.comparison_id == head.id, r.selector.in_((first, last)))
            .order_by(q.position, r.question)
        ).all()
        stale = head.fingerprint != queries.collection_fingerprint(connection, head.collection_id)
    measured = {(row.question, row.selector): row.measures for row in found}
    texts = {row.question: row.text or row.question for row in found}
    return Brief(
        collection=head.collection,
        before=first,
        after=last,
        selectors=(first, last),
        source=Source(
            name=name,
            budget=Budget(tokens=head.budget_tokens, passages=head.budget_passages),
            author=head.author,
            saved_at=head.saved_at,
            stale=stale,
        ),
        rows=tuple(
            _of_measures(id, text, measured.get((id, first), {}), measured.get((id, last), {}))
            for id, text in texts.items()
        ),
        total=len(texts),
        noise=None,
    )


def _two(name: str, selectors: Sequence[str], asked: str | None) -> tuple[str, str]:
    others = list(selectors[1:])
    if not others or (asked is not None and asked not in others):
        listed = ", ".join(others) or "none"
        raise ValueError(
            f"Comparison {name!r} has no such selector; beside its baseline: {listed}."
        )
    return selectors[0], asked or others[0]


def brief_of_selectors(
    database: Database, collection: str, *, before: Selector, after: Selector, budget: Budget
) -> Brief:
    """The change between two selectors under one budget, worked out now and not saved.

    :raises NotStored: for an unknown collection. :raises ValueError: where one cannot run.
    """
    found = compare(database, collection, [before, after], budget)
    q = t.questions.c
    with database.read() as connection:
        home = queries.collection(database, collection)
        texts = connection.execute(
            select(q.external_id, q.text).where(q.collection_id == home.id).order_by(q.position)
        ).all()
    measured = {(row.question, row.selector): row.measures for row in found.rows}
    first, last = found.selectors
    return Brief(
        collection=collection,
        before=first,
        after=last,
        selectors=(first, last),
        source=Source(name="", budget=budget),
        rows=tuple(
            _of_measures(id, text, measured.get((id, first), {}), measured.get((id, last), {}))
            for id, text in texts
        ),
        total=len(texts),
        noise=None,
    )


def _of_measures(id: str, text: str, before: Values, after: Values) -> Changed:
    shares = [_measured_share(one) for one in (before, after)]
    tokens = [one.get("tokens") for one in (before, after)]
    return Changed(
        question=id,
        text=text,
        outcome="",
        before=shares[0],
        after=shares[1],
        why=NOTHING_KNOWN if None in shares else "",
        tokens_before=None if tokens[0] is None else int(tokens[0]),
        tokens_after=None if tokens[1] is None else int(tokens[1]),
        repeats_before=before.get("redundancy"),
        repeats_after=after.get("redundancy"),
    )


def _measured_share(values: Values) -> float | None:
    """Facts where they are judged; else whether any answer-bearing passage is sent."""
    recall = values.get("claim_recall")
    return values.get("answer_bearing_any") if recall is None else recall
