"""Renews the picture in the README: `python -m tests.benchmarks.pictures`.

Taken from the running dashboard on the built-in worked example, 1280 x 800, light.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser import screens, serving

PICTURE = serving.ROOT / "docs" / "pictures" / "question.png"
SHOWN = ["top_k(k=20)", "marginal_gain(min_new_claims=1)", "optimum(objective='claims')"]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="rank13-") as folder:
        database = Path(folder) / "picture.sqlite"
        serving.command_line(database, "collections")
        log = Path(folder) / "server.log"
        with serving.dashboard(database, log=log) as base, serving.browser() as chromium:
            page = chromium.new_page(
                viewport={"width": 1280, "height": 800}, color_scheme="light", locale="en-GB"
            )
            screens.go(page, base, "question", c="Charged twice", s=SHOWN, budget="4000")
            screens.ledger(page).wait_for()
            # The focus ring and the fonts are the last to settle.
            page.evaluate("document.fonts.ready")
            page.mouse.move(640, 790)
            page.wait_for_timeout(500)
            PICTURE.parent.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=PICTURE)
    print(f"{PICTURE.relative_to(serving.ROOT)}, {PICTURE.stat().st_size / 1000:,.0f} kB")


if __name__ == "__main__":
    main()
