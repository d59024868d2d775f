"""TREC temporal summarisation: sentences of the news, and the nuggets that they were matched with.

Aslam, Ekstrand-Abueg, Pavlu, Diaz and Sakai, "TREC 2013 Temporal Summarization", TREC 2013.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from storage.formats import Format, Peek, register_format
from storage.formats._fields import Fields, plain, quoted
from storage.formats._files import explained, lines, name_of, opened
from storage.formats._grouped import OneFile
from storage.formats._json import Place
from storage.formats._peek import peek
from storage.formats._trec import Topic, explain, number_or_text, topics
from storage.records import Fact, PassageRecord, QuestionRecord, Support
from storage.report import Problem, Report

COLUMNS: Mapping[str, frozenset[str]] = {
    "updates": frozenset(("query_id", "update_id", "duplicate_id", "update_text")),
    "nuggets": frozenset(("query_id", "nugget_id", "importance", "nugget_text")),
    "matches": frozenset(("query_id", "update_id", "nugget_id", "match_start", "match_end")),
}
NUMBERS = ("importance", "match_start", "match_end")
NOT_KEPT = COLUMNS["updates"] | {"update_len"}
ACCEPTED = (
    "updates, nuggets and matches as tables apart by tabs, each with its first row, and topics as "
    "XML"
)
NO_DUPLICATE = "NULL"

EXAMPLE = {
    "updates.tsv": """\
query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text
TS13.1\t1329910380-aaaa-0\t1329910380-aaaa\t0\t9\tNULL\tA train "Sarmiento" crashed, 49 dead.
TS13.1\t1329910390-bbbb-3\t1329910390-bbbb\t3\t9\t1329910380-aaaa-0\tA train crashed.
TS13.2\t1347368400-cccc-1\t1347368400-cccc\t1\t3\tNULL\tA fire.
""",
    "nuggets.tsv": """\
query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text
TS13.1\tVMTS13.01.050\t1329945286\t3\t2\tcrash
TS13.1\tVMTS13.01.051\t1329945286\t2\t2\t49 dead
TS13.2\tVMTS13.02.001\t1347368500\t1\t1\tfire
""",
    "matches.tsv": """\
query_id    update_id   nugget_id\tmatch_start\tmatch_end\tauto_p
TS13.1\t1329910380-aaaa-0\tVMTS13.01.050\t2\t7\t0
TS13.1\t1329910380-aaaa-0\tVMTS13.01.051\t28\t35\t0
TS13.2\t1347368400-cccc-1\tVMTS13.02.001\t2\t6\t0
""",
    "topics.xml": """\
