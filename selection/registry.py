"""The registry: a selector declares its name, title, needs and parameters in one place, once."""

from __future__ import annotations

import ast
import importlib
import math
import os
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar

from selection.ledger import Moment, Picks, Selection, Verdict
from selection.model import Budget, Pool

Need = Literal["score", "claims", "similarity", "texts", "rerank_score", "tokens"]
Refusal = Callable[[Moment], Verdict]


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter: its type, bounds and default, and one line that says what each end means.

    low, high: inclusive bounds, None for unbounded. choices: the accepted texts.
    default: None means that a value must be given. source: attribute of a pool whose keys are the
    values on offer (the recorded arms, say).
    """

    name: str
    type: type
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    source: str | None = None
    title: str = ""

    @property
    def label(self) -> str:
        """The name as a person reads it."""
        return self.title or self.name.rstrip("_").replace("_", " ")

    def check(self, value: Any, *, owner: str) -> Any:
        """Return the value in this parameter's type.

        :raises ValueError: naming the selector, the parameter, and what is accepted.
        """
        accepted = self.accepted()
        refused = ValueError(f"{owner}: {self.name} is {value!r}; {accepted} is accepted.")
        if value is None:
            raise ValueError(f"{owner}: {self.name} is missing; {accepted} is accepted.")
        if self.type in (bool, str):
            if not isinstance(value, self.type) or (self.choices and value not in self.choices):
                raise refused
            return value
        try:
            number = self.type(value)
            same = not isinstance(value, bool) and float(value) == float(number)
        except (TypeError, ValueError, OverflowError):
            raise refused from None
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        if not same or not math.isfinite(number) or not low <= number <= high:
            raise refused
        return number

    def accepted(self) -> str:
        """What is accepted, in words."""
        if self.choices:
            return " or ".join(repr(choice) for choice in self.choices)
        if self.type is bool:
            return "True or False"
        if self.type is str:
            return "a text"
        kind = "a whole number" if self.type is int else "a number"
        if self.low is not None and self.high is not None:
            return f"{kind} from {self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"{kind} of {self.low:g} or more"
        return kind


class Selector:
    """A selector with its parameters set. Subclasses are registered, one file each.

    A subclass implements `pick` and `refusals`; what it leaves alone means "has none".
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    params: ClassVar[tuple[Param, ...]]
    needs: ClassVar[tuple[Need, ...]]
    reorders: ClassVar[bool]
    yardstick: ClassVar[bool] = False
    """Whether it is a measure for the others: dear, or knowing what no selector knows."""

    def __init__(self, **values: Any) -> None:
        known = {param.name: param for param in self.params}
        for name in values:
            if name not in known:
                names = ", ".join(known) or "no parameters"
                raise ValueError(f"{self.name}: there is no parameter {name!r}; it takes {names}.")
        for name, param in known.items():
            setattr(self, name, param.check(values.get(name, param.default), owner=self.name))

    @property
    def values(self) -> dict[str, Any]:
        """Parameter -> value, in the declared order."""
        return {param.name: getattr(self, param.name) for param in self.params}

    def __repr__(self) -> str:
        return self.spec

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selector) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    @property
    def spec(self) -> str:
        """The selector as text, every parameter said: 'mmr(lambda_=0.5, clip=False)'."""
        return f"{self.name}({', '.join(f'{k}={v!r}' for k, v in self.values.items())})"

    @property
    def label(self) -> str:
        """The selector as a person reads it: the title, then what differs from the default."""
        parts = [
            param.label if value is True else f"{param.label} {value}"
            for param in self.params
            if (value := getattr(self, param.name)) != param.default or param is self.params[0]
            if value is not False
        ]
        return ", ".join([self.title, *parts])

    def select(self, pool: Pool, budget: Budget = Budget()) -> Selection:
        """Choose from a pool under a budget.

        :raises ValueError: naming this selector, the field and the passage that lacks it.
        """
        self.check(pool, budget)
        return Selection(pool=pool, budget=budget, selector=self, picks=self.pick(pool, budget))

    def check(self, pool: Pool, budget: Budget) -> None:
        """Whether this selector can run on a pool under a budget, without running it.

        :raises ValueError: naming this selector, the field and the passage that lacks it.
        """
        for need in self.requires(pool, budget):
            self._require(pool, need)

    def requires(self, pool: Pool, budget: Budget) -> tuple[Need, ...]:
        """What must be known of every passage: the declared needs; tokens under a token budget."""
        return self.needs if budget.tokens is None else (*self.needs, "tokens")

    def _require(self, pool: Pool, need: Need) -> None:
        if not len(pool) or _has(pool, need):
            return
        column = {"similarity": "embedding"}.get(need, need)
        culprit = pool.first_without(column) if need != "texts" else _first_blank(pool)
        what = "a token budget" if need == "tokens" else self.name
        hint = " Budget(passages=...) works without tokens." if need == "tokens" else ""
        raise ValueError(
            f"{self.name}: {what} needs {_WORDS[need]}, and passage {culprit!r} has none.{hint}"
        )

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        """Choose. Called after the needs are checked; all that a sweep pays for."""
        raise NotImplementedError

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        """A function from the moment of decision to why that passage is out."""
        raise NotImplementedError

    def sequence(self, pool: Pool, order: Sequence[int]) -> Iterable[int]:
        """Indices in the order in which decisions fall: by rank, or admissions first."""
        if not self.reorders:
            return range(len(pool))
        taken = set(order)
        return [*order, *(index for index in range(len(pool)) if index not in taken)]

    def gains(self, pool: Pool, order: Sequence[int]) -> tuple[float, ...] | None:
        """Gain of each admitted passage where `pick` did not say."""
        return None

    def worth(self, pool: Pool, order: Sequence[int]) -> float | None:
        return None

    def bound(self, pool: Pool, budget: Budget, picks: Picks) -> float | None:
        return None

    def guarantee(self, pool: Pool, budget: Budget) -> str | None:
        return None

    def change_points(self, pool: Pool, name: str) -> Sequence[Any]:
        """Settings of a parameter between which no selection differs; empty where unknown."""
        return ()

    def runs(self, pool: Pool, budget: Budget, order: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
        """Orders of admission that were tried to arrive at `order`, itself included.

        A token budget decides only whether a passage fits after a prefix of one of them. Empty
        where the budget decides nothing, or otherwise than by that.
        """
        return (order,)

    @property
    def nested(self) -> bool:
        """Whether a smaller cap on passages gives the first so many of a larger one."""
        return False

    def missing(self, pool: Pool) -> tuple[str, ...]:
        return ()


_WORDS: Mapping[str, str] = {
    "score": "a score",
    "claims": "claims",
    "similarity": "an embedding",
    "texts": "a text",
    "rerank_score": "a rerank_score",
    "tokens": "tokens",
}


def _has(pool: Pool, need: Need) -> bool:
    match need:
        case "score":
            return pool.scores is not None
        case "rerank_score":
            return pool.rerank_scores is not None
        case "tokens":
            return pool.tokens is not None
        case "claims":
            return pool.claim_bits.complete
        case "similarity":
            return pool.has_similarity
        case "texts":
            return all(pool.texts)


def _first_blank(pool: Pool) -> str:
    return pool.ids[pool.texts.index("")]


_selectors: dict[str, type[Selector]] = {}


S = TypeVar("S", bound=type[Selector])


def register(
    name: str,
    *,
    title: str,
    summary: str,
    params: Sequence[Param] = (),
    needs: Sequence[Need] = (),
    reorders: bool = False,
) -> Callable[[S], S]:
    """Register a selector class under a name; a team's own modules use it too.

    :raises ValueError: where the name is taken by another class.
    """

    def add(cls: S) -> S:
        taken = _selectors.get(name)
        if taken is not None and taken.__qualname__ != cls.__qualname__:
            raise ValueError(f"There is a selector {name!r} already, in {taken.__module__}.")
        cls.name, cls.title, cls.summary = name, title, summary
        cls.params, cls.needs, cls.reorders = tuple(params), tuple(needs), reorders
        _selectors[name] = cls
        return cls

    return add


@cache
def _discover() -> None:
    """Import every module of selection.selectors, then those named in SELECTION_PLUGINS."""
    package = importlib.import_module("selection.selectors")
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    for plugin in filter(None, map(str.strip, os.environ.get("SELECTION_PLUGINS", "").split(","))):
        importlib.import_module(plugin)


def list_selectors() -> list[str]:
    """The names of all selectors, sorted."""
    _discover()
    return sorted(_selectors)


def selector_class(name: str) -> type[Selector]:
    """The class behind a name, with its title, parameters and needs.

    :raises ValueError: listing the names that exist.
    """
    _discover()
    if name not in _selectors:
        raise ValueError(f"There is no selector {name!r}; there are {', '.join(list_selectors())}.")
    return _selectors[name]


def make_selector(name: str, **params: Any) -> Selector:
    """A selector with its parameters set; those left out take their defaults.

    :raises ValueError: for an unknown name or parameter, or a value out of range.
    """
    return selector_class(name)(**params)


def parse_selector(spec: str) -> Selector:
    """Read 'mmr(lambda_=0.7)' or 'marginal_gain'; literals only, nothing is ever run.

    :raises ValueError: saying what could not be read.
    """
    refused = ValueError(f"{spec!r} is no selector; write a name, or name(parameter=value, ...).")
    try:
        tree = ast.parse(spec.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise refused from None
    call = ast.Call(tree, [], []) if isinstance(tree, ast.Name) else tree
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
        raise refused
    try:
        values = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise refused from None
    return make_selector(call.func.id, **values)
