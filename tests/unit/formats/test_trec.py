"""A TREC run with what belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from selection import Budget, make_selector, measure
from storage.engine import Database
from storage.formats import format_of, guess
from storage.formats.trec import Trec
from storage.imports import import_files
from storage.queries import question, questions
from storage.records import Claim, Fact, PassageRecord, Support
from storage.report import Report

RUN = "1 Q0 a 1 -1.5 r\n1 Q0 b 2 -2.5 r\n1 Q0 c 3 -3 r\n2 Q0 a 1 9 r\n"
SUBTOPICS = "1 1 a 1\n1 2 a 1\n1 2 b 1\n"
TOPICS = """<?xml version="1.0"?>
<!DOCTYPE t [ <!ELEMENT t (topic)*> ]>
<t><!-- a note --><topic number="1" type="faceted"><query>lamps</query>
<description> All about
 lamps. </description>
<subtopic number="1">light</subtopic><subtopic number="2"> how
 much </subtopic><subtopic number="3">never found</subtopic></topic>
<topic number="2"><query>shops</query><subtopic number="1">where</subtopic></topic></t>
"""
FOLDER = "trec_web_2010_diversity"
FILES = ("wt2010_indri_run.txt", "2010.diversity.qrels", "wt2010.topics.xml")


def test_a_run_alone_is_a_ranking_of_names(read: Callable) -> None:
    (one, two), report = read("trec", RUN)
    report.raise_if_any()
    assert (one.id, one.question) == ("1", "Topic 1")
    assert one.passages[0] == PassageRecord(
        id="a", text="", score=-1.5, metadata={"rank": 1, "run": "r"}
    )
    assert [p.id for p in one.passages] == ["a", "b", "c"]
    assert (one.facts, one.answer_bearing) == ((), None)
    assert [p.id for p in two.passages] == ["a"]
    assert "4 candidates have no text" in report.warnings[-1]


def test_candidates_are_ordered_as_trec_eval_does_it(read: Callable) -> None:
    (record,), report = read("trec", "1 Q0 a 1 1 r\n1 Q0 b 2 2 r\n1\tQ0\tc  3 2.0 r\n")
    report.raise_if_any()
    assert [p.id for p in record.passages] == ["c", "b", "a"]
    assert [p.metadata["rank"] for p in record.passages] == [3, 2, 1]
    assert "disagree with its scores" in report.warnings[1]


def test_an_order_among_equal_scores_is_no_disagreement(read: Callable) -> None:
    _, report = read("trec", "1 Q0 a 1 2 r\n1 Q0 b 2 2 r\n")
    assert "Documents with the same score are ordered by name" in report.warnings[1]


def test_ranks_with_holes_are_pointed_out(read: Callable) -> None:
    _, report = read("trec", "1 Q0 a 9 2 r\n1 Q0 b 17 1 r\n")
    assert any("holes" in warning for warning in report.warnings)


@pytest.mark.parametrize("start", [0, 1])
def test_ranks_may_start_at_zero_or_one(read: Callable, start: int) -> None:
    _, report = read("trec", f"1 Q0 a {start} 2 r\n1 Q0 b {start + 1} 1 r\n")
    assert not any("ranks" in warning for warning in report.warnings)


def test_subtopics_are_facts_and_relevant_documents_support_them(read: Callable) -> None:
    (one, two), report = read("trec", RUN, SUBTOPICS, TOPICS)
    report.raise_if_any()
    assert one.question == "lamps"
    assert one.facts == (Fact(id="1", text="light"), Fact(id="2", text="how much"))
    assert [p.supports for p in one.passages] == [
        (Support(fact="1"), Support(fact="2")),
        (Support(fact="2"),),
        None,
    ]
    assert one.passages[0].claims == (Claim(key="1"), Claim(key="2"))
    assert one.passages[2].claims == ()
    assert one.answer_bearing == ("a", "b")
    assert one.metadata == {
        "description": "All about lamps.",
        "type": "faceted",
        "subtopics without a document": "3",
    }
    assert [fact.id for fact in two.facts] == ["1"]
    assert two.answer_bearing is None
    assert two.passages[0].supports is None
    assert two.passages[0].claims is None
    assert any("no judgments, so gold is n/a: '2'" in warning for warning in report.warnings)


def test_the_order_of_the_files_means_nothing(read: Callable) -> None:
    texts = '{"docid": "a", "text": "Light."}'
    records, _ = read("trec", RUN, SUBTOPICS, TOPICS, texts)
    again, _ = read("trec", texts, TOPICS, SUBTOPICS, RUN)
    assert records == again


@pytest.mark.parametrize(
    "texts",
    [
        '{"docid": "a", "title": "T", "segment": "Light."}',
        '{"id": "a", "contents": "Light.", "title": "T"}',
        '[{"_id": "a", "title": "T", "text": "Light."}, {"_id": "z", "text": "Nobody asked."}]',
    ],
)
def test_texts_make_statements_possible(read: Callable, texts: str) -> None:
    (one, _), report = read("trec", RUN, SUBTOPICS, TOPICS, texts)
    report.raise_if_any()
    assert one.passages[0].text == "Light."
    assert one.passages[0].metadata == {"title": "T", "rank": 1, "run": "r"}
    assert one.passages[0].claims is None
    assert "2 candidates have no text" in report.warnings[-1]


def test_that_column_2_varies_does_not_make_it_a_subtopic(read: Callable) -> None:
    (one, _), report = read("trec", RUN, SUBTOPICS)
    report.raise_if_any()
    assert one.facts == ()
    assert one.answer_bearing == ("a", "b")
    assert [p.supports for p in one.passages] == [None] * 3
    assert "has 2 values and is not taken for a subtopic" in report.guesses[0]


def test_a_person_may_say_what_column_2_is(tmp_path: Path) -> None:
    for name, content in (("run", RUN), ("qrels", SUBTOPICS), ("topics", TOPICS)):
        (tmp_path / name).write_text(content)
    without = [tmp_path / "run", tmp_path / "qrels"]
    (one, _) = Trec(subtopics=True).read(without, Report())
    assert [fact.text for fact in one.facts] == ["Subtopic 1", "Subtopic 2"]
    (one, _) = Trec(subtopics=False).read([*without, tmp_path / "topics"], Report())
    assert one.facts == ()


def test_a_constant_column_2_is_no_subtopic_even_beside_topics_that_have_some(
    read: Callable,
) -> None:
    (one, _), report = read("trec", RUN, "1 0 a 2\n1 0 b 0\n1 0 c -2\n", TOPICS)
    report.raise_if_any()
    assert one.facts == ()
    assert one.answer_bearing == ("a",)


def test_judged_and_not_relevant_differs_from_not_judged(read: Callable) -> None:
    (one, _), _ = read("trec", RUN, SUBTOPICS + "1 1 c 0\n", TOPICS)
    assert one.passages[2].supports == ()


WRONG = [
    ("1 Q0 a 1 -1.5\n2 Q0 a 1 1 r\n", "", "5 columns"),
    ("1 Q0 a x 1 r\n", "rank", "the text 'x'"),
    ("1 Q0 a 1.5 1 r\n", "rank", "1.5"),
    ("1 Q0 a 1 nan r\n", "score", "the text 'nan'"),
    ("1 Q0 a 1 1,5 r\n", "score", "the text '1,5'"),
    ("1 Q0 a 1 1 r\n1 Q0 a 2 1 r\n", "document", "'a' again"),
]


@pytest.mark.parametrize(("lines", "field", "found"), WRONG)
def test_a_wrong_line_of_a_run_is_named(read: Callable, lines: str, field: str, found: str) -> None:
    _, report = read("trec", "0 Q0 a 1 1 r\n" + lines)
    (problem,) = report.problems
    assert problem.line == len(lines.splitlines()) + 1 if "again" in found else problem.line == 2
    assert problem.field == field
    assert found in problem.found


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("1 0 a x\n1 0 b\n1 0 b 1\n", "a file that starts with '1 0 a x'"),
        ("1 0 a 1\n1 0 a 2\n", "2, and 1 before"),
        ("<t><topic number='1'><query>a</query>", "XML that cannot be read"),
        ("<t><topic><query>a</query></topic></t>", "null"),
        ("<t><topic number='1'/></t>", "null"),
        ("<!DOCTYPE t [<!ENTITY x 'y'>]><t><topic/></t>", "an entity of its own"),
        ('{"docid": "a", "text": 5}', "the number 5"),
        ("query,passage\n", "a file that starts with 'query,passage'"),
    ],
)
def test_a_wrong_companion_is_explained(read: Callable, content: str, found: str) -> None:
    _, report = read("trec", RUN, content)
    assert report.problems[0].file == "file2.txt"
    assert found in report.problems[0].found


@pytest.mark.parametrize("content", [SUBTOPICS, TOPICS, '{"docid": "a", "text": "b"}'])
def test_without_a_run_there_is_nothing_to_select_from(read: Callable, content: str) -> None:
    records, report = read("trec", content)
    assert records == ()
    assert "no run, so there are no candidates" in report.problems[0].found


def test_a_run_without_texts_has_no_tokens_and_says_so(database: Database, tmp_path: Path) -> None:
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "qrels").write_text(SUBTOPICS)
    (tmp_path / "topics").write_text(TOPICS)
    files = [tmp_path / name for name in ("run", "qrels", "topics")]
    import_files(database, files, format="trec", collection="run")
    view = question(database, "run", "1")
    assert view.pool.tokens is None
    assert view.sources.tokens == "not known (no text)"
    assert view.sources.claims == "given"
    assert [row.tokens for row in questions(database, "run").rows] == [None, None]
    with pytest.raises(ValueError, match="tokens"):
        make_selector("top_k", k=2).select(view.pool, Budget(tokens=100))
    best = make_selector("top_k", k=1).select(view.pool, Budget(passages=1))
    assert measure(view.pool, best)["claim_recall"] == 1.0
    assert measure(view.pool, best)["tokens"] is None


def test_the_diversity_track_of_2010_is_read_without_a_problem(shared_data: Path) -> None:
    report = Report()
    paths = [shared_data / FOLDER / file for file in FILES]
    assert {guess(path) for path in paths} == {"trec"}
    records = {record.id: record for record in format_of("trec").read(paths, report)}
    report.raise_if_any()
    assert len(records) == 50
    assert sum(len(record.passages) for record in records.values()) == 15_518
    assert all((p.score or 0) < 0 for record in records.values() for p in record.passages)
    assert [p.metadata["rank"] for p in records["51"].passages[:3]] == [9, 10, 17]
    unjudged = [id for id, record in records.items() if record.answer_bearing is None]
    assert unjudged == ["95", "100"]
    nothing_relevant = [id for id, record in records.items() if record.answer_bearing == ()]
    assert len(nothing_relevant) == 5 - len(unjudged)
    assert sum("holes" in warning for warning in report.warnings) == 1


def test_judgments_of_2024_have_no_pool_and_no_subtopics(shared_data: Path) -> None:
    report = Report()
    path = shared_data / "trec_rag24_nuggets" / "qrels.rag24.test.txt"
    assert list(format_of("trec").read([path], report)) == []
    assert "no run" in report.problems[0].found
    assert "not taken for a subtopic" in report.guesses[0]


def test_a_topic_without_a_query_is_a_problem_and_keeps_its_number(read: Callable) -> None:
    empty = TOPICS.replace("<query>shops</query>", "<query></query>")
    records, report = read("trec", RUN, empty)
    assert [record.question for record in records] == ["lamps", "Topic 2"]
    assert "query" in str(report.problems[0])
