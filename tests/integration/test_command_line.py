"""The command line: one JSON document and nothing else, and refusals in a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from storage.__main__ import main

LINES = (
    '{"id": "q1", "question": "How long?", "passages": ["Two days.", "Two days.", "Bring it."]}\n'
)


@pytest.fixture
def run(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Run a command on a fresh database; returns exit code, standard output, standard error."""
    from storage.opening import open_database

    open_database(url, samples=False).close()
    file = tmp_path / "questions.jsonl"
    file.write_text(LINES, encoding="utf-8")

    def call(*arguments: str, json: bool = False):
        full = [file if one == "FILE" else one for one in arguments]
        extra = ["--json"] if json else []
        code = main([*map(str, full), *extra, "--database", url])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture(autouse=True)
def without_samples(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("storage.imports.all_samples", tuple)


def test_import_inspect_compare_export_and_list(run, tmp_path: Path):
    code, out, _ = run("import", "FILE", "--collection", "mine", json=True)
    assert code == 0
    assert json.loads(out)["added"] == 1
    spec = "marginal_gain(min_new_claims=1)"
    code, out, _ = run(
        "inspect",
        "--collection",
        "mine",
        "--question",
        "q1",
        "--selector",
        spec,
        "--budget",
        "100",
        json=True,
    )
    (selection,) = json.loads(out)["selections"]
    assert selection["ranks"] == [1, 3]
    assert selection["decisions"][1]["reason"] == "no_new_claims"
    assert selection["decisions"][1]["blocked_by"] == [1]
    code, out, _ = run(
        "compare",
        "--collection",
        "mine",
        "--selector",
        "top_k(k=8)",
        "--selector",
        "marginal_gain",
        "--save",
        "one",
        json=True,
    )
    document = json.loads(out)
    assert [one["selector"] for one in document["selectors"]][1] == spec
    assert document["selectors"][1]["questions"][0]["measures"]["claim_recall"] is None
    target = tmp_path / "out.jsonl"
    code, out, _ = run("export", "--collection", "mine", "--output", str(target), json=True)
    assert json.loads(out)["questions"] == 1
    assert json.loads(target.read_text(encoding="utf-8"))["question"] == "How long?"
    code, out, _ = run("collections", json=True)
    assert json.loads(out)["collections"][0]["comparisons"] == 1


def test_a_dry_run_reads_and_stores_nothing(run):
    code, out, _ = run("import", "FILE", "--collection", "mine", "--dry-run", json=True)
    assert (code, json.loads(out)["usable"]) == (0, 1)
    _, out, _ = run("collections", json=True)
    assert json.loads(out)["collections"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("import", "nowhere.jsonl", "--collection", "x"), "nowhere.jsonl"),
        (("inspect", "--collection", "x", "--question", "q", "--selector", "mmr"), "no collection"),
        (("compare", "--collection", "x", "--selector", "mmr(lambda_=7)"), "from 0 to 1"),
        (("compare", "--collection", "x", "--selector", "mmr("), "no selector"),
        (("compare", "--collection", "x", "--selector", "__import__('os')"), "no selector"),
        (("compare", "--collection", "x", "--selector", "top_k", "--budget", "-1"), "budget"),
    ],
)
def test_what_is_refused_is_said_in_a_sentence_and_exits_with_2(run, arguments, said: str):
    code, out, err = run(*arguments)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
    assert out == ""


def test_text_output_names_every_rank(run):
    run("import", "FILE", "--collection", "mine")
    _, out, _ = run("inspect", "--collection", "mine", "--question", "q1", "--selector", "top_k")
    assert out.count("in, step") == 3


def test_the_doctor_and_a_dry_run_say_what_to_expect_and_store_nothing(run, tmp_path: Path):
    code, out, _ = run("doctor", "FILE", json=True)
    assert code == 0
    seen = json.loads(out)
    assert (seen["format"], seen["usable"], seen["passages"]) == ("jsonl", 1, 3)
    assert {one["name"] for one in seen["findings"]} == {"small_pool", "repeats"}
    assert seen["measures"]["claim_recall"]["defined"] == 0
    assert seen["measures"]["tokens"]["defined"] == 1
    code, out, _ = run("import", "FILE", "--collection", "mine", "--dry-run", json=True)
    assert (code, json.loads(out)) == (0, seen)
    assert run("collections", json=True)[1].count('"name"') == 0
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"question": 5, "passages": []}\n', encoding="utf-8")
    code, out, _ = run("doctor", str(bad))
    assert code == 1
    assert "line 1, question" in out
    assert out.rstrip().splitlines()[0].startswith("The import was refused")
