"""A job as people see it: what it does, how far it is, and how long it will take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

State = Literal["queued", "running", "stopped", "done", "failed", "cancelled"]
OPEN: tuple[State, ...] = ("queued", "running", "stopped")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobView:
    """One job. state: "stopped" is a running one whose process is gone; it goes on by itself.

    done, total: questions. resumed_at: questions that were done when its process began.
    started_at: when that was. problem: a sentence, where it failed. result: where the outcome is,
    the name of a saved comparison, say. fingerprint: of the data that it reads.
    """

    id: int
    collection: str
    kind: str
    title: str
    request: Mapping[str, Any]
    author: str
    state: State
    submitted_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    done: int
    total: int
    resumed_at: int
    fingerprint: str
    problem: str
    result: str

    @property
    def is_open(self) -> bool:
        """Whether there is still something to be done."""
        return self.state in OPEN

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    def left(self, now: datetime | None = None) -> timedelta | None:
        """About how long it will still take; None before anything is known of its pace.

        From the questions that its present process did, and the time they took.
        """
        since = self.done - self.resumed_at
        if self.state != "running" or self.started_at is None or since <= 0:
            return None
        passed = (now or datetime.now(UTC)) - self.started_at
        return max(timedelta(), passed * ((self.total - self.done) / since))
