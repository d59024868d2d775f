"""What extracting claims costs, before it is done."""

from __future__ import annotations

from dataclasses import dataclass

USUAL_OUTPUT = 120
"""Tokens of an answer that an estimate assumes; real answers are counted as they come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float

    def __post_init__(self) -> None:
        for name in ("input", "output"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ValueError(
                    f"The price of {name} is {getattr(self, name)}; 0 or more US dollars for a "
                    "million tokens are accepted. Nothing was sent."
                )

    def of(self, *, input_tokens: int, output_tokens: int) -> float:
        """US dollars for so many tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """texts: to be sent; kept: answered before. cost: US dollars, for an output that is assumed."""

    texts: int
    kept: int
    input_tokens: int
    output_tokens: int
    cost: float


def estimate(input_tokens: list[int], *, kept: int, price: Price) -> Estimate:
    """Price a job. input_tokens: of each request that is still to be sent, instruction included."""
    total, answers = sum(input_tokens), USUAL_OUTPUT * len(input_tokens)
    return Estimate(
        texts=len(input_tokens),
        kept=kept,
        input_tokens=total,
        output_tokens=answers,
        cost=price.of(input_tokens=total, output_tokens=answers),
    )
