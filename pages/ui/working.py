"""Jobs on the screen: how far each is, how long it will take, cancelling, trying again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import streamlit as st

from pages.ui import cache, gate, text
from storage import jobs
from storage.access import Role
from storage.jobs import JobView

EVERY = "2s"
Act = Callable[[Any, int], bool]
SHOWN = ("failed", "cancelled")
"""States of ended jobs that stay on the screen until somebody takes them away."""


def shown(kind: str, *, collection: str | None = None) -> None:
    """The jobs of one kind that are open or ended badly; nothing where there are none.

    While one is open they are looked at again and again, and one that ends renews the page.
    """
    now = _listed(kind, collection)
    if not now:
        return
    watched = any(job.is_open for job in now)
    with st.container(key="jobs", gap="xsmall"):
        st.fragment(_watch, run_every=EVERY if watched else None)(
            kind, collection, tuple(job.id for job in now if job.is_open)
        )


def _listed(kind: str, collection: str | None) -> list[JobView]:
    """The oldest first, as they are worked off."""
    every = jobs.jobs(cache.engine(), kind=kind, collection=collection)
    return [
        job
        for job in reversed(every)
        if (job.is_open or job.state in SHOWN) and gate.sees(job.collection)
    ]


def _watch(kind: str, collection: str | None, were_open: Sequence[int]) -> None:
    now = _listed(kind, collection)
    if any(job.is_open for job in now):
        # A job whose process was killed goes on because somebody looks.
        jobs.start(cache.engine())
    if {job.id for job in now if job.is_open} != set(were_open):
        cache.forget()
        st.rerun()
    for job in now:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            _one(job)


def _one(job: JobView) -> None:
    """One job: a line of words over its bar, and what can be done about it."""
    with st.container(gap=None):
        st.html(said_html(job))
        if job.is_open:
            st.progress(job.share)
    if not gate.may(Role.EDITOR):
        return
    if job.is_open:
        _button("Cancel", f"cancel-{job.id}", jobs.cancel, job)
    else:
        _button("Try again", f"again-{job.id}", jobs.go_on, job)
        _button("Remove", f"remove-{job.id}", jobs.forget, job)


def _button(title: str, key: str, act: Act, job: JobView) -> None:
    st.button(title, key=f"job-{key}", type="tertiary", on_click=_act, args=(act, job.id))


def _act(act: Act, id: int) -> None:
    act(cache.writing(Role.EDITOR), id)
    cache.forget()


def said_html(job: JobView) -> str:
    """What a job does and how far it is, in a line."""
    words = f"<b>{text.plain(job.title)}</b> on {text.plain(job.collection)}: {progress(job)}"
    problem = f'<br><span class="soft">{text.plain(job.problem)}</span>' if job.problem else ""
    return f'<p class="r13 job">{words}{problem}</p>'


def progress(job: JobView) -> str:
    """How far a job is, in words."""
    if job.state == "queued":
        return f"waits for its turn, {text.counted(job.total, 'question')}"
    if job.state in SHOWN:
        return f"{job.state} after {text.counted(job.done, 'question')}"
    far = f"{job.done:,} of {text.counted(job.total, 'question')}"
    if job.state == "stopped":
        return f"{far}; its process is gone, and it goes on from there"
    left = job.left()
    return far if left is None else f"{far}, {duration(left)} left"


def duration(time: timedelta) -> str:
    """A time that is not known to the second: about 40 seconds, about 3 minutes."""
    seconds = time.total_seconds()
    for unit, size in (("hour", 3600), ("minute", 60)):
        if seconds >= 1.5 * size:
            return f"about {text.counted(round(seconds / size), unit)}"
    step = 10 if seconds > 20 else 1
    return f"about {text.counted(max(1, math.ceil(seconds / step) * step), 'second')}"
