"""What tests share: where real data lie, and when a skip is a failure."""

from __future__ import annotations

import math
import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
STRICT = os.environ.get("R13_REQUIRE_ALL") == "1"
HEAVY_SHARE = float(os.environ.get("R13_HEAVY_SHARE", "1"))
HEAVY_SEED = os.environ.get("R13_HEAVY_SEED", "13")

# A busy machine is no failure. Where a change is judged, everybody gets the same examples.
settings.register_profile(
    "rank13",
    deadline=None,
    database=None,
    derandomize=STRICT,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("rank13")


def skip_or_fail(reason: str) -> None:
    """Skip with a reason; where everything is required (continuous integration), fail instead."""
    if STRICT:
        pytest.fail(f"required here: {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public data sets beside the checkout."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        skip_or_fail("the folder of public data sets is not beside this checkout")
    return folder


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a seeded share of the heavy tests, at least one; the others count as deselected."""
    heavy = sorted(item.nodeid for item in items if item.get_closest_marker("heavy"))
    kept = sampled(heavy, share=HEAVY_SHARE, seed=HEAVY_SEED)
    left_out = [item for item in items if item.nodeid in set(heavy) - kept]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def sampled(names: list[str], *, share: float, seed: str) -> set[str]:
    """A share (0 to 1) of some names, rounded up: the same ones for the same names and seed."""
    return set(random.Random(seed).sample(names, k=math.ceil(len(names) * min(1.0, share))))
