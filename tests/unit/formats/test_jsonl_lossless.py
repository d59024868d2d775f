"""The project's own JSON lines: what goes out comes in again, to the last field."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.formats import format_of
from storage.records import (
    ArmOutcome,
    Claim,
    Fact,
    PassageRecord,
    QuestionRecord,
    Support,
)
from storage.report import Report
from storage.samples import Sample, all_samples


def there_and_back(records: tuple[QuestionRecord, ...]) -> tuple[QuestionRecord, ...]:
    """Records written to a file and read again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.jsonl"
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            format_of("jsonl").write(records, stream)
        report = Report()
        back = tuple(format_of("jsonl").read([path], report))
    report.raise_if_any()
    return back


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
names = texts.filter(lambda text: text.strip() != "")
numbers = st.floats(allow_nan=False, allow_infinity=False)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
metadata = st.dictionaries(texts, plain, max_size=3)


def maybe(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | strategy


def tuples(strategy: st.SearchStrategy, **options: object) -> st.SearchStrategy:
    return st.lists(strategy, max_size=3, **options).map(tuple)  # type: ignore[arg-type]


@st.composite
def places(draw: st.DrawFn, text: str) -> dict[str, int | None]:
    if not text or draw(st.booleans()):
        return {"start": None, "end": None}
    start = draw(st.integers(0, len(text) - 1))
    return {"start": start, "end": draw(st.integers(start + 1, len(text)))}


@st.composite
def passages(draw: st.DrawFn, facts: list[str], length: int) -> PassageRecord:
    text = draw(texts)
    claims = st.builds(
        lambda key, text, place: Claim(key=key, text=text, **place),
        names, maybe(texts), places(text),
    )  # fmt: skip
    supports = st.builds(
        lambda fact, degree, place: Support(fact=fact, degree=degree, **place),
        st.sampled_from(facts or ["none"]),
        st.sampled_from(["full", "partial", "contradicts"]),
        places(text),
    )
    return PassageRecord(
        id=draw(names),
        text=text,
        tokens=draw(maybe(st.integers(0, 2**31 - 1))),
        score=draw(maybe(numbers)),
        rerank_score=draw(maybe(numbers)),
        claims=draw(maybe(tuples(claims))),
        supports=draw(maybe(tuples(supports) if facts else st.just(()))),
        embedding=draw(maybe(st.tuples(*[numbers] * length))),
        metadata=draw(metadata),
    )


@st.composite
def questions(draw: st.DrawFn) -> QuestionRecord:
    length = draw(st.integers(1, 3))
    facts = draw(
        tuples(
            st.builds(
                Fact,
                id=names,
                text=texts,
                weight=st.floats(0, allow_nan=False, allow_infinity=False),
                alternatives=tuples(names),
            ),
            unique_by=lambda fact: fact.id,
        )
    )
    pool = draw(
        tuples(passages([fact.id for fact in facts], length), unique_by=lambda passage: passage.id)
    )
    ids = [passage.id for passage in pool]
    arms = st.builds(
        ArmOutcome,
        name=names,
        run=st.integers(1, 9),
        correct=maybe(st.booleans()),
        score=maybe(numbers),
        cited=maybe(st.booleans()),
        answer=maybe(texts),
        setting=maybe(texts),
        sent=maybe(tuples(names)),
    )
    bearing = st.lists(st.sampled_from(ids), unique=True).map(tuple) if ids else st.just(())
    return QuestionRecord(
        id=draw(names),
        question=draw(names),
        passages=pool,
        facts=facts,
        answer_bearing=draw(maybe(bearing)),
        arms=draw(tuples(arms, unique_by=lambda arm: (arm.name, arm.run))),
        query_embedding=draw(maybe(st.tuples(*[numbers] * length))),
        ranked=draw(maybe(st.booleans())),
        metadata=draw(metadata),
    )


@settings(max_examples=50)
@given(st.lists(questions(), min_size=1, max_size=3, unique_by=lambda question: question.id))
def test_any_records_come_back_as_they_were(records: list[QuestionRecord]) -> None:
    assert there_and_back(tuple(records)) == tuple(records)


@pytest.mark.parametrize("sample", all_samples(), ids=lambda sample: sample.name)
def test_every_built_in_collection_comes_back_as_it_was(sample: Sample) -> None:
    records = tuple(sample.records())
    assert there_and_back(records) == records


def test_what_is_written_is_one_line_a_question_without_what_is_not_known() -> None:
    records = [
        QuestionRecord(id="a", question="ä\n", passages=(PassageRecord(id="p", text="t"),)),
        QuestionRecord(
            id="b",
            question="b",
            passages=(PassageRecord(id="p", text="", claims=(), supports=()),),
            answer_bearing=(),
        ),
    ]
    stream = io.StringIO()
    format_of("jsonl").write(records, stream)
    assert stream.getvalue().split("\n") == [
        '{"id": "a", "question": "ä\\n", "passages": [{"id": "p", "text": "t"}]}',
        '{"id": "b", "question": "b", "passages": '
        '[{"id": "p", "text": "", "claims": [], "supports": []}], "answer_bearing": []}',
        "",
    ]


def test_what_is_no_json_is_not_written() -> None:
    passage = PassageRecord(id="p", text="t", score=float("nan"))
    with pytest.raises(ValueError, match="JSON"):
        format_of("jsonl").write(
            [QuestionRecord(id="a", question="q", passages=(passage,))], io.StringIO()
        )
