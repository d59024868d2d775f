"""Selecting passages for a prompt: pools, selectors, the ledger of every rank, and measures.

The library knows nobody: no web framework, no database, no data frames; numpy and scipy only.
"""

from selection.ledger import Decision, Reason, Selection
from selection.measures import measure
from selection.model import Budget, Passage, Pool
from selection.registry import list_selectors, make_selector

__all__ = [
    "Budget",
    "Decision",
    "Passage",
    "Pool",
    "Reason",
    "Selection",
    "list_selectors",
    "make_selector",
    "measure",
]
