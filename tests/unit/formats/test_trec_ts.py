"""TREC temporal summarisation: updates, nuggets, matches and topics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from storage.formats import format_of, guess
from storage.records import Fact, PassageRecord, QuestionRecord, Support
from storage.report import Report

UPDATE_HEADER = "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
NUGGET_HEADER = "query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text\n"
MATCH_HEADER = "query_id    update_id   nugget_id\tmatch_start\tmatch_end\tauto_p\n"
TOPICS = "<events><event><id>1</id><title>Rail</title><query>train crash</query></event></events>"
FILES = ("updates.tsv", "nuggets.tsv", "matches.tsv", "trec2013-ts-topics-test.xml")


def updates(*rows: tuple[str, str, str], topic: str = "TS13.1") -> str:
    """Updates from their id, duplicate_id and text."""
    lines = (f"{topic}\t{id}\tdoc\t0\t9\t{of}\t{text}\n" for id, of, text in rows)
    return UPDATE_HEADER + "".join(lines)


def nuggets(*rows: tuple[str, str]) -> str:
    """Nuggets from their id and importance."""
    return NUGGET_HEADER + "".join(f"TS13.1\t{id}\t1\t{of}\t2\tNugget {id}\n" for id, of in rows)


def matches(*rows: tuple[str, str, int, int]) -> str:
    """Matches from update, nugget, start and end."""
    return MATCH_HEADER + "".join(f"TS13.1\t{u}\t{n}\t{s}\t{e}\t0\n" for u, n, s, e in rows)


@pytest.fixture
def supports(read: Callable) -> Callable[..., dict[str, tuple[Support, ...] | None]]:
    """What each update supports."""

    def run(*contents: str) -> dict[str, tuple[Support, ...] | None]:
        (record,), report = read("trec-ts", *contents)
        report.raise_if_any()
        return {passage.id: passage.supports for passage in record.passages}

    return run


def test_nuggets_are_facts_in_the_updates_that_match_them(read: Callable) -> None:
    (record,), report = read(
        "trec-ts",
        updates(("u1", "NULL", "49 dead in crash."), ("u2", "NULL", "Hello.")),
        nuggets(("n1", "3"), ("n2", "1")),
        matches(("u1", "n1", 0, 7)),
        TOPICS,
    )
    report.raise_if_any()
    assert record == QuestionRecord(
        id="TS13.1",
        question="train crash",
        passages=(
            PassageRecord(
                id="u1",
                text="49 dead in crash.",
                supports=(Support(fact="n1", start=0, end=7),),
                metadata={"doc_id": "doc", "sentence_id": "0"},
            ),
            PassageRecord(
                id="u2",
                text="Hello.",
                supports=(),
                metadata={"doc_id": "doc", "sentence_id": "0"},
            ),
        ),
        facts=(
            Fact(id="n1", text="Nugget n1", weight=3.0),
            Fact(id="n2", text="Nugget n2", weight=1.0),
        ),
        metadata={"title": "Rail"},
    )
    assert "1 of 2 nuggets of 'TS13.1' are in no update" in report.warnings[0]
    assert report.guesses == ("Topic '1' of the topics file is 'TS13.1' of the tables.",)


def test_quotes_are_plain_characters_and_tabs_in_a_text_stay(read: Callable) -> None:
    (record,), report = read("trec-ts", updates(("u1", "NULL", '"Open'), ("u2", "NULL", 'a\tb" c')))
    report.raise_if_any()
    assert [p.text for p in record.passages] == ['"Open', 'a\tb" c']


def test_without_matches_nobody_knows_what_an_update_supports(supports: Callable) -> None:
    found = supports(updates(("u1", "NULL", "a")), nuggets(("n1", "3")))
    assert found == {"u1": None}


def test_a_match_counts_for_duplicates_too_and_along_chains(supports: Callable) -> None:
    found = supports(
        updates(("u1", "NULL", "49 dead."), ("u2", "u1", "49 dead."), ("u3", "u2", "x")),
        nuggets(("n1", "3")),
        matches(("u1", "n1", 0, 7)),
    )
    assert found == {
        "u1": (Support(fact="n1", start=0, end=7),),
        "u2": (Support(fact="n1", start=0, end=7),),
        "u3": (Support(fact="n1"),),
    }


def test_a_match_of_an_update_that_is_not_there_counts_for_its_duplicates(
    supports: Callable,
) -> None:
    content = updates(("u2", "gone", "49 dead."))
    assert supports(content, nuggets(("n1", "3")), matches(("gone", "n1", 0, 7))) == {
        "u2": (Support(fact="n1", start=0, end=7),)
    }


def test_duplicates_that_point_in_a_circle_end(supports: Callable) -> None:
    content = updates(("u1", "u2", "a"), ("u2", "u1", "a"))
    found = supports(content, nuggets(("n1", "3")), matches(("u1", "n1", 0, 1)))
    assert found["u1"] == found["u2"] == (Support(fact="n1", start=0, end=1),)


def test_a_place_outside_of_the_text_is_not_kept(supports: Callable) -> None:
    found = supports(
        updates(("u1", "NULL", "short")), nuggets(("n1", "3")), matches(("u1", "n1", 0, 99))
    )
    assert found == {"u1": (Support(fact="n1"),)}


def test_a_nugget_of_importance_below_0_is_left_out_and_said(read: Callable) -> None:
    (record,), report = read(
        "trec-ts",
        updates(("u1", "NULL", "a")),
        nuggets(("n1", "-1"), ("n2", "0")),
        matches(("u1", "n1", 0, 1), ("u1", "n2", 0, 1)),
    )
    report.raise_if_any()
    assert [fact.id for fact in record.facts] == ["n2"]
    assert [s.fact for s in record.passages[0].supports] == ["n2"]
    assert any("importance below 0" in warning for warning in report.warnings)


def test_what_matches_name_and_nobody_has_is_counted(read: Callable) -> None:
    _, report = read(
        "trec-ts",
        updates(("u1", "NULL", "a")),
        nuggets(("n1", "1")),
        matches(("x", "n1", 0, 1), ("y", "n1", 0, 1), ("u1", "n9", 0, 1)),
    )
    report.raise_if_any()
    assert report.warnings[:2] == (
        "The matches name 2 updates that the other files do not have.",
        "The matches name 1 nugget that the other files do not have.",
    )


GOOD = (updates(("u1", "NULL", "a")), nuggets(("n1", "1")), matches(("u1", "n1", 0, 1)))


@pytest.mark.parametrize(
    ("file", "old", "new", "field", "found"),
    [
        (0, "\tdoc\t", "\t", "", "6 cells"),
        (0, "u1", " ", "update_id", "only 'query_id'"),
        (1, "\t1\t2", "\tx\t2", "importance", "the text 'x'"),
        (1, "\t1\t2", "\t\t2", "importance", "an empty cell"),
        (2, "\t0\t1\t0", "\t-1\t1\t0", "match_start", "-1"),
        (2, "\t0\t1\t0", "\t0\t1.5\t0", "match_end", "1.5"),
        (1, "importance", "weight", "", "a file that starts with 'query_id"),
    ],
)
def test_a_wrong_cell_is_named(
    read: Callable, file: int, old: str, new: str, field: str, found: str
) -> None:
    contents = list(GOOD)
    contents[file] = contents[file].replace(old, new, 1)
    _, report = read("trec-ts", *contents)
    assert (report.problems[0].file, report.problems[0].field) == (f"file{file + 1}.tsv", field)
    assert found in report.problems[0].found


@pytest.mark.parametrize(
    ("file", "field"), [(0, "update_id"), (1, "nugget_id")], ids=["updates", "nuggets"]
)
def test_a_row_that_comes_again_is_a_problem(read: Callable, file: int, field: str) -> None:
    contents = list(GOOD)
    again = contents[file].splitlines()[-1].replace("Nugget", "Other")
    contents[file] += again + "\n"
    _, report = read("trec-ts", *contents)
    (problem,) = report.problems
    assert (problem.line, problem.field) == (3, field)
    assert "again" in problem.found


def test_without_updates_there_is_nothing_to_select_from(read: Callable) -> None:
    records, report = read("trec-ts", *GOOD[1:])
    assert records == ()
    assert "no updates, so there are no candidates" in report.problems[0].found


@pytest.fixture
def published(shared_data: Path) -> tuple[list[QuestionRecord], Report]:
    paths = [shared_data / "trec_ts_2013" / file for file in FILES]
    assert {guess(path) for path in paths} == {"trec-ts"}
    report = Report()
    return list(format_of("trec-ts").read(paths, report)), report


def test_the_four_published_topics_are_read_without_a_problem(
    published: tuple[list[QuestionRecord], Report],
) -> None:
    records, report = published
    report.raise_if_any()
    assert [record.id for record in records] == ["TS13.1", "TS13.10", "TS13.2", "TS13.3"]
    assert records[0].question == "buenos aires train crash"
    assert sum(len(record.passages) for record in records) == 3_063
    assert sum(len(record.facts) for record in records) == 321
    assert max(len(p.text.encode()) for record in records for p in record.passages) > 64_000
    assert report.warnings[:2] == (
        "The matches name 16 updates that the other files do not have.",
        "The matches name 1 nugget that the other files do not have.",
    )


def test_duplicates_are_no_longer_without_claims(
    published: tuple[list[QuestionRecord], Report],
) -> None:
    records, _ = published
    for record in records:
        by_id = {p.id: p for p in record.passages}
        for passage in record.passages:
            original = by_id.get(passage.metadata.get("duplicate_of", ""))
            if original is not None:
                found = {s.fact for s in passage.supports or ()}
                assert {s.fact for s in original.supports or ()} <= found
