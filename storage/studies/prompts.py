"""What an arm sent of a question: as recorded, else as its setting selects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from selection.model import Budget, Pool
from selection.registry import Selector, parse_selector
from storage.records import ArmOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What one arm sent. order: 0-based places in the pool, in the prompt's order.

    recorded: as the file says; else worked out from the arm's setting. outside: recorded ids that
    are not in the pool. selector: what shows this prompt on the Question page.
    """

    order: tuple[int, ...]
    recorded: bool
    outside: int
    selector: str
    tokens: int | None


def needs_similarity(arm: ArmOutcome) -> bool:
    """Whether what an arm sent can only be worked out with a similarity."""
    setting = setting_of(arm)
    return arm.sent is None and setting is not None and "similarity" in setting.needs


def setting_of(arm: ArmOutcome) -> Selector | None:
    try:
        return parse_selector(arm.setting) if arm.setting else None
    except ValueError:
        return None


def prompt_of(pool: Pool, runs: Sequence[ArmOutcome]) -> Prompt | None:
    """What an arm sent: as its first recorded run says, else as its setting selects."""
    recorded = next((run for run in runs if run.sent is not None), None)
    if recorded is not None and recorded.sent is not None:
        inside = dict.fromkeys(pool.position[i] for i in recorded.sent if i in pool.position)
        outside = sum(name not in pool.position for name in recorded.sent)
        return _as_prompt(pool, tuple(inside), f"as_sent(arm={recorded.name!r})", outside)
    for run in runs:
        setting = setting_of(run)
        if setting is None:
            continue
        try:
            return _as_prompt(pool, setting.select(pool, Budget()).picks.order, setting.spec)
        except ValueError:
            continue
    return None


def _as_prompt(
    pool: Pool, order: tuple[int, ...], selector: str, outside: int | None = None
) -> Prompt:
    return Prompt(
        order=order,
        recorded=outside is not None,
        outside=outside or 0,
        selector=selector,
        tokens=None if pool.tokens is None else int(pool.tokens[list(order)].sum()),
    )
