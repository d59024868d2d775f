"""`gate --cases`: every promoted question against its own setting, or against another one."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence

from selection.model import Budget
from selection.registry import Selector, parse_selector
from storage.cases import Case, cases
from storage.commands import Answer
from storage.commands._options import number
from storage.engine import Database
from storage.gate import CannotJudge
from storage.guard import Checked, State
from storage.junit import Outcome, Reported, document

Judged = Sequence[tuple[Case, Checked]]


def run(database: Database, options: Namespace) -> Answer:
    """0: all held; 1: at least one failed; 2: none failed, and at least one could not be judged."""
    found = cases(database, options.collection)
    if not found:
        where = f" in {options.collection!r}" if options.collection else ""
        raise CannotJudge(
            f"There is no case{where}: promote a reviewed question on the Regressions page first."
        )
    selector = None if options.selector is None else parse_selector(options.selector)
    judged = [(case, case.check(*_setting(options, selector, case))) for case in found]
    if options.junit is not None:
        options.junit.write_text(junit(judged), encoding="utf-8")
    states = Counter(checked.state for _, checked in judged)
    code = 1 if states[State.FAILED] else 2 if states[State.UNJUDGED] else 0
    return Answer(_document(judged, states, options, selector), _text(judged, states), code=code)


def _setting(
    options: Namespace, selector: Selector | None, case: Case
) -> tuple[Selector | None, Budget]:
    """The setting of the command line where one is given; what it leaves open is the case's own."""
    if options.budget is None and options.passages is None:
        return selector, case.budget
    return selector, Budget(tokens=options.budget, passages=options.passages)


def _document(
    judged: Judged, states: Counter[State], options: Namespace, selector: Selector | None
) -> dict[str, object]:
    return {
        "passed": states[State.HELD] == len(judged),
        **{str(state): states[state] for state in State},
        "cases": [
            {
                "collection": case.collection,
                "question": case.question,
                "state": str(checked.state),
                "selector": selector.spec if selector else case.setting,
                "budget": _setting(options, selector, case)[1].tokens,
                "passages": _setting(options, selector, case)[1].passages,
                "tokens": checked.tokens,
                "must": list(case.expected.must),
                "limits": dict(case.expected.limits),
                "why": list(checked.why),
                "verdict": case.verdict,
                "promoted_by": case.promoted_by,
                "promoted_at": case.promoted_at.isoformat(),
            }
            for case, checked in judged
        ],
    }


def _text(judged: Judged, states: Counter[State]) -> str:
    word = "passed" if states[State.HELD] == len(judged) else "FAILED"
    if not states[State.FAILED] and states[State.UNJUDGED]:
        word = "not judged"
    lines = [
        f"{word}: {states[State.HELD]:,} of {len(judged):,} cases held, {states[State.FAILED]:,} "
        f"failed, {states[State.UNJUDGED]:,} could not be judged."
    ]
    lines += [
        f"- {checked.state}: {case.question} ({case.collection}), {number(checked.tokens)} tokens"
        + "".join(f"; {why}" for why in checked.why)
        for case, checked in judged
        if checked.state is not State.HELD
    ]
    return "\n".join(lines)


def junit(judged: Judged) -> str:
    """The cases as a JUnit document, one test case each."""
    outcomes: dict[State, Outcome] = {State.FAILED: "failure", State.UNJUDGED: "error"}
    return document(
        "rank13 cases",
        [
            Reported(
                group=f"rank13.cases.{case.collection}",
                name=case.question,
                outcome=outcomes.get(checked.state, "passed"),
                message="; ".join(checked.why),
            )
            for case, checked in judged
        ],
    )
