"""Which rule an arm followed, by what it is recorded to have sent."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from storage.commands import Answer
from storage.commands._options import table
from storage.engine import Database
from storage.production import Production, Rule, production

HELP = "find the setting that explains best what an arm really sent"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--collection", required=True, help="name of a stored collection")
    parser.add_argument("--arm", required=True, help="an arm with recorded passages")


def run(database: Database, options: Namespace) -> Answer:
    found = production(database, options.collection, options.arm)
    return Answer(document(found), _text(found))


def document(found: Production) -> dict[str, object]:
    """The rules as plain data."""
    return {
        "arm": found.arm,
        "n": found.n,
        "outside": found.outside,
        "rules": [
            {
                "selector": rule.selector.spec,
                "budget": rule.budget.tokens,
                "budget_from": rule.budgets[0] if rule.budgets else None,
                "budget_to": rule.budgets[1] if rule.budgets else None,
                "exact": rule.exact,
                "n": rule.n,
                "overlap": rule.overlap,
                "bound": dict(rule.bound),
                "k_binds": rule.k_binds,
                "unexplained": list(rule.differ),
            }
            for rule in found.rules
        ],
    }


def _text(found: Production) -> str:
    rows = [_row(rule) for rule in found.rules]
    lines = [table(("rule", "budget", "exact", "overlap"), rows)]
    best = found.rules[0]
    if best.differ:
        some = ", ".join(best.differ[:10])
        more = f" and {len(best.differ) - 10:,} more" if len(best.differ) > 10 else ""
        lines.append(f"Not explained by the first: {some}{more}.")
    if found.outside:
        lines.append(f"{found.outside:,} questions had passages sent that are no candidates.")
    return "\n".join(lines)


def _row(rule: Rule) -> tuple[str, ...]:
    tokens = "-" if rule.budget.tokens is None else f"{rule.budget.tokens:,}"
    return (rule.selector.spec, tokens, f"{rule.exact:,} of {rule.n:,}", f"{rule.overlap:.3f}")
