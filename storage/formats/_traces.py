"""What tracing tools export: passages somewhere inside what a step was given or gave back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storage.formats._fields import Fields, plain, quoted, shown
from storage.records import PassageRecord

QUESTIONS = ("question", "query", "user_input", "input", "prompt", "text")
PASSAGES = (
    *("candidates", "passages", "documents", "retrieved_documents", "retrieved_contexts"),
    *("retrieval_context", "contexts", "context", "docs", "chunks", "sources", "nodes", "results"),
)
TEXTS = ("text", "content", "page_content", "contents", "passage", "segment", "body", "chunk")
IDS = ("id", "doc_id", "document_id", "docid", "passage_id", "chunk_id", "node_id")
SCORES = ("score", "relevance_score", "similarity", "_score")
INNER = ("document", "node")
DEEPEST = 6
NOT_FOUND = (
    "a list of passages under one of the names " + ", ".join(map(repr, PASSAGES)) + ", or the path "
    "of the list"
)


@dataclass(frozen=True, slots=True)
class Found:
    """A list of passages and where it stands, with dots between names."""

    path: str
    members: Sequence[Any]


def at_path(record: Mapping[str, Any], path: str) -> Any:
    """What stands at a path such as "input.candidates" or "steps[0].documents"; None if nothing."""
    value: Any = record
    for step in path.removeprefix("$.").replace("[", ".").replace("]", "").split("."):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def parsed(value: Any) -> Any:
    """A value; a text that is a JSON object or list is read as such."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def find_passages(record: Mapping[str, Any], roots: Sequence[str]) -> list[Found]:
    """Every list that looks like passages, in the order of the roots, the shallowest first."""
    found: list[Found] = []
    waiting = [(name, parsed(record.get(name)), 1) for name in roots]
    while waiting:
        path, value, depth = waiting.pop(0)
        if not isinstance(value, dict) or depth > DEEPEST:
            continue
        for name in (*PASSAGES, *(other for other in value if other not in PASSAGES)):
            inner = parsed(value.get(name))
            if name in PASSAGES and _are_passages(inner):
                found.append(Found(f"{path}.{name}", inner))
            elif isinstance(inner, dict):
                waiting.append((f"{path}.{name}", inner, depth + 1))
    return found


def _are_passages(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(one, str) or _holder(one) is not None for one in value)


def _holder(value: Any) -> Mapping[str, Any] | None:
    """The object that has the text: the member itself, or one inside it."""
    if not isinstance(value, dict):
        return None
    for one in (value, *(value.get(name) for name in INNER)):
        if isinstance(one, dict) and any(isinstance(one.get(name), str) for name in TEXTS):
            return one
    return None


def chosen(fields: Fields, roots: Sequence[str], path: str | None) -> Found | None:
    """The passages of a record: at the path that a person gave, else where they are found."""
    if path is not None:
        value = parsed(at_path(fields.values, path))
        if isinstance(value, list):
            return Found(path, value)
        fields.wrong(plain(path), shown(value), "a list of passages")
        return None
    found = find_passages(fields.values, roots)
    if not found:
        there = ", ".join(quoted(name, 30) for name in roots if fields.has(name))
        fields.wrong("", f"no list of passages in {there}" if there else "no record", NOT_FOUND)
        return None
    others = [one.path for one in found[1:]]
    rest = f"; {', '.join(map(quoted, others))} could be meant as well" if others else ""
    fields.report.guess(
        f"Passages are read from {quoted(found[0].path)}{rest}.", first=f"first in {fields.where}"
    )
    return found[0]


def passages(fields: Fields, found: Found) -> tuple[PassageRecord, ...]:
    """The passages of a list, each with the id and the score that it or its metadata have."""
    made: dict[str, PassageRecord] = {}
    for at, member in enumerate(found.members):
        inner = fields.inner(f"{plain(found.path)}[{at}]", _as_object(member))
        passage = _passage(inner, member, at)
        if passage.id in made:
            said = f"{quoted(passage.id)}, which an earlier passage has as well"
            inner.wrong("id", said, "an id that no other passage here has")
        made[passage.id] = passage
    return tuple(made.values())


def _as_object(member: Any) -> Mapping[str, Any]:
    return member if isinstance(member, dict) else {"text": member}


def _passage(fields: Fields, member: Any, at: int) -> PassageRecord:
    holder = Fields(_holder(member) or fields.values, fields.place, fields.report, fields.path)
    kept = holder.values.get("metadata")
    about = holder.inner("metadata", kept if isinstance(kept, dict) else {})
    places = (fields, holder, about)
    name = _first(holder, TEXTS) or TEXTS[0]
    id = next((one.identifier(n) for one in places for n in IDS if one.has(n)), None)
    score = next((one.number(n) for one in places for n in SCORES if one.has(n)), None)
    known = frozenset((name, *IDS, *SCORES, *INNER, "metadata"))
    return PassageRecord(
        id=id or f"rank-{at + 1}",
        text=holder.text(name, required=True) or "",
        score=score,
        metadata=holder.metadata(known),
    )


def _first(fields: Fields, names: Sequence[str]) -> str | None:
    return next((name for name in names if fields.has(name)), None)


def question(fields: Fields, name: str) -> str | None:
    """The question inside what a step was given: a text, or the likeliest text of an object."""
    value = parsed(fields.values.get(name))
    if not isinstance(value, dict):
        return fields.text(name, required=True, blank=False)
    inner = fields.inner(name, value)
    return inner.text(_first(inner, QUESTIONS) or QUESTIONS[0], required=True, blank=False)


def answer(value: Any) -> str | None:
    """A text inside what was expected or given back; None where there is none."""
    value = parsed(value)
    if isinstance(value, dict):
        names = ("answer", "output", "text", "content", "response", "expected_output")
        value = next((value[name] for name in names if isinstance(value.get(name), str)), None)
    return value if isinstance(value, str) and value.strip() else None


def flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The plain values of a nested object by their path, with dots between names and places."""
    waiting = [(path, value)]
    while waiting:
        at, one = waiting.pop()
        dot = f"{at}." if at else ""
        if isinstance(one, dict):
            waiting.extend((f"{dot}{name}", inner) for name, inner in one.items())
        elif isinstance(one, list):
            waiting.extend((f"{dot}{place}", inner) for place, inner in enumerate(one))
        else:
            yield at, one
