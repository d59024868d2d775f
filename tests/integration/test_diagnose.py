"""Diagnosing what got worse: the built-in collection, every class by hand, and the command line."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from selection.diagnosis import Diagnosis
from selection.measures import measure
from selection.model import Budget, Pool
from selection.registry import make_selector
from storage import compare
from storage.__main__ import main
from storage.diagnose import regressions
from storage.engine import Database
from storage.formats import format_of
from storage.imports import import_records
from storage.queries import NotStored
from storage.records import ArmOutcome, Claim, Fact, PassageRecord, QuestionRecord, Support
from storage.remedies import Setting, remedies, settings
from storage.report import Report

HELP = "Help-centre regressions"


def passage(name: str, *, says: str = "", carries: str = "", against: str = "") -> PassageRecord:
    """Ten tokens that say one thing, and carry or contradict a fact."""
    supports = [Support(fact=carries)] if carries else []
    supports += [Support(fact=against, degree="contradicts")] if against else []
    return PassageRecord(
        id=name,
        text=f"Passage {name}.",
        tokens=10,
        score=0.5,
        claims=(Claim(key=says or name),),
        supports=tuple(supports),
    )


def question(
    name: str,
    passages: tuple[PassageRecord, ...],
    *,
    before: tuple[str, ...] | None,
    after: tuple[str, ...] | None,
    went: str = "10",
    facts: tuple[str, ...] = ("f",),
    setting: str | None = None,
) -> QuestionRecord:
    """A question with two arms. went: right (1) or wrong (0), before and after."""
    return QuestionRecord(
        id=name,
        question=f"Question {name}?",
        passages=passages,
        facts=tuple(Fact(id=fact, text=fact) for fact in facts),
        arms=(
            ArmOutcome(name="old", correct=went[0] == "1", sent=before, cited=True),
            ArmOutcome(
                name="new", correct=went[1] == "1", sent=after, cited=False, setting=setting
            ),
        ),
    )


GOLD = passage("gold", says="g", carries="f")
COPY1, COPY2 = passage("copy1", says="rule"), passage("copy2", says="rule", against="f")
OTHER = passage("other")


@pytest.fixture
def each(database: Database) -> Database:
    """One question for each class, one that stayed right and one that got better."""
    pool = (GOLD, COPY1, COPY2, OTHER)
    records = [
        question("lost", pool, before=("gold",), after=("copy1",), setting="top_k(k=1)"),
        question("crowded", pool, before=("gold",), after=("gold", "copy1", "copy2")),
        question("same", pool, before=("gold", "copy1"), after=("gold", "copy1")),
        question("gained", pool, before=("copy1",), after=("gold",)),
        question("without", pool, before=("copy1",), after=("copy2",)),
        question("no gold", (COPY1, OTHER), before=("copy1",), after=("other",), facts=()),
        question("right", pool, before=("gold",), after=("gold", "other"), went="11"),
        question("better", pool, before=("copy1",), after=("gold",), went="01"),
    ]
    import_records(database, records, collection="mine", format="jsonl", ranked=True)
    return database


def test_every_class_is_reached_and_the_counts_add_up(each: Database):
    found = regressions(each, "mine")
    assert {case.question: str(case.diagnosis) for case in found.cases} == {
        "lost": "evidence_lost",
        "crowded": "crowded",
        "same": "same_evidence",
        "gained": "gained_still_worse",
        "without": "without_evidence",
        "no gold": "no_gold",
    }
    assert set(found.counts) == set(Diagnosis)
    assert sum(found.counts.values()) == found.worse == len(found.cases) == 6
    assert (found.better, found.right, found.wrong, found.n) == (1, 1, 0, 8)


def test_the_classic_split_leaves_out_what_nobody_judged(each: Database):
    found = regressions(each, "mine")
    assert (found.in_pool, found.not_in_pool) == (5, 0)


def test_a_lost_passage_is_named_with_its_rank_and_why_it_is_out(each: Database):
    case = next(case for case in regressions(each, "mine").cases if case.question == "lost")
    (lost,) = case.lost
    assert (lost.need, lost.rank, lost.passage, lost.reason) == ("f", 1, "gold", "not_sent")
    assert case.needs == (("f", "lost", (1,)),)


def test_the_setting_says_why_where_it_selects_what_was_sent(database: Database):
    pool = (COPY1, GOLD)
    one = question("q", pool, before=("gold",), after=("copy1",), setting="top_k(k=1)")
    import_records(database, [one], collection="mine", format="jsonl", ranked=True)
    (lost,) = regressions(database, "mine").cases[0].lost
    assert lost.reason == "beyond_k"


def test_what_was_added_is_counted_with_what_repeats(each: Database):
    case = next(case for case in regressions(each, "mine").cases if case.question == "crowded")
    assert (case.kept, case.added, case.dropped) == ((1,), (2, 3), ())
    assert case.tokens_added == 20
    assert case.repeated == 0.5  # copy2 says what copy1 said
    assert case.signs["contradicting"] == (0, 1)
    assert case.signs["repetition"] == (0, 2)
    assert case.signs["distance"] == (10, 30)
    assert set(case.rose) == {"repetition", "distance", "contradicting"}


def test_crowding_is_only_suspected_without_evidence_that_it_is_larger(each: Database):
    case = next(case for case in regressions(each, "mine").cases if case.question == "crowded")
    assert not case.supported


def test_an_arm_that_recorded_nothing_is_read_by_its_setting(database: Database):
    one = question("q", (COPY1, GOLD), before=("gold",), after=None, setting="top_k(k=1)")
    import_records(database, [one], collection="mine", format="jsonl", ranked=True)
    case = regressions(database, "mine").cases[0]
    assert case.diagnosis is Diagnosis.EVIDENCE_LOST
    assert case.selectors[1] == "top_k(k=1, overflow='overspend')"


def test_a_prompt_that_nobody_knows_cannot_be_judged_and_that_is_said(database: Database):
    one = question("q", (COPY1, GOLD), before=("gold",), after=None)
    import_records(database, [one], collection="mine", format="jsonl", ranked=True)
    case = regressions(database, "mine").cases[0]
    assert case.diagnosis is Diagnosis.NO_GOLD
    assert "what new sent is not recorded" in case.why


def test_citations_are_paired(each: Database):
    cited = regressions(each, "mine").citations
    assert cited is not None
    assert (cited.before, cited.after, cited.test.n, cited.test.worse) == (8, 0, 8, 8)


def test_without_repeated_runs_noise_is_unknown(each: Database):
    assert regressions(each, "mine").noise.rate is None


def test_repeated_runs_give_a_flip_rate_and_a_majority(database: Database):
    runs = [("old", "111"), ("new", "001")]
    one = QuestionRecord(
        id="q",
        question="Again and again?",
        passages=(GOLD,),
        facts=(Fact(id="f"),),
        arms=tuple(
            ArmOutcome(name=name, run=at + 1, correct=went == "1", sent=("gold",))
            for name, all_runs in runs
            for at, went in enumerate(all_runs)
        ),
    )
    import_records(database, [one], collection="mine", format="jsonl", ranked=True)
    found = regressions(database, "mine")
    (case,) = found.cases
    assert (case.worse_runs, case.runs) == (2, 3)
    assert (found.noise.flips, found.noise.pairs) == (2, 6)


def test_arms_can_be_turned_round(each: Database):
    found = regressions(each, "mine", baseline="new", candidate="old")
    assert (found.worse, found.better) == (1, 6)


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        ({"baseline": "k=9"}, "no arm 'k=9'; it has 'old', 'new'"),
        ({"baseline": "old", "candidate": "old"}, "compared with itself"),
    ],
)
def test_an_arm_that_is_not_there_is_named(each: Database, arms: dict[str, str], said: str):
    with pytest.raises(ValueError, match=said):
        regressions(each, "mine", **arms)


def test_an_unknown_collection_is_named(database: Database):
    with pytest.raises(NotStored, match="no collection 'nowhere'"):
        regressions(database, "nowhere")


def test_one_arm_is_not_enough(database: Database):
    one = QuestionRecord(
        id="q", question="?", passages=(OTHER,), arms=(ArmOutcome(name="a", correct=True),)
    )
    import_records(database, [one], collection="mine", format="jsonl", ranked=True)
    with pytest.raises(ValueError, match="two are needed"):
        regressions(database, "mine")


# What would change.


def test_the_later_arm_repairs_nothing_and_loses_nothing(each: Database):
    marks = ("repetition", "contradicting")
    before, after = remedies(each, "mine", settings([Budget()])[:2], marks=marks)
    assert (after.brought_back, after.undone, after.relieved, after.newly_lost) == (0, 0, 0, 0)
    assert (after.lost, after.crowded, after.marked, after.right) == (1, 1, 1, 2)
    assert after.repairs == 0
    assert (before.brought_back, before.undone, before.relieved) == (1, 1, 1)
    assert before.newly_lost == 1  # the question that got better had no evidence before


def test_a_setting_brings_back_what_was_lost_and_shows_its_price(each: Database):
    wanted = [
        Setting(selector=make_selector("top_k", k=1)),
        Setting(selector=make_selector("top_k", k=0)),
    ]
    first, none = remedies(each, "mine", wanted)
    assert (first.brought_back, first.lost, first.undone, first.newly_lost) == (1, 1, 1, 0)
    assert (none.brought_back, none.undone, none.newly_lost) == (0, 0, 2)
    assert (first.tokens, none.tokens) == (10.0, 0.0)


def test_a_setting_that_cannot_run_says_on_how_many(each: Database):
    (row,) = remedies(each, "mine", [Setting(selector=make_selector("rerank"))])
    assert (row.n, row.unable, row.tokens) == (0, 8, None)


# The built-in collection.


def test_the_help_centre_has_71_worse_each_with_a_diagnosis(built_in: Database):
    found = regressions(built_in, HELP)
    assert (found.worse, found.better, found.n) == (71, 24, 240)
    assert (found.in_pool, found.not_in_pool) == (63, 8)
    assert found.counts[Diagnosis.CROWDED] == 63
    assert found.counts[Diagnosis.WITHOUT_EVIDENCE] == 8
    assert sum(found.counts.values()) == 71
    assert found.mcnemar.p is not None
    assert found.mcnemar.p < 0.001
    assert all(case.needs and case.why for case in found.cases)


def test_its_crowding_is_more_than_a_larger_prompt(built_in: Database):
    rows = {row.sign: row for row in regressions(built_in, HELP).crowding}
    assert rows["repetition"].confirmed
    assert rows["contradicting"].confirmed
    assert not rows["distance"].confirmed
    assert not rows["depth"].confirmed


def test_its_summaries_are_found_and_touch_more_than_half(built_in: Database):
    found = regressions(built_in, HELP)
    clear = [one.text for one in found.suspects.documents if one.clear]
    assert clear
    assert all(text.endswith("at a glance") for text in clear)
    assert sum(bool(case.suspects) for case in found.cases) > 71 / 2


def test_its_remedies_favour_a_selector_and_show_the_price(built_in: Database):
    found = regressions(built_in, HELP)
    marks = [row.sign for row in found.crowding if row.confirmed]
    rows = remedies(built_in, HELP, settings([Budget(tokens=920)]), marks=marks)
    after = next(row for row in rows if row.setting.arm == "after")
    assert after.repairs == after.newly_lost == 0
    best = max((row for row in rows if row.setting.selector), key=lambda row: row.repairs)
    assert best.relieved > 0
    assert best.newly_lost > 0
    assert best.right == found.right + found.better


def test_the_same_question_gets_the_same_answer(built_in: Database):
    assert regressions(built_in, HELP) == regressions(built_in, HELP)


def test_it_takes_less_than_a_second_and_a_half(built_in: Database):
    regressions(built_in, HELP)
    start = time.process_time()
    regressions(built_in, HELP)
    assert time.process_time() - start < 1.5


# The command line.


def test_the_command_prints_one_document(built_in: Database, capsys: pytest.CaptureFixture[str]):
    arguments = ["diagnose", "--collection", HELP, "--json", "--database", built_in.url]
    assert main(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    assert {key: document[key] for key in ("worse", "better", "in_pool", "not_in_pool", "n")} == {
        "worse": 71,
        "better": 24,
        "in_pool": 63,
        "not_in_pool": 8,
        "n": 240,
    }
    assert sum(document["counts"].values()) == 71
    assert set(document["counts"]) == {str(kind) for kind in Diagnosis}
    assert len(document["questions"]) == 71
    assert {"question", "diagnosis"} <= set(document["questions"][0])


def test_the_command_takes_two_arms(built_in: Database, capsys: pytest.CaptureFixture[str]):
    arms = ["--baseline", "k=20", "--candidate", "k=8"]
    main(["diagnose", "--collection", HELP, *arms, "--json", "--database", built_in.url])
    document = json.loads(capsys.readouterr().out)
    assert (document["worse"], document["better"]) == (24, 71)


def test_the_command_says_which_arms_there_are(
    built_in: Database, capsys: pytest.CaptureFixture[str]
):
    arguments = ["diagnose", "--collection", HELP, "--baseline", "k=9"]
    assert main([*arguments, "--database", built_in.url]) != 0
    assert "'k=8', 'k=20'" in capsys.readouterr().err


# Public data: MuSiQue with two computed arms, right where every fact is sent.


def test_two_computed_arms_over_public_questions_are_diagnosed(
    shared_data: Path, database: Database
):
    files = sorted((shared_data / "musique").glob("*.json"))
    read = format_of("musique").read(files, Report())
    import_records(database, read, collection="musique", format="musique", ranked=False)
    pools = [built.pool for built in compare.pools(database, "musique", relevance=None)]
    arms = {pool.id: _computed(pool) for pool in pools}
    again = [
        replace(record, arms=arms[record.id], ranked=False)
        for record in format_of("musique").read(files, Report())
    ]
    import_records(database, again, collection="computed", format="musique", ranked=False)
    found = regressions(database, "computed", baseline="k=8", candidate="k=3")
    assert found.n == len(again)
    assert found.worse > 0
    assert sum(found.counts.values()) == found.worse
    assert found.counts[Diagnosis.EVIDENCE_LOST] == found.worse  # right means: every fact is sent
    assert found.better == 0  # three of eight carry no fact that the eight do not
    assert all(case.lost for case in found.cases)


def _computed(pool: Pool) -> tuple[ArmOutcome, ...]:
    """What the first k carry within 512 tokens: right where that is every fact."""
    arms = []
    for k in (8, 3):
        selector = make_selector("top_k", k=k, overflow="skip")
        chosen = selector.select(pool, Budget(tokens=512))
        recall = measure(pool, chosen)["claim_recall"]
        sent = tuple(pool.ids[index] for index in chosen.picks.order)
        arms.append(
            ArmOutcome(name=f"k={k}", correct=recall == 1.0, setting=selector.spec, sent=sent)
        )
    return tuple(arms)
