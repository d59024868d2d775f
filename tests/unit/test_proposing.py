"""Evidence proposed from an answer: cited first, else what says the same; nothing from nothing."""

from __future__ import annotations

from storage.proposing import propose
from storage.records import PassageRecord

POOL = (
    PassageRecord(id="HC-1", text="A hold is no charge. It goes within 7 days."),
    PassageRecord(id="HC-2", text="Some issuers keep a hold for 30 days."),
    PassageRecord(id="HC-3", text="Shipping takes 30 days to some islands."),
)
QUESTION = "How long does a hold stay?"


def names(answer: str, **options) -> list[str]:
    return [one.passage for one in propose(QUESTION, answer, POOL, **options)]


def test_a_cited_passage_is_proposed_and_no_other():
    assert names("Some issuers keep it for 30 days. [HC-2]") == ["HC-2"]
    assert names("It depends [HC-2, HC-1].") == ["HC-1", "HC-2"]


def test_a_reference_to_what_was_not_sent_is_none():
    assert names("It depends [HC-9].") == []
    assert names("Some issuers keep a hold for 30 days. [HC-2]", sent=["HC-1"]) == []


def test_without_a_citation_the_passage_that_says_the_same_is_proposed():
    (one,) = propose(QUESTION, "Some issuers keep the hold for 30 days.", POOL)
    assert (one.passage, one.rule, one.overlap) == ("HC-2", "says", 1.0)
    assert one.statement == "Some issuers keep the hold for 30 days."


def test_a_short_answer_has_to_stand_there_and_the_question_decides_the_order():
    assert names("30 days") == ["HC-2", "HC-3"]
    assert names("31 days") == []


def test_what_says_less_than_the_share_is_not_proposed():
    assert names("Holds of issuers abroad are kept for 30 days when the bank asks for it.") == []


def test_an_answer_that_says_nothing_proposes_nothing():
    assert names("") == names("[]") == names("!?") == []
