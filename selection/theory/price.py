"""What it costs to have a model extract the claims of a corpus once."""

from __future__ import annotations


def extraction_cost(
    *,
    passages: int,
    tokens_in: int,
    tokens_out: int,
    price_in: float,
    price_out: float,
) -> float:
    """Dollars for one pass over a corpus.

    tokens_in, tokens_out: a passage. price_in, price_out: dollars per million tokens.
    """
    return passages * (tokens_in * price_in + tokens_out * price_out) / 1e6
