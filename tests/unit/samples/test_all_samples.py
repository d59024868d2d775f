"""What every built-in collection keeps to."""

from __future__ import annotations

import re

import pytest

from storage.samples import Sample, all_samples
from storage.samples._writing import Mark, descending_scores, read_marks

EVERY = pytest.mark.parametrize("sample", all_samples(), ids=lambda sample: sample.name)


def test_the_four_samples_are_found_in_the_order_of_display() -> None:
    assert [sample.name for sample in all_samples()] == [
        "Charged twice",
        "Refund window in Berlin",
        "Finance pools",
        "Help-centre regressions",
    ]


@EVERY
def test_a_note_says_that_it_is_made_up_and_what_to_look_at(sample: Sample) -> None:
    assert sample.note.startswith("Made up:")
    assert "ook at" in sample.note


@EVERY
def test_the_same_questions_are_made_every_time(sample: Sample) -> None:
    assert tuple(sample.records()) == tuple(sample.records())


@EVERY
def test_ids_are_unique_and_scores_never_rise(sample: Sample) -> None:
    made = tuple(sample.records())
    assert len({question.id for question in made}) == len(made)
    for question in made:
        assert len({passage.id for passage in question.passages}) == len(question.passages)
        scores = [passage.score for passage in question.passages]
        assert scores == sorted(scores, reverse=True)


@EVERY
def test_every_place_is_one_whole_sentence_of_its_text(sample: Sample) -> None:
    for question in sample.records():
        for passage in question.passages:
            for place in (*(passage.claims or ()), *(passage.supports or ())):
                if place.start is None or place.end is None:
                    continue
                assert re.fullmatch(r"[A-Z][^?!]*\.", passage.text[place.start : place.end])
                assert passage.text[: place.start].rstrip()[-1:] in {"", "."}


@EVERY
def test_supports_name_facts_of_their_question_and_evidence_is_in_the_pool(sample: Sample) -> None:
    for question in sample.records():
        facts = {fact.id for fact in question.facts}
        for passage in question.passages:
            assert {support.fact for support in passage.supports or ()} <= facts
        assert set(question.answer_bearing or ()) <= {p.id for p in question.passages}


@EVERY
def test_texts_hold_no_leftovers_of_how_they_are_written(sample: Sample) -> None:
    for question in sample.records():
        for text in (question.question, *(passage.text for passage in question.passages)):
            assert not re.search(r"[{}|\[\]\\]|  |\n", text)
            assert text == text.strip()


def test_marks_are_taken_out_and_their_places_kept() -> None:
    assert read_marks("A.\n [[x|Bc d.]] E. [[y|F.]]") == (
        "A. Bc d. E. F.",
        (Mark("x", 3, 8), Mark("y", 12, 14)),
    )


def test_scores_go_down_by_the_steps() -> None:
    assert descending_scores(0.9, [0.1, 0.25]) == [0.9, 0.8, 0.55]
