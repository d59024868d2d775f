"""Quality measures, one file a family; importing a module registers its measures.

A measure that is undefined is None, never 0.
"""

from selection.measures.registry import Cut, Measure, all_measures, measure, measure_names

__all__ = ["Cut", "Measure", "all_measures", "measure", "measure_names"]
