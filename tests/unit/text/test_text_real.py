"""The same on texts that nobody here wrote."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median_high

import numpy as np
import pytest

from selection.text.bm25 import bm25_scores
from selection.text.sentences import sentences
from selection.text.statements import carries, skeleton, statements
from selection.text.tokens import count_many


def load(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))


def musique(data: Path) -> list[dict]:
    return load(data / "musique/musique_train_000-039.json")


def texts(data: Path, name: str) -> Iterator[str]:
    if name == "musique":
        yield from (p["paragraph_text"] for q in musique(data) for p in q["paragraphs"])
    elif name == "hotpotqa":
        questions = load(data / "hotpotqa/hotpotqa_train_000-039.json")
        yield from ("".join(lines) for q in questions for _, lines in q["context"])
    elif name == "covid_faq":
        with (data / "covid_faq/faq_200322_16.tsv").open(encoding="utf-8", newline="") as file:
            yield from (
                f"{r['question']} {r['answer']}" for r in csv.DictReader(file, delimiter="\t")
            )
    elif name == "basecamp_policies":
        lines = (data / "basecamp_policies/policy_versions.jsonl").read_text(encoding="utf-8")
        yield from (json.loads(line)["text"] for line in lines.splitlines())
    else:
        lines = (data / "trec_ts_2013/updates.tsv").read_text(encoding="utf-8").split("\n")
        yield from (line.split("\t")[-1] for line in lines[1:] if line)


MEDIANS = {
    # Median, least and most tokens a text, as counted for the description of these sets.
    "musique": (89, 24, 430),
    "hotpotqa": (116, 19, 642),
    "covid_faq": (117, 17, 1_081),
    "trec_ts_2013": (26, 3, 14_136),
}


@pytest.mark.parametrize("name", MEDIANS)
def test_token_counts_are_those_known_of_the_set(shared_data: Path, name: str) -> None:
    counts = count_many(texts(shared_data, name))
    assert (median_high(counts), min(counts), max(counts)) == MEDIANS[name]


@pytest.mark.parametrize("name", [*MEDIANS, "basecamp_policies"])
def test_spans_are_exact_and_statements_can_be_read(shared_data: Path, name: str) -> None:
    for text in texts(shared_data, name):
        end = 0
        for span in sentences(text):
            assert end <= span.start < span.end
            assert text[span.start : span.end].strip() == text[span.start : span.end] != ""
            end = span.end
        for statement in statements(text):
            assert statement.key
            if "number" in carries(statement.key):
                assert skeleton(statement.key) != statement.key


def test_revisions_of_a_policy_repeat_most_of_what_they_say(shared_data: Path) -> None:
    keys = [s.key for text in texts(shared_data, "basecamp_policies") for s in statements(text)]
    assert 1 - len(set(keys)) / len(keys) > 0.8


def test_bm25_finds_about_as_much_evidence_as_is_known_of_it(shared_data: Path) -> None:
    recalls = [
        packed_recall(question, budget=budget)
        for question in musique(shared_data)
        for budget in (256, 512, 768)
    ]
    assert 0.5 < mean(recalls) < 0.65  # .559 with four budgets' worth of other questions


def packed_recall(question: dict, *, budget: int) -> float:
    """Supporting paragraphs among those taken by score, skipping what does not fit."""
    paragraphs = question["paragraphs"]
    pool = [p["paragraph_text"] for p in paragraphs]
    tokens = count_many(pool)
    found = 0
    for index in np.argsort(-bm25_scores(question["question"], pool), kind="stable"):
        if tokens[index] <= budget:
            budget -= tokens[index]
            found += paragraphs[index]["is_supporting"]
    return found / sum(p["is_supporting"] for p in paragraphs)
