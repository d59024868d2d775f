"""How good proposed evidence is, where the gold is known: writes docs/evidence.md.

Run: python -m tests.benchmarks.evidence
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from storage.formats import format_of
from storage.proposing import MOST, SHARE, SHORT, Proposal, propose
from storage.records import ArmOutcome, QuestionRecord
from storage.report import Report
from storage.samples import all_samples

HOME = Path(__file__).resolve().parents[2]
DATA = HOME.parent / "shared" / "data"
PAGE = HOME / "docs" / "evidence.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Over n questions: proposals that are gold, of so many, and of so much gold; questions hit."""

    n: int
    right: int
    proposed: int
    gold: int
    hit: int

    def row(self, name: str) -> str:
        def share(part: int, of: int) -> str:
            return f"{part / of:.2f} ({part} of {of})" if of else "n/a"

        return (
            f"| {name} | {self.n} | {share(self.right, self.proposed)} | "
            f"{share(self.right, self.gold)} | {share(self.hit, self.n)} |"
        )


def score(records: Sequence[QuestionRecord], *, citations: bool = True) -> Score:
    """Propose from the answer that was right, and hold it against the marked passages."""
    n = right = proposed = gold = hit = 0
    for record in records:
        arm = next((one for one in record.arms if one.correct and one.answer), None)
        made = _proposals(record, arm, citations=citations)
        marked = set(record.answer_bearing or ())
        if arm is not None and arm.sent is not None:
            marked &= set(arm.sent)
        if made is None or not marked:
            continue
        found = sum(one.passage in marked for one in made)
        n, right, proposed = n + 1, right + found, proposed + len(made)
        gold, hit = gold + len(marked), hit + bool(found)
    return Score(n=n, right=right, proposed=proposed, gold=gold, hit=hit)


def _proposals(
    record: QuestionRecord, arm: ArmOutcome | None, *, citations: bool
) -> Sequence[Proposal] | None:
    answer = arm.answer if arm else record.metadata.get("answer")
    if not isinstance(answer, str) or not answer:
        return None
    if not citations:
        answer = re.sub(r"\[[^\]]*\]", "", answer)
    sent = arm.sent if arm else None
    return propose(record.question, answer, record.passages, sent=sent)


def page() -> str:
    """The whole page."""
    rows = []
    for name, files in (
        ("musique", "musique/musique_train_000-039.json"),
        ("hotpotqa", "hotpotqa/hotpotqa_train_000-039.json"),
    ):
        made = format_of(name)
        records = [replace(one, arms=()) for one in made.read([DATA / files], Report())]
        rows.append(score(records).row(f"{made.title}, reference answer"))
    sample = next(one for one in all_samples() if one.name.startswith("Help"))
    records = list(sample.records())
    rows.append(score(records).row(f"{sample.name} (made up), cited"))
    rows.append(score(records, citations=False).row(f"{sample.name} (made up), without citations"))
    return TEXT.format(rows="\n".join(rows), share=SHARE, short=SHORT, most=MOST)


TEXT = """\
# Evidence proposed from an answer that was right

Where nobody has marked which passages hold the answer, *Regressions* proposes some from the answer
that was right before the change. A proposal is marked as such and is no gold: it counts once a
person has confirmed it, and whoever did and when is kept.

1. Passages whose id the answer names in brackets, `[HC-1041]`.
2. Where it names none: passages that say what a sentence of the answer says. A sentence of up to
   {short} words (a name, a number) has to stand in the passage word for word; of a longer one the
   passage has to hold {share:.0%} of the words that are no stop words. At most {most} passages a
   sentence, those with the larger overlap first, then those that share more with the question.

Only what was sent with that answer is proposed, where that is recorded.

| set | questions | precision | recall | questions with a right one |
|---|---|---|---|---|
{rows}

Precision: proposals that are marked as evidence in the set. Recall: marked passages that were
proposed (of those that were sent, where that is recorded). MuSiQue and HotpotQA need two passages
or more for an answer whose last words stand in one of them, so the first hop is out of reach of an
answer alone. Every set here has an answer that is right; where the label is wrong, so is what is
proposed, which is why a person decides.

`python -m tests.benchmarks.evidence` writes this page.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))
