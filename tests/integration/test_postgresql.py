"""The tests of storage once more, on a real PostgreSQL server."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests import postgres
from tests.conftest import ROOT, skip_or_fail

MODULES = (
    "cases", "comparisons", "contrast", "engine", "forgetting", "gate", "imports", "jobs",
    "outcome_imports", "packed", "queries", "reviews", "sweeps",
)  # fmt: skip
"""All that store or read; copying a file is SQLite's alone."""


@pytest.mark.heavy
@pytest.mark.timeout(900)
@pytest.mark.parametrize("module", MODULES)
def test_storage_does_the_same_on_postgresql(module: str) -> None:
    if postgres.binaries() is None:
        skip_or_fail("PostgreSQL is not installed (Debian: the package postgresql)")
    path = Path(__file__).with_name(f"test_{module}.py")
    with tempfile.TemporaryDirectory() as folder, postgres.server(Path(folder) / "pg") as base:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "0", str(path)],
            cwd=ROOT,
            env={**os.environ, postgres.NAMED: base},
            capture_output=True,
            text=True,
            timeout=800,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-4000:]
