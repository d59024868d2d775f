"""Claims about the published loop and its worked example of twenty passages."""

from __future__ import annotations

from selection.ledger import Selection
from selection.model import Budget, Pool
from selection.registry import make_selector
from selection.theory import traps
from selection.theory.claims import Bench, Measured, Status, claim
from selection.theory.guards import swapped
from selection.theory.price import extraction_cost

SLICE = Budget(tokens=4000)
TIGHT = Budget(tokens=1600)
SAID = 0.044
"""Dollars, as told."""


def _twenty(on: Bench) -> Pool:
    if on.twenty is None:
        raise ValueError("This claim is about the twenty passages, and they are not here.")
    return on.twenty


def _loop(pool: Pool, *, least: int = 1, budget: Budget = SLICE) -> Selection:
    return make_selector("marginal_gain", min_new_claims=least).select(pool, budget)


@claim(
    "Thirteen of the twenty passages add nothing, and seven matter.",
    status=Status.FALSE,
    right="The early repeats add nothing either: the count leaves them out.",
    needs_twenty=True,
)
def thirteen_add_nothing(on: Bench) -> Measured:
    pool = _twenty(on)
    idle = [one for one in _loop(pool).decisions if one.new_claims == 0]
    tokens = sum(one.tokens or 0 for one in idle)
    return Measured(
        figure=(
            f"{len(idle)} add nothing ({tokens:,} tokens), {len(pool) - len(idle)} add something"
        ),
        agrees=len(idle) != 13,
    )


@claim(
    "With min_new_claims at 3 the loop returns four passages.",
    status=Status.FALSE,
    right="It returns nothing: no passage of the example brings three new claims.",
    needs_twenty=True,
)
def three_new_claims_leave_four(on: Bench) -> Measured:
    pool = _twenty(on)
    sizes = [len(_loop(pool, least=least).ranks) for least in (1, 2, 3, 4)]
    return Measured(
        figure=f"{', '.join(map(str, sizes))} passages at 1, 2, 3, 4",
        agrees=sizes[2] == 0,
    )


@claim(
    "The loop leaves room exactly when the candidates have nothing further to say.",
    status=Status.FALSE,
    right="Also where what is new does not fit any more.",
    needs_twenty=True,
)
def room_means_nothing_to_say(on: Bench) -> Measured:
    pool = _twenty(on)
    tight, exact = _loop(pool, budget=TIGHT), make_selector("optimum").select(pool, TIGHT)
    missing = len(pool.claim_bits.names) - len(tight.claims)
    return Measured(
        figure=(
            f"at {TIGHT.tokens:,} tokens {tight.remaining:,} are left and {missing} claims are "
            f"missing; {len(exact.claims)} of {len(pool.claim_bits.names)} fit"
        ),
        agrees=missing > 0 and (tight.remaining or 0) > 0,
    )


@claim(
    "The loop is greedy, and so near the best.",
    status=Status.FALSE,
    right="It takes the first that fits in rank order; that has no floor.",
)
def loop_is_greedy(on: Bench) -> Measured:
    del on
    trap = traps.first_fit()
    return Measured(
        figure=f"constructed: {trap.got} of {trap.best} claims", agrees=trap.got < trap.best / 2
    )


@claim(
    "The order of its two tests matters.",
    status=Status.FALSE,
    right="Both pass over the passage, so only the reason that is noted differs. Stopping matters.",
)
def order_of_tests_matters(on: Bench) -> Measured:
    del on
    found = swapped()
    return Measured(
        figure=(
            f"swapped: another result in {found.differing} of {found.instances:,} random pools; "
            f"stopping instead of passing over: in {found.stopping:,}"
        ),
        agrees=found.differing == 0 and found.stopping > 0,
    )


@claim(
    "Extracting the claims of 40,000 passages costs about $0.044.",
    status=Status.FALSE,
    right="At the prices that it is reckoned with, it costs far more.",
)
def extraction_is_free(on: Bench) -> Measured:
    del on
    cost = extraction_cost(
        passages=40_000, tokens_in=500, tokens_out=120, price_in=1.0, price_out=5.0
    )
    return Measured(
        figure=(
            f"${cost:,.2f} at $1 and $5 a million tokens, 500 in and 120 out a passage: "
            f"{cost / SAID:,.0f} times as much"
        ),
        agrees=cost > 10 * SAID,
    )
