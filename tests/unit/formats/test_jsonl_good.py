"""The project's own JSON lines: what is read from sound files."""

from __future__ import annotations

import gzip
import json
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from storage.formats import format_of
from storage.records import ArmOutcome, Claim, Fact, PassageRecord, QuestionRecord, Support

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "format.md"
PLAIN = '{"question": "Why?", "passages": ["Because.", "So."]}'


def documented(kind: str) -> str:
    """The example of a kind from the document."""
    found = re.findall(rf"```\w+ {kind}\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def test_the_minimal_example_of_the_document_imports(read: Callable) -> None:
    (record,), report = read("jsonl", documented("minimal"))
    report.raise_if_any()
    assert record.question == "Why was I charged twice?"
    assert [passage.id for passage in record.passages] == ["rank-1", "rank-2"]
    assert all(p.tokens is p.score is p.claims is p.supports is None for p in record.passages)
    assert (record.facts, record.answer_bearing, record.arms) == ((), None, ())


def test_the_full_example_of_the_document_imports_as_it_says(read: Callable) -> None:
    (record,), report = read("jsonl", documented("full"))
    report.raise_if_any()
    assert report.warnings == ()
    hold, issuers, plain = record.passages
    assert hold == PassageRecord(
        id="HC-1041",
        text="A hold is no charge. It goes within 7 days.",
        tokens=12,
        score=0.93,
        rerank_score=0.71,
        claims=(
            Claim(key="hold is no charge"),
            Claim(key="7 days", text="A hold goes within 7 days.", start=21, end=43),
        ),
        supports=(Support(fact="f1"),),
        embedding=(0.2, 0.6, 0.1),
        metadata={"title": "What a hold is", "locale": "en-US"},
    )
    assert issuers.claims == ()
    assert issuers.supports == (
        Support(fact="f2", start=0, end=37),
        Support(fact="f1", degree="contradicts"),
    )
    assert plain == PassageRecord(id="rank-3", text="A passage that is only a text.")
    assert record.facts[1] == Fact(
        id="f2", text="Some issuers keep it for 30 days.", weight=2.0, alternatives=("30 days",)
    )
    assert record.answer_bearing == ("HC-1093",)
    assert record.arms[1] == ArmOutcome(name="k=20", correct=False, sent=("HC-1041", "HC-7777"))
    assert record.query_embedding == (0.1, 0.7, 0.2)
    assert record.ranked is True
    assert set(record.metadata) == {"locale", "team", "answer"}


def test_the_document_names_every_field_that_is_known() -> None:
    from storage.formats import jsonl

    text = DOCUMENT.read_text(encoding="utf-8")
    for known in (jsonl.QUESTION, jsonl.PASSAGE, jsonl.FACT, jsonl.ARM, jsonl.CLAIM, jsonl.SUPPORT):
        assert [name for name in sorted(known) if f"`{name}`" not in text] == []


def test_the_table_of_the_document_imports(read: Callable) -> None:
    (record,), report = read("table", documented("table"))
    report.raise_if_any()
    assert len(record.passages) == 2


@pytest.mark.parametrize(
    "content",
    [
        f"{PLAIN}\n",
        PLAIN,
        f"\n{PLAIN}\r\n\r\n",
        f"[{PLAIN}]",
        f"[\n  {PLAIN}\n]\n",
        json.dumps(json.loads(PLAIN), indent=2),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        gzip.compress(PLAIN.encode(), mtime=0),
        gzip.compress(b"\xef\xbb\xbf[" + PLAIN.encode() + b"]", mtime=0),
    ],
)
def test_lines_arrays_printed_objects_marks_and_packed_files_are_the_same(
    read: Callable, content: str | bytes
) -> None:
    (record,), report = read("jsonl", content, suffix=".json")
    report.raise_if_any()
    assert [passage.text for passage in record.passages] == ["Because.", "So."]
    assert (report.rows_read, report.rows_usable) == (1, 1)


def test_a_long_array_reads_like_the_same_lines(read: Callable) -> None:
    rows = [
        json.dumps({"id": n, "question": "é\n" * n, "passages": ["€" * (7 * n), "x" * (3 * n)]})
        for n in range(1, 300)
    ]
    by_line, first = read("jsonl", "\n".join(rows))
    in_array, second = read("jsonl", "[" + " ,\n".join(rows) + "\n]")
    first.raise_if_any()
    second.raise_if_any()
    assert len(by_line) == 299
    assert by_line == in_array


def test_a_number_as_an_id_is_read_as_text(read_one: Callable) -> None:
    (record,), report = read_one(
        "jsonl",
        id=7,
        question="q",
        passages=[{"id": 1, "text": "a", "claims": [12], "supports": [3]}, {"id": 2, "text": "b"}],
        facts=[{"id": 3}],
        answer_bearing=[1],
        arms=[{"name": 8, "sent": [2, 99]}],
    )
    report.raise_if_any()
    assert record.id == "7"
    assert [passage.id for passage in record.passages] == ["1", "2"]
    assert record.passages[0].claims == (Claim(key="12"),)
    assert record.passages[0].supports == (Support(fact="3"),)
    assert record.answer_bearing == ("1",)
    assert record.arms == (ArmOutcome(name="8", sent=("2", "99")),)


def test_missing_and_null_are_the_same_and_empty_is_not(read_one: Callable) -> None:
    passages = [
        {"text": "a"},
        {"text": "b", "claims": None, "supports": None},
        {"text": "c", "claims": [], "supports": []},
    ]
    (record,), _ = read_one("jsonl", question="q", passages=passages, answer_bearing=[])
    assert [p.claims for p in record.passages] == [None, None, ()]
    assert [p.supports for p in record.passages] == [None, None, ()]
    assert record.answer_bearing == ()


def test_unknown_fields_are_kept_in_metadata_beside_what_is_there(read_one: Callable) -> None:
    (record,), report = read_one(
        "jsonl",
        question="q",
        passages=[{"text": "a", "url": "x", "metadata": {"title": "t"}}],
        metadata={"locale": "de"},
        group={"of": ["two", None]},
    )
    report.raise_if_any()
    assert record.metadata == {"locale": "de", "group": {"of": ["two", None]}}
    assert record.passages[0].metadata == {"url": "x", "title": "t"}


def test_a_slip_in_a_name_is_asked_about(read_one: Callable) -> None:
    _, report = read_one("jsonl", question="q", passages=["a"], answer_baring=["x"])
    assert report.warnings == (
        "The field 'answer_baring' is kept as metadata; did you mean 'answer_bearing'? "
        "(first in file1.jsonl, line 1)",
    )


def test_a_field_that_nobody_keeps_is_said(read_one: Callable) -> None:
    _, report = read_one(
        "jsonl", question="q", passages=["a"], arms=[{"name": "a", "corect": True}]
    )
    assert report.warnings == (
        "The field 'corect' in arms is not known and is not kept; did you mean 'correct'? "
        "(first in file1.jsonl, line 1)",
    )


def test_passages_without_text_and_empty_pools_are_kept_and_said(read: Callable) -> None:
    rows = ['{"question": "a", "passages": []}', '{"question": "b", "passages": [""]}']
    records, report = read("jsonl", "\n".join(rows))
    assert [len(record.passages) for record in records] == [0, 1]
    assert [said.split(" (")[0] for said in report.warnings] == [
        "A question has no passages.",
        "A passage has no text, so nothing can be computed from it.",
    ]


def test_a_question_without_an_id_gets_the_same_one_in_every_file(read: Callable) -> None:
    (one,), _ = read("jsonl", PLAIN)
    other, _ = read("jsonl", '{"question": "Other?", "passages": []}', PLAIN)
    assert re.fullmatch(r"q-[0-9a-f]{12}", one.id)
    assert other[1].id == one.id


def test_equal_questions_without_ids_are_counted(read: Callable) -> None:
    records, report = read("jsonl", f"{PLAIN}\n{PLAIN}\n")
    report.raise_if_any()
    assert records[1].id == f"{records[0].id}-2"


def test_records_come_one_by_one(tmp_path: Path) -> None:
    from storage.report import Report

    path, report = tmp_path / "q.jsonl", Report()
    path.write_text(PLAIN + "\n" + '{"question": 5, "passages": []}\n')
    reading = format_of("jsonl").read([path], report)
    assert isinstance(next(reading), QuestionRecord)
    assert report.total == 0
    assert next(reading, None) is None
    assert report.total == 1


def test_a_weight_of_nothing_is_not_a_missing_one(read_one: Callable) -> None:
    (record,), _ = read_one(
        "jsonl", question="q", passages=[], facts=[{"id": "a", "weight": 0}, {"id": "b"}]
    )
    assert [fact.weight for fact in record.facts] == [0.0, 1.0]


@pytest.mark.parametrize("shape", ["lines", "array", "array that breaks at once"])
def test_memory_does_not_grow_with_the_file(shape: str, tmp_path: Path) -> None:
    from storage.report import Report

    rows = [json.dumps({"question": f"{n}", "passages": ["x" * 2_000] * 5}) for n in range(400)]
    start = "[{'}," if shape.endswith("once") else "["
    path = tmp_path / "q.json"
    path.write_text("\n".join(rows) if shape == "lines" else start + ",".join(rows) + "]")
    assert path.stat().st_size > 4_000_000
    del rows
    tracemalloc.start()
    for _ in format_of("jsonl").read([path], Report()):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_500_000
