"""Answers kept in a file of JSON lines, by what was asked: only edited texts are sent again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from storage.extraction.asking import VERSION, Answer


def asked(model: str, text: str) -> str:
    """What names an answer: the model, the version of the instruction, and the text."""
    whole = json.dumps([model, VERSION, text], ensure_ascii=True)
    return hashlib.sha256(whole.encode()).hexdigest()


class Kept:
    """The answers so far. Each is written when it comes, so that a killed job goes on from there.

    A last line that was cut off is dropped when the file is opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[str, tuple[str, ...] | None] = {}
        if not path.exists():
            return
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            path.write_bytes(whole)
        for number, line in enumerate(whole.decode("utf-8", "replace").splitlines(), start=1):
            self._take(line, number)

    def _take(self, line: str, number: int) -> None:
        try:
            one = json.loads(line)
            claims = one["claims"]
            self._found[one["asked"]] = None if claims is None else tuple(map(str, claims))
        except (ValueError, KeyError, TypeError):
            raise ValueError(
                f"{self._path.name}, line {number}: not an answer that was kept; name another "
                "file with --cache. Nothing was sent."
            ) from None

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def __getitem__(self, name: str) -> tuple[str, ...] | None:
        return self._found[name]

    def keep(self, name: str, answer: Answer) -> None:
        """Keep an answer, a refusal too: asking the same again would cost the same again."""
        self._found[name] = answer.claims
        line = {
            "asked": name,
            "claims": answer.claims,
            "input_tokens": answer.input_tokens,
            "output_tokens": answer.output_tokens,
        }
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")
