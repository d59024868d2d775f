"""Masking keeps the length of every text, hides what tells who somebody is, and leaves the rest."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.records import ArmOutcome, Claim, Fact, PassageRecord, QuestionRecord, Support
from storage.redaction import MASK, masked, redacted


@pytest.mark.parametrize(
    "secret",
    [
        "ada.lovelace+shop@mail.example.co.uk",
        "+49 151 2345 6789",
        "+1 (555) 010-9999",
        "030 1234 5678",
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "DE89 3704 0044 0532 0130 00",
        "DE89370400440532013000",
    ],
)
def test_what_tells_who_somebody_is_becomes_blocks(secret: str) -> None:
    assert masked(f"Write to {secret}, please.") == f"Write to {MASK * len(secret)}, please."


@pytest.mark.parametrize(
    "text",
    [
        "Refunds within 30 days, 4,000 tokens, 2026-12-07 at 10:30.",
        "It costs 1,234.56 or 12 000 a year; order HC-1041, rank 13.",
        "10-15 days, 0.75 of 1.25, section 4.2.1, k@8, version 1.67.0",
        "Call 112. 24/7, 365 days.",
        "",
    ],
)
def test_ordinary_numbers_stay(text: str) -> None:
    assert masked(text) == text


@given(st.text())
def test_every_text_keeps_its_length_and_is_masked_once(text: str) -> None:
    once = masked(text)
    assert len(once) == len(text)
    assert masked(once) == once


@pytest.mark.parametrize("unit", ["a", "a.", "0", "0 ", "+1", "AB12", "a@", "(0"])
def test_no_text_takes_long(unit: str) -> None:
    started = time.perf_counter()
    masked(unit * 100_000)
    assert time.perf_counter() - started < 5


def test_every_text_of_a_record_is_masked_and_places_stay() -> None:
    secret = "ada@example.com"
    record = QuestionRecord(
        id="q",
        question=f"Who is {secret}?",
        passages=(
            PassageRecord(
                id="p",
                text=f"{secret} is Ada.",
                claims=(Claim(key=f"is {secret}", text=secret, start=0, end=15),),
                supports=(Support(fact="f", start=0, end=15),),
                metadata={"by": secret, "more": [{"of": secret}], "n": 3},
            ),
        ),
        facts=(Fact(id="f", text=secret, alternatives=(secret,)),),
        arms=(ArmOutcome(name="k=8", answer=secret),),
        metadata={"customer": secret},
    )
    found = redacted(record)
    assert "ada@" not in repr(found)
    assert found.passages[0].supports == record.passages[0].supports
    assert found.passages[0].metadata["n"] == 3
