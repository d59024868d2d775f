"""The context window: what gives way, in which order, and what the prompt then holds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from selection import Budget, make_selector
from selection.window.fill import fill, unbounded
from selection.window.order import ORDERS, by_admission, by_rank, gold_at_edges
from selection.window.prompt import assemble, gold_passages, repeats
from selection.window.slices import NAMES, Slice, Window, default_window
from selection.window.sweep import k_sweep
from tests.unit.pools import claims, worked_example

SLICE = default_window(4000)


def costs(*ranks: int) -> list[int]:
    return [int(worked_example().tokens[rank - 1]) for rank in ranks]


def changed(base: Window, name: str, **values: int | None) -> Window:
    rest = [one for one in base.slices if one.name != name]
    old = base[name]
    new = {"size": old.size, "floor": old.floor, "place": old.place, **values}
    return Window.of([*rest, Slice(name=name, **new)])


def test_what_retrieval_leaves_over_goes_to_history() -> None:
    found = fill(SLICE, costs(1, 3, 4, 6, 13))
    assert (found.tokens["retrieval"], found.back) == (2090, 1910)
    assert found.tokens["history"] == SLICE["history"].size + 1910
    assert (found.total, found.changed, found.over) == (SLICE.total, (), 0)


def test_twenty_passages_take_4235_tokens_from_others_in_the_order_of_eviction() -> None:
    found = fill(SLICE, costs(*range(1, 21)))
    assert sum(found.lost.values()) == 8235 - 4000
    assert found.lost["history"] == SLICE["history"].spare, "first, and to its floor"
    assert found.lost["tools"] == SLICE["tools"].spare
    assert found.lost["answer"] == 4235 - SLICE["history"].spare - SLICE["tools"].spare
    assert found.total == SLICE.total


def test_where_nobody_can_give_more_the_prompt_is_refused() -> None:
    rigid = Window.of([Slice(name=n, size=100, floor=100, place=None) for n in NAMES])
    found = fill(rigid, [80, 80])
    assert (found.over, found.total) == (60, rigid.total + 60)


def test_retrieval_gives_way_by_whole_passages_from_the_end() -> None:
    first = changed(SLICE, "retrieval", place=1, floor=0)
    cut = fill(changed(first, "history", place=2), [3000, 900, 300])
    assert (cut.dropped, cut.tokens["retrieval"], cut.changed) == (1, 3900, ())
    kept = fill(changed(first, "retrieval", floor=3950), [3000, 900, 300])
    assert (kept.dropped, kept.lost["history"]) == (0, 200)


def test_the_window_that_one_thinks_of_grows_and_takes_nothing() -> None:
    found = unbounded(SLICE, costs(*range(1, 21)))
    assert found.total == SLICE.total + 4235
    assert (found.changed, found.back) == ((), 0)


@given(
    st.lists(
        st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(0, 5)),
        min_size=5,
        max_size=5,
    ),
    st.lists(st.integers(0, 60), max_size=8),
)
def test_no_slice_falls_below_its_floor_and_nothing_is_lost_or_found(parts, passages) -> None:
    made = Window(
        tuple(
            Slice(name=name, size=max(a, b), floor=min(a, b), place=place or None)
            for name, (a, b, place) in zip(NAMES, parts, strict=True)
        )
    )
    found = fill(made, passages)
    for one in made.slices:
        if one.name != "retrieval":
            assert found.tokens[one.name] >= one.floor
        assert one.place is not None or found.lost[one.name] == 0
    assert found.tokens["retrieval"] == sum(passages[: len(passages) - found.dropped])
    assert found.total <= made.total + found.over
    assert found.over == 0 or found.total == made.total + found.over


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"size": -1, "floor": 0, "place": 1}, "the size is -1"),
        ({"size": 5, "floor": 6, "place": 1}, "the floor is 6"),
        ({"size": 5, "floor": 0, "place": 0}, "the place is 0"),
    ],
)
def test_a_slice_that_cannot_be_is_refused_by_name(values, words: str) -> None:
    with pytest.raises(ValueError, match=f"tools: {words}"):
        Slice(name="tools", **values)
    with pytest.raises(ValueError, match="each once"):
        Window(SLICE.slices[:4])


def test_the_sweep_tells_the_arm_thought_from_the_arm_run() -> None:
    found = k_sweep(worked_example(), SLICE)
    assert (found.what, found.total, found.first, found.refused) == ("facts", 6, 10, None)
    by_k = {one.k: one for one in found.points}
    assert [by_k[k].covered for k in (1, 8, 12, 13, 20)] == [2, 5, 5, 6, 6]
    assert by_k[10].run.lost["history"] == 25
    assert by_k[20].copies == 7
    assert all(one.run.total == SLICE.total for one in found.points)


def test_a_window_that_drops_passages_keeps_fewer_facts() -> None:
    drops = changed(changed(SLICE, "retrieval", place=1), "history", place=None)
    last = k_sweep(worked_example(), drops).points[-1]
    assert (last.covered, last.kept) == (6, 5)
    assert last.run.dropped == 11


def test_orders_change_no_selection() -> None:
    chosen = make_selector("claim_coverage").select(worked_example(), Budget(tokens=4000))
    gold = {12, 0}
    for order in ORDERS.values():
        assert sorted(order(chosen.picks.order, gold)) == sorted(chosen.picks.order)
    assert by_rank([4, 0, 2], gold) == (0, 2, 4)
    assert by_admission([4, 0, 2], gold) == (4, 0, 2)
    assert gold_at_edges([4, 12, 0, 2], gold) == (0, 2, 4, 12)


def test_rank_13_lies_at_61_percent_with_2980_tokens_to_the_question() -> None:
    one = assemble(worked_example(), range(20), fill(SLICE, costs(*range(1, 21))))
    place = one.places[12]
    assert (place.start, place.to_question) == (4830, 2980)
    assert round(place.depth, 3) == 0.612
    tokens = one.filled.tokens
    assert one.distance == tokens["tools"] + tokens["history"] + 8235
    assert len(repeats(worked_example(), one)[0].by) == 7


def test_what_is_dropped_is_not_in_the_prompt() -> None:
    pool = claims(["ab", "a", "c"], tokens=[10, 10, 10], gold="c")
    rigid = Window.of(
        Slice(name=n, size=20, floor=0, place=1 if n == "retrieval" else None) for n in NAMES
    )
    one = assemble(pool, (2, 1, 0), fill(rigid, [10, 10, 10]))
    assert [place.index for place in one.places] == [2, 1]
    assert [(line.claim, line.by) for line in repeats(pool, one)] == [("c", (2,)), ("a", (1,))]
    assert gold_passages(pool) == {2}


def test_unknown_tokens_are_refused_by_name() -> None:
    pool = claims(["a", "b"])
    with pytest.raises(ValueError, match="p1"):
        k_sweep(pool, SLICE)
    with pytest.raises(ValueError, match="p1"):
        assemble(pool, (0,), fill(SLICE, [1]))


def test_defaults_leave_room_at_any_scale() -> None:
    for room in (0, 1, 95, 4000, 250_000):
        made = default_window(room)
        assert made["retrieval"].size == room
        assert made.total >= room
    assert np.isclose(default_window(4000).total, 11_000)
