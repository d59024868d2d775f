"""The watch itself: a check that cannot fail is none."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.conftest import Watch, visitor


def test_the_watch_sees_a_request_to_another_host_and_a_complaint(chromium: Browser) -> None:
    seen = Watch()
    with visitor(chromium, seen) as page:
        page.set_content('<img src="http://tracker.invalid/a.png"><script>nobody.home()</script>')
        page.wait_for_load_state("load")
    assert seen.outside == ["http://tracker.invalid/a.png"]
    assert any("nobody" in complaint for complaint in seen.complaints)
