"""Near-identical claims: found, never across a number or a negation, merged, and parted again."""

from __future__ import annotations

import json

import pytest

from selection import Budget, make_selector
from storage.__main__ import main
from storage.engine import Database
from storage.equivalence.decisions import decide
from storage.equivalence.merging import joined
from storage.equivalence.sensitivity import look
from storage.equivalence.similar import similar
from storage.export import stored_records
from storage.imports import import_records
from storage.packed import packed_pools
from storage.queries import collection, fingerprints, question, question_keys
from storage.records import Claim, Fact, PassageRecord, QuestionRecord

ONE = "Refunds are possible within 14 days of delivery."
NEAR = "Refunds are always possible within 14 days of delivery."
RECORD = QuestionRecord(
    id="q",
    question="How long?",
    passages=tuple(
        PassageRecord(id=str(at), text=text, score=1 - at / 10)
        for at, text in enumerate((ONE, NEAR, ONE.replace("14", "7"), "Keep the receipt."))
    ),
)
MARGINAL = make_selector("marginal_gain")


@pytest.fixture
def stored(database: Database) -> Database:
    import_records(database, [RECORD], collection="mine", format="jsonl", ranked=True)
    return database


def sent(database: Database) -> tuple[int, ...]:
    """As the pages and the command line select, which must be as comparisons do."""
    pool = question(database, "mine", "q").pool
    with database.read() as connection:
        keys = question_keys(connection, collection(database, "mine").id)
        (light,) = packed_pools(connection, keys, relevance=None).values()
    ranks = MARGINAL.select(pool, Budget()).ranks
    assert MARGINAL.select(light, Budget()).ranks == ranks
    return ranks


def found(database: Database, threshold: float = 0.8):
    return look(database, "mine", threshold=threshold, selector=MARGINAL, budget=Budget())


@pytest.mark.parametrize(
    "other",
    [
        ONE.replace("14", "7"),
        ONE.replace("are", "are not"),
        ONE.replace("14", "15.5"),
        "Refunds are possible unless within 14 days of delivery.",
    ],
)
def test_a_number_a_negation_or_a_condition_keeps_claims_apart(other: str) -> None:
    assert similar({"a": ONE, "b": other}, threshold=0.1) == ()


def test_the_same_words_are_a_pair_and_a_threshold_has_a_range() -> None:
    (pair,) = similar({"a": ONE, "b": NEAR}, threshold=0.8)
    assert (pair.kept, pair.other) == ("a", "b")
    assert 0.8 <= pair.similarity < 1
    with pytest.raises(ValueError, match="more than 0"):
        similar({}, threshold=0.0)


def test_chains_lead_to_one_claim() -> None:
    assert joined([("a", "b"), ("b", "c"), ("d", "a")]) == {"a": "d", "b": "d", "c": "d"}
    assert joined([("a", "b"), ("b", "a")]) == {"b": "a"}


def test_merging_moves_the_selection_and_parting_moves_it_back(stored: Database) -> None:
    assert sent(stored) == (1, 2, 3, 4)
    (pair,) = found(stored).pairs
    assert decide(stored, "mine", [(pair.kept, pair.other)], together=True, reviewer="Ada") == 1
    assert sent(stored) == (1, 3, 4)
    places = [
        {place.claim for place in one.places} for one in question(stored, "mine", "q").candidates
    ]
    assert places[0] == places[1] == {pair.kept}
    assert found(stored).pairs == ()
    assert list(stored_records(stored, "mine")) == [RECORD]
    decide(stored, "mine", [(pair.other, pair.kept)], together=False)
    assert sent(stored) == (1, 2, 3, 4)


def test_a_merge_outlives_an_update_of_the_collection(stored: Database) -> None:
    (pair,) = found(stored).pairs
    decide(stored, "mine", [(pair.kept, pair.other)], together=True)
    more = QuestionRecord(id="r", question="Why?", passages=RECORD.passages[:2])
    changed = QuestionRecord(id="q", question="How long is it?", passages=RECORD.passages)
    import_records(
        stored,
        [changed, more],
        collection="mine",
        format="jsonl",
        ranked=True,
        on_existing="update",
    )
    assert MARGINAL.select(question(stored, "mine", "r").pool, Budget()).ranks == (1,)
    assert MARGINAL.select(question(stored, "mine", "q").pool, Budget()).ranks == (1, 3, 4)


def test_each_threshold_says_what_it_would_change(stored: Database) -> None:
    effects = {one.threshold: one for one in found(stored).effects}
    assert (effects[1.0].pairs, effects[1.0].claims, effects[1.0].changed) == (0, 4.0, 0)
    assert (effects[0.7].pairs, effects[0.7].claims, effects[0.7].changed) == (1, 3.0, 1)
    assert effects[0.7].of == 1


def test_claims_that_name_facts_are_left_alone(database: Database) -> None:
    passages = tuple(
        PassageRecord(id=name, text=text, score=0.5, claims=(Claim(key=name, text=text),))
        for name, text in (("a", ONE), ("b", NEAR))
    )
    record = QuestionRecord(id="q", question="?", passages=passages, facts=(Fact(id="b"),))
    import_records(database, [record], collection="mine", format="jsonl", ranked=True)
    assert found(database).pairs == ()
    with pytest.raises(ValueError, match="names a fact"):
        decide(database, "mine", [("a", "b")], together=True)
    with pytest.raises(ValueError, match="one claim already"):
        decide(database, "mine", [("a", "a")], together=True)


def test_the_command_lists_merges_and_undoes(
    stored: Database, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["equivalence", "--collection", "mine", "--database", url, "--threshold", "0.8"]
    assert main([*words, "--json"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert main(words) == 0
    assert "1 of 1" in capsys.readouterr().out
    assert main([*words, "--merge-all"]) == 0
    assert sent(stored) == (1, 3, 4)
    assert main([*words, "--apart", pair["kept"], pair["other"]]) == 0
    assert sent(stored) == (1, 2, 3, 4)


def test_a_saved_comparison_is_out_of_date_after_a_merge_and_in_date_after_its_undoing(
    stored: Database,
) -> None:
    apart = QuestionRecord(id="r", question="Why?", passages=RECORD.passages[3:])
    import_records(
        stored, [apart], collection="mine", format="jsonl", ranked=True, on_existing="add"
    )
    with stored.read() as connection:
        before = fingerprints(connection, collection(stored, "mine").id)
    (pair,) = found(stored).pairs
    decide(stored, "mine", [(pair.kept, pair.other)], together=True)
    with stored.read() as connection:
        after = fingerprints(connection, collection(stored, "mine").id)
    assert after["q"] != before["q"]
    assert after["r"] == before["r"]
    decide(stored, "mine", [(pair.kept, pair.other)], together=False)
    with stored.read() as connection:
        assert fingerprints(connection, collection(stored, "mine").id) == before
