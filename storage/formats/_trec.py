"""The files of TREC: rows of columns apart by blanks, topics as XML, and texts of documents."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storage.formats._fields import Fields, quoted
from storage.formats._files import explained, lines, name_of, opened
from storage.formats._json import Place, json_values
from storage.formats.table import NUMBER
from storage.report import Problem, Report

DOCUMENT_IDS = ("docid", "doc_id", "document_id", "_id", "id")
DOCUMENT_TEXTS = ("segment", "contents", "text", "content", "passage")


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic. text: its query, else its title. subtopics: number -> text. rest: other elements."""

    text: str
    subtopics: Mapping[str, str] = field(default_factory=dict)
    rest: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a document, and what else is known of it."""

    text: str
    metadata: Mapping[str, Any]


def number_or_text(cell: str) -> float | str:
    """A cell as a number where it is one."""
    return float(cell) if NUMBER.fullmatch(cell.strip()) else cell


def rows(
    path: Path, report: Report, names: tuple[str, ...], accepted: str
) -> Iterator[tuple[Fields, list[str]]]:
    """Each line that has a column for every name; other lines are problems.

    Rows count as usable once the caller comes back for the next without a new problem.
    """
    file, record = name_of(path), 0
    with explained(path, report), opened(path) as stream:
        for line, text, sound in lines(stream, file, report):
            if not text.strip():
                continue
            record += 1
            report.rows_read += 1
            before = report.total
            fields = Fields({}, Place(file, line, record), report)
            cells = text.split()
            if len(cells) != len(names):
                fields.wrong("", f"{len(cells)} columns ({quoted(text.strip(), 40)})", accepted)
            elif sound:
                fields.values = dict(zip(names, cells, strict=True))
                yield fields, cells
            report.rows_usable += sound and report.total == before


def topics(path: Path, report: Report) -> dict[str, Topic]:
    """The topics of an XML file by their number; what is wrong goes to the report."""
    file, found = name_of(path), dict[str, Topic]()
    with explained(path, report), opened(path) as stream:
        read = list(lines(stream, file, report))
        if not all(sound for _, _, sound in read):
            return {}
        text = "".join(line for _, line, _ in read)
        if "<!ENTITY" in text:
            report.add(Problem(file=file, found="an entity of its own", accepted="plain XML"))
            return {}
        try:
            root = ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            said = f"XML that cannot be read ({error})"
            line = error.position[0]
            report.add(Problem(file=file, line=line, found=said, accepted="XML with topics"))
            return {}
        for record, element in enumerate(root, start=1):
            fields = Fields({}, Place(file, 0, record), report)
            report.rows_read += 1
            before = report.total
            _topic(element, fields, found)
            report.rows_usable += report.total == before
        if not found:
            report.add(Problem(file=file, found="no topic", accepted="XML with topics"))
    return found


def _topic(element: ElementTree.Element, fields: Fields, found: dict[str, Topic]) -> None:
    said = {child.tag: _said(child) for child in element if child.tag != "subtopic"}
    given = {**element.attrib, **said}
    id = next((given[name] for name in ("number", "id", "num") if given.get(name)), "")
    text = next((said[name] for name in ("query", "title", "description") if said.get(name)), "")
    fields.values = {"number": id or None, "query": text or None}
    fields.text("query", required=True)
    if fields.identifier("number", required=True) is None:
        return
    subtopics = {
        child.get("number") or str(at): _said(child)
        for at, child in enumerate(element.findall("subtopic"), start=1)
    }
    rest = {name: value for name, value in given.items() if value and value not in (id, text)}
    topic = Topic(text if text.strip() else f"Topic {id}", subtopics, rest)
    if found.setdefault(id, topic) != topic:
        fields.wrong("number", f"{quoted(id)} again", "each topic once")


def _said(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def documents(
    path: Path, report: Report, needed: Collection[str], *, ids: tuple[str, ...] = DOCUMENT_IDS
) -> dict[str, Document]:
    """The texts of those documents that are needed, from JSON with an object a document."""
    found: dict[str, Document] = {}
    for place, value in json_values(path, report):
        before = report.total
        fields = Fields(value if isinstance(value, dict) else {}, place, report)
        name = next((name for name in ids if fields.has(name)), ids[0])
        of = next((name for name in DOCUMENT_TEXTS if fields.has(name)), DOCUMENT_TEXTS[0])
        id, text = fields.identifier(name, required=True), fields.text(of, required=True)
        if id is not None and text is not None and id in needed:
            document = Document(text, fields.metadata(frozenset((name, of, "metadata"))))
            if found.setdefault(id, document).text != text:
                fields.wrong(name, f"{quoted(id)} again, with another text", "each text once")
        report.rows_usable += report.total == before
    return found


def explain(path: Path, report: Report, accepted: str, first_line: str = "") -> None:
    """Say what a file is that is none of the expected ones."""
    before = report.total
    with explained(path, report), opened(path):
        pass
    if report.total == before:
        found = f"a file that starts with {quoted(first_line.strip(), 40)}"
        found = found if first_line.strip() else "no line"
        report.add(Problem(file=name_of(path), found=found, accepted=accepted))
