"""alpha-nDCG and subtopic recall against the reference implementation, on public judgments.

ndeval takes its ideal from every judged document, ours from the pool: what can be selected. With
the judged documents in the pool as well, and ties of the ideal broken alike, the two agree.
"""

from __future__ import annotations

from pathlib import Path

import pyndeval
import pytest

from selection import Passage, Pool, make_selector
from selection.measures import Cut, all_measures
from storage.formats import format_of
from storage.records import QuestionRecord
from storage.report import Report

FOLDER = "trec_web_2010_diversity"
DEPTHS = range(1, 21)
OF = {one.name: one.of for one in all_measures()}


@pytest.fixture(scope="module")
def judged(shared_data: Path) -> dict[str, dict[str, set[str]]]:
    """Topic -> document -> its subtopics."""
    found: dict[str, dict[str, set[str]]] = {}
    for line in (shared_data / FOLDER / "2010.diversity.qrels").read_text().splitlines():
        topic, subtopic, document, _ = line.split()
        found.setdefault(topic, {}).setdefault(document, set()).add(subtopic)
    return found


@pytest.fixture(scope="module")
def topics(shared_data: Path) -> list[QuestionRecord]:
    names = ("wt2010_indri_run.txt", "2010.diversity.qrels", "wt2010.topics.xml")
    return list(format_of("trec").read([shared_data / FOLDER / name for name in names], Report()))


def test_both_measures_are_those_of_ndeval_at_every_depth(
    judged: dict[str, dict[str, set[str]]], topics: list[QuestionRecord]
) -> None:
    qrels = [
        pyndeval.SubtopicQrel(topic, subtopic, document, 1)
        for topic, documents in judged.items()
        for document, subtopics in documents.items()
        for subtopic in subtopics
    ]
    run = [
        pyndeval.ScoredDoc(topic.id, passage.id, -float(at))
        for topic in topics
        for at, passage in enumerate(topic.passages)
    ]
    names = [f"{name}@{k}" for k in DEPTHS for name in ("alpha-nDCG", "strec")]
    theirs = pyndeval.ndeval(qrels, run, measures=names)
    assert len(theirs) == 48
    for topic in topics:
        if topic.id in theirs:
            pool = everything(topic, judged[topic.id])
            chosen = make_selector("as_sent", arm="run").select(pool)
            for k in DEPTHS:
                cut, expected = Cut(pool, chosen, k), theirs[topic.id]
                assert OF["alpha_ndcg"](cut) == pytest.approx(expected[f"alpha-nDCG@{k}"], abs=1e-9)
                assert OF["subtopic_recall"](cut) == pytest.approx(expected[f"strec@{k}"], abs=1e-9)


def everything(topic: QuestionRecord, judged: dict[str, set[str]]) -> Pool:
    """The run, sent in its order, and what was judged; by name backwards, as ndeval breaks ties."""
    ran = [passage.id for passage in topic.passages]
    ids = sorted({*ran, *judged}, reverse=True)
    gold = sorted(set().union(*judged.values()))
    passages = [Passage(id=id, supports=frozenset(judged.get(id, ()))) for id in ids]
    return Pool(passages, gold=dict.fromkeys(gold, 1.0), sent={"run": ran})
