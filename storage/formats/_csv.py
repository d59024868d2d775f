"""The rows of a table whose first row is known, with the line of each and what is wrong with it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from storage.formats._fields import Fields
from storage.formats._json import Place
from storage.report import Report


def csv_rows(
    header: Sequence[str],
    numbered: Iterable[tuple[int, str, bool]],
    start: Place,
    report: Report,
    *,
    delimiter: str,
) -> Iterator[tuple[Fields, bool]]:
    """Each row by its columns, blank cells left out, and whether every byte of it is sound.

    numbered: the lines after the first row, which stands at start.
    """
    texts = (text for _, text, _ in numbered)
    reader = csv.reader(texts, delimiter=delimiter, strict=True)
    for record in count(1):
        place = Place(start.file, start.line + reader.line_num + 1, record)
        fields, before = Fields({}, place, report), report.total
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            report.rows_read += 1
            rule = "a cell in quotes that are closed, with a quote inside written twice,"
            fields.wrong("", f"a row that cannot be read ({error})", rule)
            continue
        if not any(map(str.strip, cells)):
            continue
        report.rows_read += 1
        if len(cells) != len(header):
            accepted = f"{len(header)}, as in the first row,"
            fields.wrong("", f"{len(cells)} cells", accepted)
            continue
        fields.values = {n: cell for n, cell in zip(header, cells, strict=True) if cell.strip()}
        # A byte that is no UTF-8 was reported when its line was read.
        yield fields, report.total == before
