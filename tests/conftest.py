"""What tests share: where real data lie, and when a skip is a failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STRICT = os.environ.get("R13_REQUIRE_ALL") == "1"


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