<?xml version="1.0" encoding="UTF-8" ?>
<events><event><id>1</id><title>Rail disaster</title><query>buenos aires train crash</query></event>
<event><id>2</id><title>Factory fires</title><query>pakistan factory fire</query></event></events>
""",
}


@register_format(
    "trec-ts",
    title="TREC temporal summarisation",
    suffixes=(".tsv", ".xml"),
    ranked=False,
    help="Updates with nuggets, matches and topics, all files as one import; order is no ranking.",
    example=EXAMPLE,
)
class TrecTS(Format):
    """Updates are the candidates, nuggets the facts (weight: importance), matches their places.

    A match of an update counts for its duplicates as well. A nugget of importance -1 is left out;
    one that no update was matched with stays, as a fact that cannot be reached.
    """

    def recognises(self, peek: Peek) -> int:
        return 0 if not _kind(peek) else 3

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        parts = _Parts(report)
        for at, path in enumerate(paths):
            parts.take(at, path)
        if not parts.updates and not report.total:
            found = "no updates, so there are no candidates to select from"
            report.add(Problem(file=name_of(paths[0]), found=found, accepted=ACCEPTED))
        yield from parts.questions()


def _kind(peek: Peek) -> str:
    """Which of the files it is, by its first row, whose names may stand apart by blanks."""
    if peek.first_line.lstrip().startswith("<"):
        return "topics" if "<event" in peek.start else ""
    header = set(peek.first_line.split())
    return next((kind for kind, names in COLUMNS.items() if names <= header), "")


@dataclass(slots=True)
class _Updates:
    """The updates of a topic by their id. broken: one of its rows has a problem."""

    rows: dict[str, Fields] = field(default_factory=dict)
    broken: bool = False


class _Parts:
    """What the files of an import hold, by topic."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.updates: dict[str, _Updates] = {}
        self.nuggets: dict[str, dict[str, Fact]] = defaultdict(dict)
        self.matches: dict[str, dict[str, list[Support]]] = defaultdict(lambda: defaultdict(list))
        self.topics: dict[str, Topic] = {}
        self.matched = False
        self._once = OneFile()

    def take(self, at: int, path: Path) -> None:
        seen = peek(path)
        match _kind(seen):
            case "updates":
                self._take_updates(at, path)
            case "nuggets":
                for fields in _rows(path, self.report):
                    self._take_nugget(fields)
            case "matches":
                self.matched = True
                for fields in _rows(path, self.report):
                    self._take_match(fields)
            case "topics":
                self.topics |= topics(path, self.report)
            case _:
                explain(path, self.report, ACCEPTED, seen.first_line)

    def _take_updates(self, at: int, path: Path) -> None:
        for fields in _rows(path, self.report):
            before = self.report.total
            topic = fields.identifier("query_id", required=True)
            update = fields.identifier("update_id", required=True)
            fields.text("update_text")
            if topic is None or not self._once.takes(topic, at, fields, "query_id"):
                continue
            known = self.updates.setdefault(topic, _Updates())
            if update is not None and update in known.rows:
                fields.wrong("update_id", f"{quoted(update)} again", "each update once a topic")
            elif update is not None:
                known.rows[update] = fields
            known.broken |= self.report.total > before

    def _take_nugget(self, fields: Fields) -> None:
        topic = fields.identifier("query_id", required=True)
        id = fields.identifier("nugget_id", required=True)
        weight, text = fields.number("importance"), fields.text("nugget_text") or ""
        if not fields.has("importance"):
            fields.wrong("importance", "an empty cell", "a number")
        if topic is None or id is None or weight is None:
            return
        if weight < 0:
            fields.warn("A nugget has an importance below 0, so it is left out, as it was there.")
            return
        fact = Fact(id=id, text=text, weight=weight)
        if self.nuggets[topic].setdefault(id, fact) != fact:
            fields.wrong("nugget_id", f"{quoted(id)} again", "each nugget once")

    def _take_match(self, fields: Fields) -> None:
        topic = fields.identifier("query_id", required=True)
        update = fields.identifier("update_id", required=True)
        nugget = fields.identifier("nugget_id", required=True)
        start, end = fields.whole("match_start"), fields.whole("match_end")
        if topic is None or update is None or nugget is None:
            return
        support = Support(fact=nugget, start=start, end=end)
        if support not in self.matches[topic][update]:
            self.matches[topic][update].append(support)

    def questions(self) -> Iterator[QuestionRecord]:
        self._count_loose_ends()
        for id, updates in self.updates.items():
            if not updates.broken:
                yield self._question(id, updates.rows)

    def _question(self, id: str, rows: Mapping[str, Fields]) -> QuestionRecord:
        told = self._topic(id)
        passages = tuple(self._passage(id, update, rows) for update in rows)
        if not all(passage.text for passage in passages):
            self.report.warn("An update has no text, so nothing can be computed from it.")
        facts = tuple(self.nuggets[id].values())
        reached = {support.fact for one in passages for support in one.supports or ()}
        lost = sum(fact.id not in reached for fact in facts)
        if lost and self.matched:
            self.report.warn(
                f"{lost} of {len(facts)} nuggets of {quoted(id)} are in no update: facts that no "
                "selection can reach."
            )
        return QuestionRecord(
            id=id,
            question=told.text if told else f"Topic {id}",
            passages=passages,
            facts=facts,
            metadata=dict(told.rest) if told else {},
        )

    def _topic(self, id: str) -> Topic | None:
        """A topic by its id; the topics file may number "1" what the tables call "TS13.1"."""
        number = id.rpartition(".")[2]
        if id not in self.topics and number in self.topics:
            self.report.guess(
                f"Topic {number!r} of the topics file is {plain(id)!r} of the tables."
            )
        told = self.topics.get(id) or self.topics.get(number)
        if told is None:
            self.report.warn("A topic is not in a topics file; its id stands for the question.")
        return told

    def _passage(self, topic: str, id: str, rows: Mapping[str, Fields]) -> PassageRecord:
        values = rows[id].values
        text = values.get("update_text") or ""
        metadata = {name: cell for name, cell in values.items() if cell and name not in NOT_KEPT}
        duplicate = _duplicate_of(values)
        if duplicate:
            metadata["duplicate_of"] = duplicate
        return PassageRecord(
            id=id,
            text=text,
            supports=self._supports(topic, id, rows, text) if self.matched else None,
            metadata=dict(rows[id].checked(metadata)),
        )

    def _supports(
        self, topic: str, id: str, rows: Mapping[str, Fields], text: str
    ) -> tuple[Support, ...]:
        """The matches of an update and of those that it repeats; a place only where it fits."""
        found: list[Support] = []
        seen: set[str] = set()
        at: str | None = id
        while at and at not in seen:
            seen.add(at)
            same = at not in rows or rows[at].values.get("update_text") == text
            for support in self.matches[topic].get(at, ()):
                if support.fact in self.nuggets[topic]:
                    found.append(_placed(support, text) if same else Support(fact=support.fact))
            at = _duplicate_of(rows[at].values) if at in rows else None
        own = {support.fact for support in found if support.start is not None}
        return tuple(dict.fromkeys(s for s in found if s.start is not None or s.fact not in own))

    def _count_loose_ends(self) -> None:
        """Say what one file names and no other has; duplicates of what is not there are common."""
        updates = {id for topic in self.updates.values() for id in topic.rows}
        nuggets = {id for topic in self.nuggets.values() for id in topic}
        named = {id for topic in self.matches.values() for id in topic}
        facts = {s.fact for topic in self.matches.values() for one in topic.values() for s in one}
        for what, lost in (("updates", named - updates), ("nuggets", facts - nuggets)):
            if lost:
                count = f"{len(lost):,} {what}" if len(lost) > 1 else f"1 {what[:-1]}"
                self.report.warn(f"The matches name {count} that the other files do not have.")


