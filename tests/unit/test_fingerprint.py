"""A fingerprint depends on what a record says, and on nothing else: stored ones stay comparable."""

from __future__ import annotations

import dataclasses
import hashlib
import json

from storage.fingerprint import fingerprint
from storage.records import ArmOutcome, Claim, Fact, PassageRecord, QuestionRecord, Support

RECORD = QuestionRecord(
    id="q",
    question="Why? é",
    passages=(
        PassageRecord(
            id="a",
            text="A \udc80",
            score=0.1,
            claims=(Claim(key="c", start=0, end=1),),
            supports=(Support(fact="f"),),
            embedding=(0.5, 1.0),
            metadata={"b": [1, {"x": None}], "a": 2},
        ),
    ),
    facts=(Fact(id="f", alternatives=("g",)),),
    answer_bearing=("a",),
    arms=(ArmOutcome(name="k", sent=("a",)),),
    metadata={"locale": "de"},
)


def test_it_is_that_of_all_fields_as_json() -> None:
    text = json.dumps(dataclasses.asdict(RECORD), sort_keys=True, default=list)
    assert fingerprint(RECORD) == hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def test_every_field_counts() -> None:
    passage = dataclasses.replace(RECORD.passages[0], tokens=1)
    assert fingerprint(dataclasses.replace(RECORD, passages=(passage,))) != fingerprint(RECORD)
