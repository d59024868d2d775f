"""JUnit files: how a CI server is told what held, what failed, and what could not be judged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

# What XML cannot hold, whatever it is escaped to.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


Outcome = Literal["passed", "failure", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """One line of the report. outcome: "failure" and "error" (not judged) say why."""

    group: str
    name: str
    outcome: Outcome
    message: str = ""
    details: str = ""


def document(suite: str, cases: Sequence[Reported]) -> str:
    """Test cases as a JUnit document."""
    outcomes = [case.outcome for case in cases]
    root = ElementTree.Element(
        "testsuite",
        name=suite,
        tests=str(len(cases)),
        failures=str(outcomes.count("failure")),
        errors=str(outcomes.count("error")),
    )
    for case in cases:
        one = ElementTree.SubElement(
            root, "testcase", classname=_clean(case.group), name=_clean(case.name)
        )
        if case.outcome != "passed":
            why = ElementTree.SubElement(one, case.outcome, message=_clean(case.message))
            why.text = _clean(case.details) or None
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
