"""Extracting the claims of a collection: what is missing is asked for, up to a cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from selection.text.statements import statement_key
from storage.extraction.asking import INSTRUCTION, MOST_OUTPUT, Model
from storage.extraction.kept import Kept, asked
from storage.extraction.price import Estimate, Price, estimate
from storage.prepare import counted
from storage.records import Claim, PassageRecord, QuestionRecord

OVERHEAD = 150
"""Tokens of a request beside the instruction and the passage: the tool, and the protocol's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a job did. sent: requests; refused: texts without claims, now or before. cost: spent.

    left: texts that the cap on spending left out; 0 where all are answered.
    """

    sent: int
    refused: int
    left: int
    cost: float


def texts_of(records: Iterable[QuestionRecord]) -> tuple[str, ...]:
    """The different texts of a collection, in order; empty ones say nothing and are not asked."""
    found = {p.text: None for record in records for p in record.passages if p.text.strip()}
    return tuple(found)


def request_tokens(text: str) -> int:
    """Tokens of one request, counted offline: near what the service will count, not the same."""
    return counted(INSTRUCTION) + OVERHEAD + counted(text)


def priced(texts: Iterable[str], kept: Kept, *, model: str, price: Price) -> Estimate:
    """What answering the rest would cost."""
    known = [asked(model, text) in kept for text in texts]
    rest = [request_tokens(t) for t, done in zip(texts, known, strict=True) if not done]
    return estimate(rest, kept=sum(known), price=price)


def extract(
    texts: Iterable[str],
    kept: Kept,
    model: Model,
    *,
    price: Price,
    most: float,
    progress: Callable[[int], None] | None = None,
) -> Done:
    """Ask for the claims of each text that has no answer, and keep every answer at once.

    most: US dollars. A request that might go beyond it, with the longest answer, is not sent.

    :raises NotAsked: where the service cannot be asked; what was answered before stays kept.
    """
    sent = left = refused = 0
    spent = 0.0
    for done, text in enumerate(texts, start=1):
        name = asked(model.name, text)
        if name not in kept:
            worst = price.of(input_tokens=request_tokens(text), output_tokens=MOST_OUTPUT)
            if left or spent + worst > most:
                left += 1
                continue
            answer = model.claims(text)
            kept.keep(name, answer)
            sent += 1
            spent += price.of(input_tokens=answer.input_tokens, output_tokens=answer.output_tokens)
        refused += kept[name] is None
        if progress:
            progress(done)
    return Done(sent=sent, refused=refused, left=left, cost=spent)


def with_claims(
    records: Iterable[QuestionRecord], kept: Kept, *, model: str
) -> Iterator[QuestionRecord]:
    """The questions with the claims of their passages; without an answer there are none."""
    for record in records:
        passages = tuple(_claimed(passage, kept, model) for passage in record.passages)
        yield replace(record, passages=passages)


def _claimed(passage: PassageRecord, kept: Kept, model: str) -> PassageRecord:
    if not passage.text.strip():
        return replace(passage, claims=())
    said = kept[asked(model, passage.text)]
    if said is None:
        return replace(passage, claims=None)
    found = {one.key: one for text in said if (one := _claim(text, passage.text)).key}
    return replace(passage, claims=tuple(found.values()))


def _claim(said: str, passage: str) -> Claim:
    """A claim under the key that all of its spellings share, with its place where it is a quote."""
    at = passage.find(said)
    place = (None, None) if at < 0 else (at, at + len(said))
    return Claim(key=statement_key(said), text=said, start=place[0], end=place[1])
