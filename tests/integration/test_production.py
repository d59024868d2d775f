"""The rule in production: found again where it is known, and honest where there is none."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

from selection import Budget, make_selector
from selection.registry import Selector
from storage import queries
from storage.__main__ import main
from storage.budget_ranges import densest, roundest
from storage.engine import Database
from storage.imports import import_records
from storage.production import production
from storage.records import ArmOutcome, PassageRecord, QuestionRecord

QUESTIONS, SIZE = 25, 15


def records(sent: Callable[[int], tuple[str, ...] | None]) -> list[QuestionRecord]:
    """Pools of odd lengths from a seed, with what one arm sent of each."""
    made = random.Random(13)
    return [
        QuestionRecord(
            id=f"q{at}",
            question=f"Question {at}?",
            passages=tuple(
                PassageRecord(
                    id=f"p{rank}",
                    text=f"Statement {made.randrange(8)} of {at}. And {made.randrange(8)} as well.",
                    tokens=made.randrange(100, 600),
                    score=1 - rank / 20,
                )
                for rank in range(SIZE)
            ),
            arms=(ArmOutcome(name="live", correct=True, sent=sent(at)),),
        )
        for at in range(QUESTIONS)
    ]


def sent_by(database: Database, selector: Selector, budget: Budget) -> None:
    """A collection `mine` whose arm sent what this setting selects."""
    import_records(database, records(lambda at: None), collection="t", format="jsonl", ranked=True)
    ids = {
        f"q{at}": tuple(
            view.pool.ids[index] for index in selector.select(view.pool, budget).picks.order
        )
        for at in range(QUESTIONS)
        for view in (queries.question(database, "t", f"q{at}"),)
    }
    import_records(
        database, records(lambda at: ids[f"q{at}"]), collection="mine", format="jsonl", ranked=True
    )


@pytest.mark.parametrize(
    ("spec", "values", "tokens"),
    [
        ("top_k", {"k": 8}, None),
        ("top_k", {"k": SIZE, "overflow": "stop"}, 2000),
        ("top_k", {"k": SIZE, "overflow": "skip"}, 2000),
        ("marginal_gain", {"min_new_claims": 1}, 2000),
    ],
)
def test_a_known_rule_is_found_again(database: Database, spec: str, values, tokens: int | None):
    sent_by(database, make_selector(spec, **values), Budget(tokens=tokens))
    found = production(database, "mine", "live")
    best = found.rules[0]
    assert (best.selector.name, best.exact, best.n) == (spec, QUESTIONS, QUESTIONS)
    assert best.differ == ()
    if spec == "top_k" and tokens is not None:
        assert best.budgets is not None
        assert best.budgets[0] <= 2000 <= best.budgets[1]
        assert best.budget.tokens == 2000
        assert best.k_binds == 0


def test_where_no_rule_fits_it_says_how_few_it_explains(database: Database):
    odd = ("p3", "p9", "p14")
    import_records(
        database, records(lambda at: odd), collection="mine", format="jsonl", ranked=True
    )
    best = production(database, "mine", "live").rules[0]
    assert best.exact == 0
    assert len(best.differ) == QUESTIONS


def test_passages_that_are_no_candidates_are_counted_and_never_explained(database: Database):
    import_records(
        database,
        records(lambda at: ("p0", "elsewhere") if at == 3 else ("p0",)),
        collection="mine",
        format="jsonl",
        ranked=True,
    )
    found = production(database, "mine", "live")
    assert found.outside == 1
    assert found.rules[0].differ == ("q3",)
    assert found.rules[0].exact == QUESTIONS - 1


def test_without_a_record_there_is_nothing_to_explain(
    database: Database, url: str, capsys, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("storage.imports.all_samples", tuple)
    import_records(database, records(lambda at: None), collection="t", format="jsonl", ranked=True)
    words = ["explain", "--collection", "t", "--arm", "live", "--database", url]
    assert main(words) == 2
    assert "does not record" in capsys.readouterr().err


def test_the_command_prints_one_document(
    database: Database, url: str, capsys, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("storage.imports.all_samples", tuple)
    sent = tuple(f"p{rank}" for rank in range(3))
    import_records(
        database, records(lambda at: sent), collection="mine", format="jsonl", ranked=True
    )
    words = ["explain", "--collection", "mine", "--arm", "live", "--database", url, "--json"]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rules"][0]["selector"] == "top_k(k=3, overflow='overspend')"
    assert document["rules"][0]["exact"] == QUESTIONS


def test_the_budget_that_most_allow_and_that_a_person_would_have_typed():
    assert densest([(10, 20), (15, None), (18, 30)]) == (18, 20)
    assert [roundest(*one) for one in ((3950, 4020), (3901, 3999), (17, 17), (2400, 2600))] == [
        4000,
        3950,
        17,
        2500,
    ]
