"""What got worse between two arms, and what happened to the evidence of every such question."""

from __future__ import annotations

import dataclasses
from argparse import ArgumentParser, Namespace
from typing import Any

from storage.commands import Answer
from storage.commands._options import table
from storage.diagnose import Regressions, regressions
from storage.engine import Database
from storage.studies.case import Case
from storage.suspects import CrowdingRow, Suspect

HELP = "diagnose what got worse between two arms"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--collection", required=True, help="name of a stored collection")
    parser.add_argument("--baseline", metavar="ARM", help="the earlier arm (default: the first)")
    parser.add_argument("--candidate", metavar="ARM", help="the later arm (default: the last)")


def run(database: Database, options: Namespace) -> Answer:
    found = regressions(
        database, options.collection, baseline=options.baseline, candidate=options.candidate
    )
    return Answer(document(found), _text(found))


def document(found: Regressions) -> dict[str, Any]:
    """Everything that was found, as plain data. Undefined is null."""
    return {
        "collection": found.collection,
        "baseline": found.baseline,
        "candidate": found.candidate,
        "n": found.n,
        "worse": found.worse,
        "better": found.better,
        "right": found.right,
        "wrong": found.wrong,
        "mcnemar": dataclasses.asdict(found.mcnemar),
        "flip_rate": found.noise.rate,
        "in_pool": found.in_pool,
        "not_in_pool": found.not_in_pool,
        "counts": {str(kind): count for kind, count in found.counts.items()},
        "citations": None if found.citations is None else dataclasses.asdict(found.citations),
        "crowding": [_crowding(row) for row in found.crowding],
        "suspects": {
            "documents": [_suspect(one) for one in found.suspects.documents],
            "documents_tested": found.suspects.documents_tested,
            "statements": [_suspect(one) for one in found.suspects.statements],
            "statements_tested": found.suspects.statements_tested,
        },
        "questions": [case_document(case) for case in found.cases],
    }


def case_document(case: Case) -> dict[str, Any]:
    """One worse question as plain data."""
    return {
        "question": case.question,
        "text": case.text,
        "metadata": dict(case.metadata),
        "diagnosis": str(case.diagnosis),
        "suspected": case.diagnosis == "crowded" and not case.supported,
        "why": case.why,
        "in_pool": case.in_pool,
        "needs": [
            {"need": name, "fate": fate, "ranks": list(ranks)} for name, fate, ranks in case.needs
        ],
        "lost": [dataclasses.asdict(one) for one in case.lost],
        "rose": list(case.rose),
        "signs": {
            name: {"before": before, "after": after} for name, (before, after) in case.signs.items()
        },
        "kept": list(case.kept),
        "added": list(case.added),
        "dropped": list(case.dropped),
        "tokens_added": case.tokens_added,
        "repeated": case.repeated,
        "suspects": list(case.suspects),
        "group": case.group,
        "worse_runs": case.worse_runs,
        "runs": case.runs,
        "baseline": _arm(case.before),
        "candidate": _arm(case.after),
    }


def _arm(arm: Any) -> dict[str, Any]:
    return {"correct": arm.correct, "cited": arm.cited, "answer": arm.answer}


def _crowding(row: CrowdingRow) -> dict[str, Any]:
    return {**dataclasses.asdict(row), "confirmed": row.confirmed}


def _suspect(one: Suspect) -> dict[str, Any]:
    return {**dataclasses.asdict(one), "clear": one.clear}


def _text(found: Regressions) -> str:
    p = found.mcnemar.p
    head = (
        f"{found.worse} of {found.n} questions got worse from {found.baseline} to "
        f"{found.candidate}, {found.better} got better"
        + (f" (exact McNemar p = {p:.2g})." if p is not None else ".")
    )
    rows = [(str(kind), str(count)) for kind, count in found.counts.items()]
    rows.append(("sum", str(sum(found.counts.values()))))
    split = (
        f"Answer-bearing passage anywhere in the pool: {found.in_pool}; not: {found.not_in_pool}."
    )
    return "\n".join([head, table(("diagnosis", "questions"), rows), split])
