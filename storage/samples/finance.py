"""Finance pools: near-copies of the obvious statement, and the one that names the company.

The vectors are drawn from von Mises-Fisher distributions on the unit sphere, one stream of random
numbers for each group of items, so that every pool can be made alone and is always the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from selection.model import FloatArray
from storage.records import Fact, PassageRecord, QuestionRecord, Support
from storage.samples import Sample
from storage.samples._writing import written

SEED = 7
DIMENSION = 32
SECTORS = 4
COMPANIES = 4
"""Companies in a sector; the first one is the answer to every question about it."""
THEMES = 4
"""Questions for each sector."""
QUERY_MIX = 0.12
"""How much of the query points at the company; the rest points at its sector."""
TAU = 0.15
"""Temperature with which the read-out in `selection.answer_model` is meant to be used."""
DISAMBIGUATOR = 5
"""Item that names the company; 0 to 4 are generic, 6 to 8 come from the other sectors."""


@dataclass(frozen=True, slots=True)
class Concentration:
    """kappa of each draw: 0 is uniform on the sphere, large is close to the mean direction."""

    company: float = 60.0
    generic: float = 220.0
    disambiguator: float = 120.0
    distractor: float = 45.0
    query: float = 140.0


KAPPA = Concentration()


def unit(rows: FloatArray) -> FloatArray:
    """Each row divided by its Euclidean norm."""
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), dtype=np.float64)


def vmf(count: int, mean: FloatArray, kappa: float, *, seed: int) -> FloatArray:
    """Unit vectors from a von Mises-Fisher distribution, shape (count, d), by Wood's method (1994).

    mean: unit vector, shape (d,). The order of the draws is part of the definition: first the
    cosines to the mean, by rejection, then one block of directions across it.
    """
    rng = np.random.default_rng(seed)
    cosines = _cosines(rng, count=count, dimension=len(mean), kappa=kappa)[:, None]
    across = rng.standard_normal((count, len(mean)))
    across = unit(across - (across @ mean)[:, None] * mean)
    return np.asarray(cosines * mean + np.sqrt(1.0 - cosines**2) * across, dtype=np.float64)


def _cosines(rng: np.random.Generator, *, count: int, dimension: int, kappa: float) -> FloatArray:
    """Cosines between a draw and the mean direction, shape (count,)."""
    free = dimension - 1
    b = (-2 * kappa + np.sqrt(4 * kappa**2 + free**2)) / free
    x0 = (1 - b) / (1 + b)
    c = kappa * x0 + free * np.log(1 - x0**2)
    accepted = np.empty(0)
    while len(accepted) < count:
        missing = count - len(accepted)
        z = rng.beta(free / 2, free / 2, size=missing)
        u = rng.random(missing)
        w = (1 - (1 + b) * z) / (1 - (1 - b) * z)
        keep = kappa * w + free * np.log(1 - x0 * w) - c >= np.log(u)
        accepted = np.concatenate([accepted, w[keep]])
    return accepted


def sectors() -> FloatArray:
    """Mean direction of each sector, shape (4, 32)."""
    return unit(np.random.default_rng(SEED).standard_normal((SECTORS, DIMENSION)))


def prototypes() -> FloatArray:
    """Unit vector of each company, sector by sector, shape (16, 32)."""
    return np.concatenate(
        [
            unit(vmf(COMPANIES, mean, KAPPA.company, seed=SEED + 11 * s + 1))
            for s, mean in enumerate(sectors())
        ]
    )


def pool_vectors(number: int) -> tuple[FloatArray, FloatArray]:
    """The nine items of one pool, shape (9, 32) in item order, and its query, shape (32,).

    number: 0 to 15; four pools for each sector.
    """
    means = sectors()
    own = number // THEMES
    company = prototypes()[own * COMPANIES]
    seed = SEED + 1000 * number + 7
    others = [s for s in range(SECTORS) if s != own]
    items = np.concatenate(
        [
            vmf(5, means[own], KAPPA.generic, seed=seed + 1),
            vmf(1, company, KAPPA.disambiguator, seed=seed + 2),
            *(
                vmf(1, means[other], KAPPA.distractor, seed=seed + 100 + i)
                for i, other in enumerate(others)
            ),
        ]
    )
    aim = unit((1.0 - QUERY_MIX) * means[own] + QUERY_MIX * company)
    return items, vmf(1, aim, KAPPA.query, seed=seed + 5)[0]


def records() -> Iterator[QuestionRecord]:
    """The sixteen pools, each ranked by the inner product with its query."""
    source = written("finance")
    for number in range(SECTORS * THEMES):
        yield _question(source, number)


def _question(source: dict[str, Any], number: int) -> QuestionRecord:
    own, theme = divmod(number, THEMES)
    sector, words = source["sector"][own], source["theme"][theme]
    vectors, query = pool_vectors(number)
    relevance = vectors @ query
    texts = _texts(source, own=own, theme=theme)
    return QuestionRecord(
        id=f"finance-{number:02d}",
        question=_capital(words["question"].format(**_slots(sector))),
        passages=tuple(
            PassageRecord(
                id=f"item-{item}",
                text=texts[item],
                score=float(relevance[item]),
                supports=(Support(fact="company"),) if item == DISAMBIGUATOR else (),
                embedding=tuple(vectors[item].tolist()),
                metadata={"kind": _kind(item), "item": item},
            )
            for item in np.argsort(-relevance, kind="stable").tolist()
        ),
        facts=(Fact(id="company", text=f"The company is {sector['companies'][0]}."),),
        answer_bearing=(f"item-{DISAMBIGUATOR}",),
        query_embedding=tuple(query.tolist()),
        metadata={
            "topic": words["name"],
            "sector": sector["name"],
            "company": sector["companies"][0],
            "company_index": own * COMPANIES,
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


def _kind(item: int) -> str:
    if item == DISAMBIGUATOR:
        return "disambiguator"
    return "generic" if item < DISAMBIGUATOR else "distractor"


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
