"""Finance pools: near-copies of the obvious statement, and the one that names the company.

The vectors are drawn from von Mises-Fisher distributions on the unit sphere, one stream of random
numbers for each group of items, so that every pool can be made alone and is always the same: see
`selection.theory.finance`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from selection.theory.finance import DISAMBIGUATOR, SECTORS, SEED, THEMES, kind, world
from storage.records import Fact, PassageRecord, QuestionRecord, Support
from storage.samples import Sample
from storage.samples._writing import written


def records() -> Iterator[QuestionRecord]:
    """The sixteen pools, each ranked by the inner product with its query."""
    source = written("finance")
    for number in range(SECTORS * THEMES):
        yield _question(source, number)


def question_id(number: int) -> str:
    """The id of a pool's question, from the number of the pool."""
    return f"finance-{number:02d}"


def _question(source: dict[str, Any], number: int) -> QuestionRecord:
    own, theme = divmod(number, THEMES)
    sector, words = source["sector"][own], source["theme"][theme]
    pool = world().pools[number]
    texts = _texts(source, own=own, theme=theme)
    return QuestionRecord(
        id=question_id(number),
        question=_capital(words["question"].format(**_slots(sector))),
        passages=tuple(
            PassageRecord(
                id=f"item-{item}",
                text=texts[item],
                score=float(pool.relevance[item]),
                supports=(Support(fact="company"),) if item == DISAMBIGUATOR else (),
                embedding=tuple(pool.vectors[item].tolist()),
                metadata={"kind": kind(item), "item": item},
            )
            for item in np.argsort(-pool.relevance, kind="stable").tolist()
        ),
        facts=(Fact(id="company", text=f"The company is {sector['companies'][0]}."),),
        answer_bearing=(f"item-{DISAMBIGUATOR}",),
        query_embedding=tuple(pool.query.tolist()),
        metadata={
            "topic": words["name"],
            "sector": sector["name"],
            "company": sector["companies"][0],
            "company_index": pool.answer,
        },
    )


def _texts(source: dict[str, Any], *, own: int, theme: int) -> list[str]:
    """The sentences of the nine items, in item order."""
    sector, words = source["sector"][own], source["theme"][theme]
    frames: list[tuple[str, dict[str, str]]] = [
        (frame, _slots(sector)) for frame in words["generic"]
    ]
    frames.append((words["own"], _slots(sector)))
    for i, other in enumerate(s for s in range(SECTORS) if s != own):
        # A sector stands in the pools of three others: each time with another of its companies.
        company = (own - other) % SECTORS
        frames.append((words["distractor"][i], _slots(source["sector"][other], company)))
    return [_capital(frame.format(**slots)) for frame, slots in frames]


def _slots(sector: dict[str, Any], company: int = 0) -> dict[str, str]:
    kept = {key: sector[key] for key in ("goods", "buyers", "input", "rule")}
    return {**kept, "company": sector["companies"][company], "mark": sector["marks"][company]}


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


SAMPLE = Sample(
    name="Finance pools",
    note=(
        "Made up: sixteen questions about filings of invented companies, nine candidates each: "
        "five near-copies that fit the whole sector, one that names the company, three from other "
        "sectors. The vectors are drawn and the texts only say what each stands for; look at "
        "whether a selector reaches the one that names the company."
    ),
    order=30,
    seed=SEED,
    records=records,
)
