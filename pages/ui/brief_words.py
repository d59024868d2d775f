"""What a brief says in sentences, every number computed: the change, its price, its limits."""

from __future__ import annotations

from pages.ui import comparing, regressing, text
from pages.ui.figures import Prices, dollars
from selection.significance import McNemar
from storage.brief import Brief, money


def title(brief: Brief) -> str:
    """The change in one line."""
    return change(brief.before, brief.after)


def change(before: str, after: str) -> str:
    """Two settings in one line: from k=20 to marginal gain, min new claims 1."""
    return f"From {setting(before)} to {setting(after)}"


def setting(name: str) -> str:
    """An arm by its name, a selector as people read it; what was sent by the arm that sent it."""
    words = comparing.words(name)
    return words.removeprefix("as sent, arm ")


def where(brief: Brief) -> str:
    """Over what, under which budget, and who saved it."""
    said = [text.counted(brief.total, "question")]
    source = brief.source
    if source is None:
        return f"{said[0]}; what was sent as recorded, else as each setting selects"
    limits = [
        f"{source.budget.tokens:,} tokens" if source.budget.tokens is not None else "",
        text.counted(source.budget.passages, "passage")
        if source.budget.passages is not None
        else "",
    ]
    said.append(
        f"at most {text.listed(kept)}" if (kept := [*filter(None, limits)]) else "no budget"
    )
    if source.saved_at is None:
        said.append("worked out now and not saved")
    else:
        said.append(f"“{source.name}”, saved {source.saved_at:%Y-%m-%d} by {source.author}")
    return "; ".join(said)


def sentences(brief: Brief, prices: Prices) -> list[str]:
    """What changed, what it does to the evidence, and what it costs."""
    return [one for one in (_outcomes(brief), _evidence(brief), _price(brief, prices)) if one]


def _outcomes(brief: Brief) -> str:
    test = brief.outcomes
    if test is None:
        return ""
    went = f"{text.out_of(test.worse, test.n, 'questions')} got worse and {test.better:,} better"
    return f"{went}: {_chance(test)}."


def _chance(test: McNemar) -> str:
    if test.p is None:
        return "nothing changed"
    words = regressing.p_words(test.p)
    if test.p >= regressing.LEVEL:
        return f"no more than a coin toss (exact test, {words})"
    return f"more than chance (exact test, {words})"


def _evidence(brief: Brief) -> str:
    test = brief.evidence
    if not test.n:
        return "Nobody has said yet what these questions need, so evidence is not judged."
    if not test.worse + test.better:
        return f"None of {test.n:,} questions is sent more or less of what it needs."
    return (
        f"Of {test.n:,} questions, {test.better:,} get more of what they need and "
        f"{test.worse:,} get less: {_chance(test)}."
    )


def _price(brief: Brief, prices: Prices) -> str:
    found = brief.tokens
    if found is None:
        return "What it costs is not known: no tokens are."
    change = found.difference.value
    if not round(change):
        return "It costs as much as before."
    word = "more" if change > 0 else "less"
    cost = money(found, questions=prices.volume, price=prices.price)
    return (
        f"A question costs {abs(change):,.0f} tokens {word}, "
        f"{dollars(abs(cost.difference.value))} {word} a month at {prices.volume:,} questions."
    )


def limits(brief: Brief) -> list[str]:
    """What the figures do not say."""
    said = ["What is sent is compared; no model was asked again."]
    if brief.source is not None and brief.source.stale:
        said.append("The data changed since this comparison was saved.")
    noise = brief.noise
    if noise is not None and noise.rate is None:
        said.append("Every question was asked once, so how many would flip on a rerun is unknown.")
    elif noise is not None and noise.rate is not None:
        flips = text.out_of(noise.flips, noise.pairs, "pairs of runs")
        said.append(f"Two runs of one setting disagree in {flips}.")
    said.append("Money counts the tokens of passages only. Intervals are at 95%.")
    return said