def _placed(support: Support, text: str) -> Support:
    start, end = support.start, support.end
    fits = start is not None and end is not None and start < end <= len(text)
    return support if fits else Support(fact=support.fact)


def _duplicate_of(values: Mapping[str, str]) -> str | None:
    named = values.get("duplicate_id") or ""
    return None if named in ("", NO_DUPLICATE) else named


def _rows(path: Path, report: Report) -> Iterator[Fields]:
    """The rows of a table apart by tabs, in which quotes are plain characters."""
    file, header = name_of(path), list[str]()
    with explained(path, report), opened(path) as stream:
        for record, (line, text, sound) in enumerate(lines(stream, file, report)):
            if not text.strip():
                continue
            if not header:
                header = text.split()
                continue
            report.rows_read += 1
            before = report.total
            fields = Fields({}, Place(file, line, record), report)
            cells = text.rstrip("\r\n").split("\t", len(header) - 1)
            if len(cells) != len(header):
                accepted = f"{len(header)} cells apart by tabs, as in the first row,"
                fields.wrong("", f"{len(cells)} cells", accepted)
            elif sound:
                fields.values = _values(header, cells)
                yield fields
            report.rows_usable += sound and report.total == before
        if not header or not report.rows_read:
            report.add(Problem(file=file, found="no row", accepted=ACCEPTED))


def _values(header: Sequence[str], cells: Sequence[str]) -> dict[str, float | str]:
    """Cells by the name of their column, blank ones left out, numbers as numbers."""
    return {
        name: number_or_text(cell) if name in NUMBERS else cell
        for name, cell in zip(header, cells, strict=True)
        if cell.strip()
    }
