"""Tuning: what every value of one knob loses and gains, over a whole collection."""

from selection.tuning.conflicts import NumberConflict, number_conflicts
from selection.tuning.drops import Loss, Step, steps
from selection.tuning.flatness import Peak, peak
from selection.tuning.halves import Halves, halves
from selection.tuning.knobs import Knob, knobs_of, values_for, with_value
from selection.tuning.risks import lone_statements
from selection.tuning.safe import Safe, SafeRange, last_safe, safe_range
from selection.tuning.universe import Universe, facts
from selection.tuning.walk import Walk, walk

__all__ = [
    "Halves",
    "Knob",
    "Loss",
    "NumberConflict",
    "Peak",
    "Safe",
    "SafeRange",
    "Step",
    "Universe",
    "Walk",
    "facts",
    "halves",
    "knobs_of",
    "last_safe",
    "lone_statements",
    "number_conflicts",
    "peak",
    "safe_range",
    "steps",
    "values_for",
    "walk",
    "with_value",
]
