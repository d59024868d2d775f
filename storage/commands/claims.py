"""Extract claims with a model: a new collection with them, beside the one they come from."""

from __future__ import annotations

import dataclasses
import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from storage import queries
from storage.commands import Answer
from storage.commands._options import Ticker
from storage.engine import HOME, Database
from storage.export import stored_records
from storage.extraction.asking import ADDRESS, Model
from storage.extraction.job import Done, extract, priced, texts_of, with_claims
from storage.extraction.kept import Kept
from storage.extraction.price import Price
from storage.imports import CannotImport, import_records

HELP = "extract claims with a language model: sends the texts of passages to it"
KEY = "ANTHROPIC_API_KEY"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--collection", required=True, help="name of a stored collection")
    parser.add_argument("--into", help="the new collection (default: the name with the model)")
    parser.add_argument("--model", required=True, help="the model's name at the service")
    parser.add_argument("--most", type=float, metavar="USD", help="spend at most this much")
    parser.add_argument("--input-price", type=float, default=1.0, metavar="USD", help="a million")
    parser.add_argument("--output-price", type=float, default=5.0, metavar="USD", help="a million")
    parser.add_argument("--cache", type=Path, default=HOME / "claims-cache.jsonl", metavar="FILE")
    parser.add_argument("--address", default=ADDRESS, help="of the service")
    parser.add_argument("--dry-run", action="store_true", help="say what it costs, send nothing")


def run(database: Database, options: Namespace) -> Answer:
    price = Price(input=options.input_price, output=options.output_price)
    kept = Kept(options.cache)
    texts = texts_of(stored_records(database, options.collection))
    wanted = priced(texts, kept, model=options.model, price=price)
    if options.dry_run:
        text = (
            f"{wanted.texts:,} texts to send, {wanted.kept:,} answered before: about "
            f"{wanted.input_tokens:,} tokens in and {wanted.output_tokens:,} out (assumed), "
            f"${wanted.cost:,.2f}. Nothing was sent."
        )
        return Answer({**dataclasses.asdict(wanted), "sent": False}, text)
    target = options.into or f"{options.collection} ({options.model})"
    if any(one.name == target for one in queries.collections(database)):
        raise CannotImport(
            f"There is a collection {target!r} already; name another with --into. Nothing was sent."
        )
    done = _extracted(texts, kept, options, price)
    if done.left:
        text = (
            f"{done.sent:,} texts sent for ${done.cost:,.2f}; the cap leaves {done.left:,} without "
            "an answer, so nothing was stored. What was answered is kept: run it again to go on."
        )
        return Answer({**dataclasses.asdict(done), "stored": False}, text, 1)
    return _stored(database, options, kept, done, target)


def _extracted(texts: tuple[str, ...], kept: Kept, options: Namespace, price: Price) -> Done:
    key = os.environ.get(KEY, "")
    if options.most is None or not key:
        missing = "--most USD, the most to spend" if key else f"a key in {KEY}"
        raise ValueError(f"Asking a model needs {missing}. Nothing was sent.")
    ticker = Ticker("texts")
    model = Model(name=options.model, key=key, address=options.address)
    done = extract(texts, kept, model, price=price, most=options.most, progress=ticker)
    ticker.end()
    return done


def _stored(database: Database, options: Namespace, kept: Kept, done: Done, target: str) -> Answer:
    home = queries.collection(database, options.collection)
    imported = import_records(
        database,
        with_claims(stored_records(database, options.collection), kept, model=options.model),
        collection=target,
        note=f"{options.collection}, with claims by {options.model}.",
        format=home.format,
        ranked=True,
        made_up=home.made_up,
    )
    text = f"{imported} {done.sent:,} texts sent, ${done.cost:,.2f}."
    if done.refused:
        text += (
            f" {done.refused:,} texts have no claims (refused, cut off or unreadable): statements "
            "stand in for all claims of the questions that hold them."
        )
    document = {**dataclasses.asdict(done), "collection": imported.collection, "stored": True}
    return Answer(document, text)
