"""Saved runs against a baseline: pairs, tests, corrections, against values from elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from selection import Budget
from selection.trial import Row
from storage.compare import Comparison
from storage.contrast import MOST, Run, contrast
from storage.drift import drift
from storage.engine import Database
from storage.imports import import_records
from storage.queries import NotStored
from storage.saved import save_comparison
from tests.integration.working import fill

N = 40


@pytest.fixture
def mine(database: Database) -> Database:
    fill(database, N)
    return database


def keep(
    database: Database, name: str, values: dict[str, list[float | None]], *, skip: int = 0
) -> list[Run]:
    """Save made-up results; values: selector -> one a question, from question `skip` on."""
    rows = tuple(
        Row(question=f"q{at}", selector=selector, measures={"claim_recall": value}, ranks=(1,))
        for at in range(N - skip)
        for selector in values
        for value in (values[selector][at],)
    )
    rows = tuple(replace(row, question=f"q{int(row.question[1:]) + skip}") for row in rows)
    made = Comparison(
        collection="mine",
        selectors=tuple(values),
        budget=Budget(),
        relevance=None,
        fingerprint="f",
        rows=rows,
        fingerprints={row.question: "same" for row in rows},
    )
    save_comparison(database, made, name=name)
    return [Run(comparison=name, selector=selector) for selector in values]


def test_several_runs_are_tested_and_corrected_together(mine: Database):
    draw = np.random.default_rng(3)
    base = draw.random(N)
    shifts = {"a": 0.06, "b": 0.0, "c": 0.15}
    others = {
        name: np.round(base + shift + draw.normal(0, 0.2, N), 6) for name, shift in shifts.items()
    }
    runs = keep(mine, "one", {"base": base.tolist(), **{k: v.tolist() for k, v in others.items()}})
    first, *rest = contrast(mine, runs, "claim_recall")
    assert first.against is None
    assert first.mean == pytest.approx(base.mean())
    found = [one.against for one in rest]
    for against, values in zip(found, others.values(), strict=True):
        d = values - base
        assert against.test.mean.value == pytest.approx(d.mean())
        assert (against.test.wins, against.test.losses) == ((d > 0).sum(), (d < 0).sum())
        # For values like these the flips and the t distribution all but agree.
        assert against.p == pytest.approx(stats.ttest_1samp(d, 0).pvalue, abs=0.02)
        assert against.yes_no is None
    expected = multipletests([one.p for one in found], method="holm")[1]
    assert [one.holm for one in found] == pytest.approx(expected)


def test_yes_or_no_outcomes_get_the_exact_mcnemar_test(mine: Database):
    draw = np.random.default_rng(5)
    before, after = (draw.random(N) < 0.5).astype(float), (draw.random(N) < 0.75).astype(float)
    runs = keep(mine, "one", {"base": before.tolist(), "a": after.tolist()})
    (_, one) = contrast(mine, runs, "claim_recall")
    table = [[((before == i) & (after == j)).sum() for j in (0, 1)] for i in (0, 1)]
    assert one.against.p == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert one.against.yes_no.better == table[0][1]


def test_runs_are_paired_by_question_and_what_is_in_one_only_is_listed(mine: Database):
    first = keep(mine, "one", {"a": [0.5] * N})
    second = keep(mine, "two", {"a": [None, *[0.75] * N]}, skip=2)
    (_, one) = contrast(mine, [*first, *second], "claim_recall")
    assert one.against.only_baseline == ("q0", "q1")
    assert one.against.only_here == ()
    assert (one.against.test.n, one.against.undefined) == (N - 3, 1)
    assert one.against.differing == 0


def test_no_difference_is_no_test(mine: Database):
    runs = keep(mine, "one", {"a": [0.5] * N, "b": [0.5] * N})
    (_, one) = contrast(mine, runs, "claim_recall")
    assert (one.against.p, one.against.holm) == (None, None)
    assert one.against.test.note == "no test: all differences are zero"


def test_a_run_that_is_not_stored_and_too_many_runs_are_refused(mine: Database):
    (run,) = keep(mine, "one", {"a": [0.5] * N})
    with pytest.raises(NotStored, match="nothing"):
        contrast(mine, [run, replace(run, selector="nothing")], "claim_recall")
    with pytest.raises(ValueError, match="1 to 6"):
        contrast(mine, [run] * (MOST + 1), "claim_recall")


def test_drift_names_what_changed_went_and_came(database: Database, refund):
    import_records(
        database, [refund, replace(refund, id="b")], collection="mine", format="jsonl", ranked=True
    )
    rows = tuple(
        Row(question=name, selector="a", measures={}, ranks=()) for name in ("refund", "gone")
    )
    made = Comparison(
        collection="mine",
        selectors=("a",),
        budget=Budget(),
        relevance=None,
        fingerprint="f",
        rows=rows,
        fingerprints={"refund": "another", "gone": "x"},
    )
    save_comparison(database, made, name="kept")
    found = drift(database, "kept")
    assert (found.changed, found.gone, found.new) == (("refund",), ("gone",), ("b",))
    save_comparison(database, replace(made, fingerprints={}), name="old")
    assert drift(database, "old").changed is None
