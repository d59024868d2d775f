"""The part of the README that the registry writes: `python -m tests.readme` renews it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from selection.measures.registry import Measure, all_measures
from selection.registry import Param, Selector, list_selectors, selector_class

README = Path(__file__).resolve().parent.parent / "README.md"
START = "<!-- made from the registry by: python -m tests.readme -->"
END = "<!-- end of what is made from the registry -->"
NEEDS = {"similarity": "similarity", "rerank_score": "second score"}
BETTER = {"higher": "higher", "lower": "lower", None: "-"}


def renewed(text: str) -> str:
    """A README with its tables as the registry has them now.

    :raises ValueError: where the two markers are not there.
    """
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"README.md lacks the markers {START!r} and {END!r}.")
    tables = "\n".join([*selectors(), "", *measures()])
    return f"{before}{START}\n{tables}\n{END}{after}"


def selectors() -> Iterator[str]:
    yield "| selector | what it does | parameters (default) | needs |"
    yield "|---|---|---|---|"
    for name in list_selectors():
        cls = selector_class(name)
        if cls.__module__.startswith("selection."):
            yield row(f"`{name}`", cls.summary, parameters(cls), needs(cls))


def parameters(cls: type[Selector]) -> str:
    return "<br>".join(parameter(param) for param in cls.params) or "none"


def parameter(param: Param) -> str:
    default = "must be given" if param.default is None else f"`{param.default}`"
    choices = f" {' '.join(f'`{one}`' for one in param.choices)}." if param.choices else ""
    return f"`{param.name}` ({default}):{choices} {param.help}"


def needs(cls: type[Selector]) -> str:
    return ", ".join(NEEDS.get(need, need) for need in cls.needs) or "-"


def measures() -> Iterator[str]:
    yield "| measure | what it says | better |"
    yield "|---|---|---|"
    for one in all_measures():
        yield row(f"`{one.name}`", described(one), BETTER[one.better])


def described(one: Measure) -> str:
    return f"{one.title}: {one.help}" + (" Exact, so by name only in a sweep." * one.costly)


def row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
