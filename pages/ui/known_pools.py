"""What is known of public pools: their profile, and which selector was best on them.

Read from the page that the benchmark writes, so that no figure stands twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "docs" / "real_pools.md"
CHOSEN_THERE = "linked_coverage"
"""Its settings were chosen on these sets: its figures there flatter it."""
_GAIN = re.compile(r"([+-]\d\.\d+) \[([+-]\d\.\d+), ([+-]\d\.\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One public set. near_repeats, repeated_claims: as in a profile, from 0 to 1.

    best: the selector with the largest mean gain over top-k packed, with its 95 % interval.
    """

    name: str
    questions: int
    candidates: float
    near_repeats: float
    repeated_claims: float
    best: str
    gain: float
    low: float
    high: float


@cache
def known_pools() -> tuple[Known, ...]:
    """Every set of the page; none where the page is not there or not as expected."""
    if not FILE.is_file():
        return ()
    results, profiles = _tables(FILE.read_text("utf-8"))
    found = []
    for at, title in enumerate(results[0][1:], start=1):
        best = _best([(row[0], row[at]) for row in results[1:]])
        row = next((one for one in profiles[1:] if title.startswith(one[0])), None)
        if best is None or row is None:
            continue
        name, (gain, low, high) = best
        found.append(
            Known(
                name=row[0],
                questions=int(row[1]),
                candidates=float(row[2]),
                near_repeats=float(row[3]),
                repeated_claims=float(row[4]),
                best=name,
                gain=gain,
                low=low,
                high=high,
            )
        )
    return tuple(found)


def _tables(page: str) -> tuple[list[list[str]], list[list[str]]]:
    """The two tables of the page, cell by cell, without the line under the head."""
    tables: list[list[list[str]]] = [[]]
    for line in page.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not set("".join(cells)) <= {"-"}:
                tables[-1].append(cells)
        elif tables[-1]:
            tables.append([])
    full = [table for table in tables if table]
    return full[0], full[-1]


def _best(cells: list[tuple[str, str]]) -> tuple[str, tuple[float, float, float]] | None:
    """The row with the largest gain; of equal ones the first."""
    found: tuple[str, tuple[float, float, float]] | None = None
    for name, cell in cells:
        match = _GAIN.search(cell)
        if match is None or CHOSEN_THERE in name:
            continue
        gain = (float(match[1]), float(match[2]), float(match[3]))
        if found is None or gain[0] > found[1][0]:
            found = (name.strip("`"), gain)
    return found
