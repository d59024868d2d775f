"""Language libraries load when first used, never with the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LIBRARIES = ("sklearn", "bm25s", "sentencex", "bpe_openai")


def test_importing_the_package_loads_no_language_library() -> None:
    files = (ROOT / "selection" / "text").glob("[a-z]*.py")
    modules = ", ".join(f"selection.text.{file.stem}" for file in files)
    code = f"import sys, selection, {modules}; print([m for m in {LIBRARIES} if m in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
