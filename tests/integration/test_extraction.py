"""Claims by a model: asked over HTTP, kept by content, capped, and stored beside the original."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from storage.__main__ import main
from storage.engine import Database
from storage.export import stored_records
from storage.extraction.asking import Model, NotAsked, read_answer
from storage.extraction.job import extract, texts_of, with_claims
from storage.extraction.kept import Kept, asked
from storage.extraction.price import Price, estimate
from storage.imports import import_records
from storage.records import PassageRecord, QuestionRecord

PRICE = Price(input=1.0, output=5.0)
USAGE = {"input_tokens": 500, "output_tokens": 120}


def said(*claims: object) -> dict[str, Any]:
    block = {"type": "tool_use", "name": "record_claims", "input": {"claims": list(claims)}}
    return {"content": [block], "stop_reason": "tool_use", "usage": USAGE}


REFUSED = {"content": [{"type": "text", "text": "No."}], "stop_reason": "refusal", "usage": USAGE}


class Service:
    """A local server that speaks the protocol. replies: (status, headers, body) in turn."""

    def __init__(self) -> None:
        self.replies: list[tuple[int, dict[str, str], bytes]] = []
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers["content-length"])
                service.requests.append(json.loads(self.rfile.read(size)))
                service.headers.append({name.lower(): v for name, v in self.headers.items()})
                status, headers, body = service.replies.pop(0)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def will(self, *documents: Any) -> None:
        self.replies += [(200, {}, json.dumps(one).encode()) for one in documents]

    def fails(self, status: int, **headers: str) -> None:
        self.replies.append((status, {k.replace("_", "-"): v for k, v in headers.items()}, b"{}"))


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def model(service: Service, waits: list[float]) -> Model:
    return Model(name="m", key="secret", address=service.address, wait=waits.append)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path / "kept.jsonl")


def test_a_request_carries_the_text_the_key_and_the_form_of_the_answer(
    service: Service, model: Model
) -> None:
    service.will(said("A.", " ", "B."))
    answer = model.claims("The text")
    assert (answer.claims, answer.input_tokens, answer.output_tokens) == (("A.", "B."), 500, 120)
    (request,), (headers,) = service.requests, service.headers
    assert "The text" in request["messages"][0]["content"]
    assert request["tool_choice"] == {"type": "tool", "name": "record_claims"}
    assert headers["x-api-key"] == "secret"


def test_busy_services_are_asked_again_after_the_time_they_name(
    service: Service, model: Model, waits: list[float]
) -> None:
    service.fails(429, retry_after="7")
    service.fails(529)
    service.replies.append((200, {}, b"not JSON"))
    service.will(said("A."))
    assert model.claims("x").claims == ("A.",)
    assert waits == [7.0, 2.0, 4.0]


def test_a_key_that_is_refused_ends_it_and_a_redirect_is_not_followed(
    service: Service, model: Model
) -> None:
    service.fails(401)
    with pytest.raises(NotAsked, match="status 401"):
        model.claims("x")
    service.fails(302, location=f"{service.address}/elsewhere")
    with pytest.raises(NotAsked, match="status 302"):
        model.claims("x")
    assert len(service.requests) == 2
    with pytest.raises(NotAsked, match="https"):
        Model(name="m", key="k", address="http://example.org")


def test_a_service_that_stays_busy_is_given_up(service: Service, model: Model) -> None:
    for _ in range(5):
        service.fails(503)
    with pytest.raises(NotAsked, match="5 times"):
        model.claims("x")


@pytest.mark.parametrize(
    "document",
    [
        REFUSED,
        {**said("A."), "stop_reason": "max_tokens"},
        said("A.", 5),
        {"content": "text"},
        {"content": [{"type": "tool_use", "input": []}]},
        [],
        None,
    ],
    ids=str,
)
def test_what_is_no_answer_gives_no_claims(document: Any) -> None:
    assert read_answer(document).claims is None


def test_only_new_texts_are_sent_and_a_line_cut_off_is_asked_again(
    service: Service, model: Model, tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    service.will(said("A."), REFUSED)
    done = extract(["a", "b"], Kept(path), model, price=PRICE, most=1.0)
    assert (done.sent, done.refused, done.left) == (2, 1, 0)
    assert done.cost == pytest.approx(2 * 1_100 / 1_000_000)
    assert extract(["a", "b"], Kept(path), model, price=PRICE, most=1.0).sent == 0
    path.write_bytes(path.read_bytes()[:-5])
    service.will(said("B."))
    again = Kept(path)
    assert extract(["a", "b", "a"], again, model, price=PRICE, most=1.0).sent == 1
    assert again[asked("m", "b")] == ("B.",)
    assert asked("other", "b") not in again


def test_the_cap_is_never_passed_and_the_rest_is_counted(
    service: Service, model: Model, kept: Kept
) -> None:
    service.will(*[said("A.")] * 5)
    # The longest answer costs 1 cent, a usual one a tenth of it.
    done = extract(list("abcde"), kept, model, price=PRICE, most=0.0115)
    assert 0 < done.sent < 5
    assert done.sent + done.left == 5
    assert done.cost <= 0.0115


def test_a_job_is_priced_from_its_tokens() -> None:
    found = estimate([500] * 40_000, kept=3, price=PRICE)
    assert found.cost == pytest.approx(44.0)
    assert (found.texts, found.kept) == (40_000, 3)


def test_spellings_share_a_claim_numbers_do_not_and_quotes_have_a_place(
    service: Service, model: Model, kept: Kept
) -> None:
    texts = ("Within 14 days.", "within  14 days", "Within 7 days.")
    record = QuestionRecord(
        id="q",
        question="?",
        passages=tuple(PassageRecord(id=str(at), text=text) for at, text in enumerate(texts)),
    )
    service.will(*(said(text) for text in texts))
    extract(texts_of([record]), kept, model, price=PRICE, most=1.0)
    (made,) = with_claims([record], kept, model="m")
    first, second, third = (passage.claims[0] for passage in made.passages)
    assert first.key == second.key != third.key
    assert (first.start, first.end) == (0, len(texts[0]))


def test_the_command_prices_asks_and_stores_beside_the_original(
    database: Database,
    url: str,
    refund: QuestionRecord,
    service: Service,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    import_records(database, [refund], collection="mine", format="jsonl", ranked=True)
    words = ["claims", "--collection", "mine", "--model", "m", "--database", url, "--json"]
    words += ["--cache", str(tmp_path / "kept.jsonl"), "--address", service.address]
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert main([*words, "--dry-run"]) == 0
    assert json.loads(capsys.readouterr().out)["texts"] == 3
    assert main([*words, "--most", "1"]) == 2
    assert "ANTHROPIC_API_KEY" in capsys.readouterr().err
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    assert main(words) == 2
    assert main([*words, "--most", "0"]) == 1
    assert service.requests == []
    service.will(said("Refunds take 30 days."), said("Keep the receipt."), said())
    capsys.readouterr()
    assert main([*words, "--most", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["collection"] == "mine (m)"
    (made,) = stored_records(database, "mine (m)")
    assert [len(passage.claims or ()) for passage in made.passages] == [1, 1, 0]
    assert made.facts == refund.facts
    assert list(stored_records(database, "mine")) == [refund]
    assert main([*words, "--most", "1"]) == 2
