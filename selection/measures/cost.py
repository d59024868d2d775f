"""What a selection costs."""

from __future__ import annotations

from selection.measures.many import Many
from selection.measures.registry import Cut, register_measure
from selection.model import FloatArray


def _tokens(many: Many) -> FloatArray:
    return many.rows.tokens


@register_measure(
    "tokens",
    title="tokens",
    help="Tokens of the passages sent.",
    unit="tokens",
    better="lower",
    batch=_tokens,
    needs="token counts",
)
def tokens(cut: Cut) -> float | None:
    return None if cut.tokens is None else float(cut.tokens)


@register_measure(
    "remaining",
    title="remaining tokens",
    help="Tokens of the budget that are left; negative when overspent.",
    unit="tokens",
    better=None,
    budgeted=True,
    batch=lambda many: many.limits - many.rows.tokens,
    needs="token counts",
)
def remaining(cut: Cut) -> float | None:
    return None if cut.remaining is None else float(cut.remaining)


@register_measure(
    "instruction_distance",
    title="instruction distance",
    help="Tokens between the instruction above the passages and the question below them.",
    unit="tokens",
    better="lower",
    batch=_tokens,
    needs="token counts",
)
def instruction_distance(cut: Cut) -> float | None:
    return tokens(cut)
