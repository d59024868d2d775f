"""Files that people open in a spreadsheet."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui import downloads


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_that_starts_like_a_formula_gets_an_apostrophe(start: str) -> None:
    assert downloads.safe_cell(f"{start}1+1") == f"'{start}1+1"


def test_a_negative_number_stays_a_number() -> None:
    assert downloads.safe_cell(-4235) == -4235


@given(st.lists(st.dictionaries(st.just("words"), st.text(), min_size=1), min_size=1, max_size=4))
def test_no_cell_of_a_file_starts_like_a_formula(rows: list[dict[str, object]]) -> None:
    read = csv.reader(io.StringIO(downloads.csv_bytes(rows).decode("utf-8-sig"), newline=""))
    assert not any(
        cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in read for cell in row
    )


def test_an_empty_table_is_an_empty_file() -> None:
    assert downloads.csv_bytes([]).decode("utf-8-sig").strip() == ""


def test_a_file_name_holds_letters_digits_and_hyphens_only() -> None:
    assert downloads.file_name("ledger", "../../etc/passwd", "q 1") == "ledger-etc-passwd-q-1"
