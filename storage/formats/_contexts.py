"""Records of evaluation libraries: a question, lists of contexts, and what should be in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from storage.formats._fields import Fields, quoted
from storage.records import Fact, PassageRecord, Support

NOT_FOUND = "A reference context is not among the retrieved ones: a fact without a place."
NONE_EQUAL = (
    "No reference context equals a retrieved one to the letter, so nobody knows which of the "
    "retrieved ones hold it: gold is n/a."
)


def first_of(fields: Fields, names: Sequence[str]) -> str:
    """The first of several names under which a field is there, if only as null; else the first."""
    there = [name for name in names if name in fields.values]
    return next((name for name in there if fields.has(name)), (there or [names[0]])[0])


def list_of_texts(fields: Fields, name: str, *, required: bool = False) -> tuple[str, ...]:
    """The texts of a list, which may be empty each; a text alone stands for a list of one."""
    if isinstance(fields.values.get(name), str):
        text = fields.text(name)
        return () if text is None else (text,)
    found = enumerate(fields.items(name, required=required) or ())
    texts = (Fields({f"{name}[{at}]": one}, fields.place, fields.report) for at, one in found)
    return tuple(text.text(f"{name}[{at}]", required=True) or "" for at, text in enumerate(texts))


def passage_ids(fields: Fields, name: str, count: int) -> tuple[str, ...]:
    """The ids of a list as long as the passages; where there is none, rank-1 and so on."""
    ids = fields.identifiers(name) if name else None
    if ids is None:
        return tuple(f"rank-{at}" for at in range(1, count + 1))
    if len(ids) != count:
        fields.wrong(name, f"{len(ids)} ids for {count} passages", "an id for each passage")
    for at, id in enumerate(ids):
        if id in ids[:at]:
            found = f"{quoted(id)}, which an earlier passage has as well"
            fields.wrong(f"{name}[{at}]", found, "an id that no other passage here has")
    return ids


@dataclass(frozen=True, slots=True)
class Gold:
    """facts: one a reference context; supports: of each passage; bearing: ids of those with one."""

    facts: tuple[Fact, ...]
    supports: tuple[tuple[Support, ...] | None, ...]
    bearing: tuple[str, ...] | None


def gold_by_id(
    fields: Fields, ids: Sequence[str], needed: Sequence[str], texts: Sequence[str]
) -> Gold:
    """Gold where reference contexts are named: a passage with that id has it, no other does.

    texts: of the reference contexts, as many as there are names, or none at all.
    """
    names = tuple(dict.fromkeys(needed))
    said = dict(zip(needed, texts, strict=True)) if len(texts) == len(needed) else {}
    if set(names) - set(ids):
        fields.warn(NOT_FOUND)
    return Gold(
        facts=tuple(Fact(id=name, text=said.get(name, "")) for name in names),
        supports=tuple((Support(fact=id),) if id in names else () for id in ids),
        bearing=tuple(id for id in ids if id in names),
    )


def gold_by_text(
    fields: Fields, ids: Sequence[str], texts: Sequence[str], needed: Sequence[str]
) -> Gold:
    """Gold where only the texts of reference contexts are there: an equal passage has it."""
    facts = {
        text.strip(): Fact(id=f"reference-{at}", text=text)
        for at, text in enumerate(dict.fromkeys(needed), start=1)
    }
    found = [facts.get(text.strip()) for text in texts]
    if not any(found):
        fields.warn(NONE_EQUAL)
        return Gold(tuple(facts.values()), (None,) * len(texts), None)
    if len({fact.id for fact in found if fact}) < len(facts):
        fields.warn(NOT_FOUND)
    return Gold(
        facts=tuple(facts.values()),
        supports=tuple((Support(fact=fact.id),) if fact else () for fact in found),
        bearing=tuple(id for id, fact in zip(ids, found, strict=True) if fact),
    )


def no_gold(count: int) -> Gold:
    """Gold of which nothing is known."""
    return Gold((), (None,) * count, None)


def passages(
    ids: Sequence[str], texts: Sequence[str], supports: Sequence[tuple[Support, ...] | None]
) -> tuple[PassageRecord, ...]:
    """The passages, in order; lists of differing length were reported before."""
    return tuple(
        PassageRecord(id=id, text=text, supports=found)
        for id, text, found in zip(ids, texts, supports, strict=False)
    )
