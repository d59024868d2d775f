"""Exit 0 where the candidate held, 1 where it dropped, 2 where it could not be judged."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from selection.significance import Interval
from storage.commands import Answer, _cases
from storage.commands._options import number
from storage.engine import Database
from storage.gate import CannotJudge, Verdict, judge
from storage.junit import Outcome, Reported, document

HELP = (
    "hold one saved comparison against another, or check the promoted cases; exits 1 where it "
    "dropped or one failed, 2 where unjudged"
)
SHOWN = 20


def arguments(parser: ArgumentParser) -> None:
    for side in ("--baseline", "--candidate"):
        parser.add_argument(side, metavar="NAME[:SELECTOR]", help="a saved comparison")
    parser.add_argument("--metric", default="claim_recall", help="the measure that is judged")
    parser.add_argument(
        "--max-drop", type=_drop, default=0.0, metavar="X", help="how much worse the mean may get"
    )
    parser.add_argument(
        "--allow-changed-data", action="store_true", help="pair by id although the data changed"
    )
    parser.add_argument("--junit", type=Path, metavar="FILE", help="also write a JUnit file")
    parser.add_argument(
        "--cases", action="store_true", help="check the promoted cases instead of two comparisons"
    )
    parser.add_argument("--collection", help="with --cases: only those of this collection")
    parser.add_argument(
        "--selector", metavar="SPEC", help="with --cases: check this one instead of each one's own"
    )
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="with --cases: its tokens")
    parser.add_argument("--passages", type=int, metavar="N", help="with --cases: its passages")


def _drop(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ArgumentTypeError(f"{text!r}; a number of 0 or more is accepted")
    return value


def run(database: Database, options: Namespace) -> Answer:
    if options.cases:
        if options.baseline or options.candidate:
            raise CannotJudge("--cases needs no --baseline and no --candidate; nothing was judged.")
        return _cases.run(database, options)
    if not options.baseline or not options.candidate:
        raise CannotJudge("Name --baseline and --candidate, or --cases; nothing was judged.")
    try:
        verdict = judge(
            database,
            baseline=options.baseline,
            candidate=options.candidate,
            metric=options.metric,
            max_drop=options.max_drop,
            allow_changed=options.allow_changed_data,
        )
    except CannotJudge as problem:
        _report(options, "error", message=str(problem))
        raise
    _report(
        options,
        "passed" if verdict.passed else "failure",
        message=f"dropped by {verdict.drop:.4f}, {verdict.max_drop:g} is allowed",
        details="\n".join(
            f"{question}: {before:g} -> {after:g}"
            for question, (before, after) in verdict.got_worse.items()
        ),
    )
    return Answer(_document(verdict), _text(verdict), code=0 if verdict.passed else 1)


def _report(options: Namespace, outcome: Outcome, *, message: str, details: str = "") -> None:
    """Write the JUnit file that was asked for: one test case, also where nothing was judged."""
    if options.junit is None:
        return
    case = Reported(
        group="rank13.gate",
        name=f"{options.metric}: {options.candidate} against {options.baseline}",
        outcome=outcome,
        message=message,
        details=details,
    )
    options.junit.write_text(document("rank13 gate", [case]), encoding="utf-8")


def _document(verdict: Verdict) -> dict[str, object]:
    test = verdict.test
    return {
        "passed": verdict.passed,
        "metric": verdict.metric,
        "drop": verdict.drop,
        "max_drop": verdict.max_drop,
        "n": test.n,
        "wins": test.wins,
        "losses": test.losses,
        "ties": test.ties,
        "p": test.p,
        "mean_gain": None if test.mean is None else _interval(test.mean),
        "unpaired": verdict.unpaired,
        "undefined": verdict.undefined,
        "baseline": {"name": verdict.baseline.name, "selector": verdict.baseline.selector},
        "candidate": {"name": verdict.candidate.name, "selector": verdict.candidate.selector},
        "got_worse": [
            {"question": question, "before": before, "after": after}
            for question, (before, after) in verdict.got_worse.items()
        ],
    }


def _interval(one: Interval) -> dict[str, float]:
    return {"value": one.value, "low": one.low, "high": one.high}


def _text(verdict: Verdict) -> str:
    test = verdict.test
    interval = "" if test.mean is None else f" [{test.mean.low:+.4f}, {test.mean.high:+.4f}]"
    word = "passed" if verdict.passed else "FAILED"
    lines = [
        f"{word}: {verdict.metric} moved by {-verdict.drop:+.4f}{interval} over {test.n:,} paired "
        f"questions; a drop of {verdict.max_drop:g} is allowed.",
        f"{test.wins:,} better, {test.losses:,} worse, {test.ties:,} equal; "
        + (test.note or f"sign-flip p = {test.p:.4f}"),
    ]
    left_out = [
        f"{count:,} {what}"
        for count, what in (
            (verdict.unpaired, "in one of the two only"),
            (verdict.undefined, "without a value"),
        )
        if count
    ]
    if left_out:
        lines.append(f"Left out: {', '.join(left_out)}.")
    worse = list(verdict.got_worse.items())
    lines += [f"- {q}: {number(before)} -> {number(after)}" for q, (before, after) in worse[:SHOWN]]
    if len(worse) > SHOWN:
        lines.append(f"- and {len(worse) - SHOWN:,} more")
    return "\n".join(lines)
