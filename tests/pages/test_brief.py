"""The Brief page: one screen for who decides, whose every figure opens its questions."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import brief_file, brief_words, figures
from pages.ui.figures import Prices
from selection.model import Budget
from selection.registry import parse_selector
from storage.brief import Brief, Changed
from storage.brief_sources import brief_of_arms
from storage.compare import compare
from storage.engine import Database
from storage.reviews import add_review
from storage.saved import save_comparison
from tests.pages import factories, reading, rooms

MOMENT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
PRICES = Prices(volume=100_000, price=3.0)
HELP = "Help-centre regressions"


def values(page: AppTest) -> dict[str, str]:
    """What the tiles say first, by the key of the figure."""
    shown = {one.key: one.label for one in page.button if (one.key or "").startswith("figure-")}
    return {key.removeprefix("figure-"): label.replace("\\", "") for key, label in shown.items()}


def test_the_built_in_change_says_what_it_does_and_what_it_costs(samples: Database) -> None:
    page = rooms.open_page("brief", c=HELP)
    assert not page.exception
    shown = values(page)
    assert shown["worse"] == "71 of 240"
    assert shown["better"] == "24 of 240"
    assert shown["lost"] == "0 of 240"
    assert shown["unjudged"] == "0 of 240"
    assert shown["reviewed"] == "0 of 71"
    said = rooms.said(page)
    assert "From k=8 to k=20" in said
    assert "n = 240" in said
    assert "no model was asked again" in said


def test_money_follows_the_volume_and_the_price_of_the_address(samples: Database) -> None:
    one = brief_of_arms(samples, HELP)
    assert one.tokens is not None
    page = rooms.open_page("brief", c=HELP, volume="1000000", price="0.5")
    expected = one.tokens.difference.value * 0.5
    assert values(page)["money"] == f"+${expected:,.0f}"
    page.number_input(key="w-price").set_value(1.0).run()
    assert page.query_params["price"] in ("1", ["1"])
    assert values(page)["money"] == f"+${2 * expected:,.0f}"


def test_a_figure_opens_its_questions_and_closes_again(samples: Database) -> None:
    page = rooms.open_page("brief", c=HELP)
    assert not page.dataframe
    page.button(key="figure-worse").click().run()
    assert not page.exception
    assert page.query_params["figure"] in ("worse", ["worse"])
    assert len(page.dataframe[0].value) == 12
    assert "Got worse: 71" in rooms.said(page)
    page.button(key="figure-worse").click().run()
    assert not page.dataframe


def test_a_picked_question_opens_under_both_settings(samples: Database) -> None:
    page = rooms.picked(rooms.open_page("brief", c=HELP, figure="worse"), 0)
    assert not page.exception
    assert page.query_params["s"] == ["as_sent(arm='k=8')", "as_sent(arm='k=20')"]


def test_a_verdict_is_counted_with_who_gave_it(database: Database, tmp_path: Path) -> None:
    arms = [{"name": "k=1", "correct": True}, {"name": "k=2", "correct": False}]
    record = rooms.plain("A?", "One.", "Two.", id="q1", arms=arms)
    rooms.store(database, [record], tmp_path, name="Ours")
    add_review(database, "Ours", ["q1"], verdict="crowded out", reviewer="Ada")
    page = rooms.open_page("brief", c="Ours")
    assert values(page)["reviewed"] == "1 of 1"
    assert "Ada 1" in rooms.said(page)
    assert values(page)["unjudged"] == "1 of 1"


def test_texts_alone_say_what_skipping_repeats_saves_and_that_nothing_is_judged(
    database: Database, tmp_path: Path
) -> None:
    twice = rooms.plain("How much?", "It costs 5 euro.", "It costs 5 euro.", "It is blue.")
    rooms.store(database, [twice], tmp_path, name="Ours")
    page = rooms.open_page("brief", c="Ours")
    assert not page.exception
    shown = values(page)
    assert shown["worse"] == shown["back"] == "n/a"
    assert shown["repeats"] == "33% to 0%"
    assert shown["tokens"].startswith("−")
    said = rooms.said(page)
    assert "at most 20 passages; worked out now and not saved" in said
    assert "evidence is not judged" in said


def test_a_saved_comparison_is_a_change_with_its_author(database: Database, tmp_path: Path) -> None:
    record = rooms.plain("A?", "One.", "One.", "Two.", id="q1")
    rooms.store(database, [record], tmp_path, name="Ours")
    both = [parse_selector("top_k(k=3)"), parse_selector("marginal_gain")]
    found = compare(database, "Ours", both, Budget(tokens=50))
    save_comparison(database, found, name="loop", author="Ada")
    page = rooms.open_page("brief", c="Ours", name="loop", selector=found.selectors[1])
    assert not page.exception
    said = rooms.said(page)
    assert "“loop”, saved" in said
    assert "by Ada" in said
    assert "at most 50 tokens" in said
    assert "“loop”, saved" in rooms.said(rooms.open_page("brief", c="Ours", name="loop"))
    opened = rooms.open_page("comparisons", name="loop")
    ways = [address for _, room, address in rooms.links(opened) if room == "brief"]
    assert ways == [{"c": ["Ours"], "name": ["loop"], "selector": [found.selectors[1]]}]


@pytest.mark.parametrize(
    "address",
    [
        {"c": "gone", "figure": "gone", "name": "gone", "selector": "gone"},
        {"c": HELP, "before": "k=20", "after": "gone", "volume": "-1", "price": "x"},
        {"c": HELP, "figure": "worse", "page": "99", "price": "1e9", "volume": "banana"},
        {"c": "Charged twice", "figure": "tokens", "volume": "0", "price": "0"},
        {"c": "Finance pools"},
    ],
)
def test_odd_addresses_fall_back_and_never_fail(samples: Database, address: dict[str, str]) -> None:
    page = rooms.open_page("brief", **address)
    assert not page.exception
    assert len(values(page)) == 8


def test_an_empty_database_says_so(database: Database) -> None:
    page = rooms.open_page("brief")
    assert not page.exception
    assert "Nothing to show yet" in rooms.said(page)


def test_hostile_texts_stay_texts(database: Database, tmp_path: Path) -> None:
    arms = [{"name": rooms.PRINTABLE, "correct": True}, {"name": "b", "correct": False}]
    record = rooms.plain(rooms.HOSTILE, rooms.HOSTILE, "Two.", arms=arms, id="q")
    rooms.store(database, [record], tmp_path, name=rooms.PRINTABLE)
    page = rooms.open_page("brief", figure="worse")
    assert not page.exception
    rooms.assert_nothing_runs(page)


def brief(words: str, *, rows: int = 3) -> Brief:
    """A change by hand: the first question gains evidence, the second loses it."""
    shares = [(0.0, 1.0), (1.0, 0.5), (None, None)]
    return Brief(
        collection=words,
        before=words,
        after="k=20",
        selectors=(),
        source=None,
        total=rows,
        noise=None,
        rows=tuple(
            Changed(
                question=f"{words}{at}",
                text=words,
                outcome="",
                before=shares[at % 3][0],
                after=shares[at % 3][1],
                why=words,
                tokens_before=100,
                tokens_after=200 + at,
            )
            for at in range(rows)
        ),
    )


def file(words: str, *, rows: int = 3) -> str:
    one = brief(words, rows=rows)
    shown = figures.figures(one, {}, PRICES)
    home = factories.collection(name=words)
    return brief_file.brief_file(one, shown, home, PRICES, saved_at=MOMENT).decode()


def test_the_file_says_the_same_and_every_figure_opens_its_questions() -> None:
    html = file("k=8")
    words = reading.words(html)
    for said in ("From k=8 to k=20", "1 of 2", "made up", "$3.00 a million tokens", "1 of 3"):
        assert said in words
    assert ["k=8", "k=81", "evidence sent 100% before, 50% after"] in reading.rows(html)
    assert html.count("<details>") == 8


def test_the_file_escapes_every_text_and_loads_nothing() -> None:
    hostile, tame = file("</style></title><script>x</script>\ud800"), file("words")
    assert reading.elements(hostile) == reading.elements(tame)
    assert "default-src 'none'" in hostile
    assert "url(" not in hostile


def test_a_file_of_very_many_questions_lists_some_and_counts_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(brief_file, "MOST_LINES", 2)
    html = file("k=8", rows=9)
    assert "and 7 more" in reading.words(html)
    assert "9 questions" in reading.words(html)


def test_sentences_of_a_change_that_changes_nothing() -> None:
    same = Brief(
        collection="c", before="a", after="b", selectors=(), source=None, total=0, noise=None,
        rows=(),
    )  # fmt: skip
    assert brief_words.sentences(same, PRICES) == [
        "Nobody has said yet what these questions need, so evidence is not judged.",
        "What it costs is not known: no tokens are.",
    ]


@pytest.mark.parametrize(
    ("value", "signed", "words"),
    [
        (1234.4, False, "$1,234"),
        (0.123, True, "+$0.12"),
        (-0.001, True, "$0.00"),
        (-5, True, "−$5.00"),
    ],
)
def test_amounts_read_as_amounts(value: float, signed: bool, words: str) -> None:
    assert figures.dollars(value, signed=signed) == words
