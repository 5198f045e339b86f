"""`countercase serve`, asked over a live socket on loopback."""

from __future__ import annotations

import http.client
import importlib.util
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from countercase import __version__
from countercase.cli.serve import serve
from countercase.config import Settings
from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import ConfigError, CorpusIndexError, CounterCaseError, InputError
from countercase.retrieval.lexical import LexicalRanker, WordIndex
from countercase.session import Session
from countercase.web.app import bind
from countercase.web.corpora import serve_session
from countercase.web.models import MAX_CHARACTERS, MAX_QUERIES, MAX_TOP_K
from countercase.web.security import MAX_BODY_BYTES

runner = CliRunner()
app = typer.Typer()
app.command()(serve)

TEXTS = {
    "theft-1": "被告人在超市内盗窃手机一部，价值人民币三千元。",
    "theft-2": "被告人深夜入户盗窃现金，后被公安机关抓获。",
    "fraud": "被告人虚构投资项目，骗取被害人钱款二十万元。",
    "injury": "双方因琐事争吵，被告人持刀将被害人砍伤，构成轻伤。",
    "knife": "The accused stabbed his neighbour with a knife in a sudden quarrel.",
    "cheque": "A cheque was returned unpaid for want of funds; Section 138 of the Negotiable "
    "Instruments Act, 1881 applied.",
}
COMMAND = "import typer; from countercase.cli.serve import serve; typer.run(serve)"


def start(folder: Path, *flags: str) -> tuple[subprocess.Popen[str], str]:
    """A server over TEXTS on a free port, and its address."""
    corpus = folder / "cases.jsonl"
    rows = [
        {"_id": name, "title": f"Case {name}", "text": text, "metadata": {"accusation": [name[:5]]}}
        for name, text in TEXTS.items()
    ]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "--documents", str(corpus), "--port", "0", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    told = process.stdout.readline()
    assert told.startswith("serving cases, 6 documents by lexical, at http://127.0.0.1:"), told
    return process, told.split(" at ")[1].split(";")[0]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    process, address = start(tmp_path_factory.mktemp("served"))
    yield address
    process.terminate()
    process.communicate(timeout=30)


def ask(url: str, path: str, body: Any) -> httpx.Response:
    return httpx.post(url + path, json=body, timeout=60, trust_env=False)


def test_health_says_what_is_served(url: str) -> None:
    assert httpx.get(url + "/health", trust_env=False).json() == {
        "status": "ok", "version": __version__, "corpus": "cases", "documents": 6,
        "rankers": ["lexical"], "queue": None,
    }  # fmt: skip


def test_chinese_is_found_by_its_characters_and_pairs(url: str) -> None:
    queries = ["入户盗窃", "骗取钱款", "持刀砍伤他人", "stabbed with a knife"]
    found = ask(url, "/batch_search", {"queries": queries, "top_k": 3}).json()["results"]
    assert [hits[0]["id"] for hits in found] == ["theft-2", "fraud", "injury", "knife"]
    first = found[0][0]
    assert first["rank"] == 1
    assert first["text"] == TEXTS["theft-2"]
    assert first["title"] == "Case theft-2"
    assert first["metadata"] == {"accusation": ["theft"]}
    scores = [hit["score"] for hit in found[0]]
    assert scores == sorted(scores, reverse=True)
    assert all(hit["score"] > 0 for hits in found for hit in hits)


def test_a_batch_answers_as_single_searches_do(url: str) -> None:
    queries = ["盗窃手机", "quarrel", "cheque unpaid"]
    batch = ask(url, "/batch_search", {"facts": queries, "top_k": 2}).json()["results"]
    single = [
        ask(url, "/search", {"query": text, "top_k": 2}).json()["results"] for text in queries
    ]
    assert batch == single
    nothing = ask(url, "/search", {"query": "zebra"}).json()  # no known word
    assert nothing == {"results": []}


def test_what_is_asked_at_the_same_time_changes_nothing(url: str) -> None:
    queries = list(TEXTS.values())
    alone = ask(url, "/batch_search", {"queries": queries}).content
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda _: ask(url, "/batch_search", {"queries": queries}).content, range(24))
        )
    assert set(answers) == {alone}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "queries"),
        ({"queries": []}, "queries"),
        ({"queries": "盗窃"}, "queries"),
        ({"queries": [""]}, "queries"),
        ({"queries": [" \n "]}, "queries"),
        ({"queries": [7]}, "queries"),
        ({"queries": ["x"] * (MAX_QUERIES + 1)}, "queries"),
        ({"queries": ["SECRET" + "x" * MAX_CHARACTERS]}, "queries"),
        ({"queries": ["x"], "top_k": 0}, "top_k"),
        ({"queries": ["x"], "top_k": MAX_TOP_K + 1}, "top_k"),
        ({"queries": ["x"], "top_k": "3"}, "top_k"),
        ({"queries": ["x"], "top_k": 2.0}, "top_k"),
        ({"queries": ["x"], "mode": "SECRET"}, "mode"),
        ({"queries": ["x"] * 64, "top_k": 100}, "2000 results"),
        (["x"], "body"),
    ],
)
def test_a_request_out_of_bounds_is_told_and_not_repeated(url: str, body: Any, field: str) -> None:
    answer = ask(url, "/batch_search", body)
    assert answer.status_code == 422
    assert field in answer.text
    assert "SECRET" not in answer.text
    assert len(answer.content) < 3000


@pytest.mark.parametrize("declared", [True, False])
def test_a_large_body_is_refused_with_and_without_a_length(url: str, declared: bool) -> None:
    raw = b'{"queries": ["' + b"x" * MAX_BODY_BYTES + b'"]}'

    def pieces() -> Iterator[bytes]:
        for at in range(0, len(raw), 1 << 16):
            yield raw[at : at + (1 << 16)]

    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)
    sent, headers = raw if declared else pieces(), {"Content-Type": "application/json"}
    try:
        connection.request("POST", "/batch_search", sent, headers, encode_chunked=not declared)
        status = connection.getresponse().status
    except (BrokenPipeError, ConnectionResetError):
        status = 413  # it hung up on the rest of what it had refused
    finally:
        connection.close()
    assert status == 413
    assert httpx.get(url + "/health", trust_env=False).status_code == 200


def test_a_second_server_gives_the_same_bytes_and_stops_at_ctrl_c(url: str, tmp_path: Path) -> None:
    process, other = start(tmp_path)
    body = {"queries": list(TEXTS.values()), "top_k": 6}
    assert ask(url, "/batch_search", body).content == ask(other, "/batch_search", body).content
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 0
    assert said.splitlines()[-1] == "stopped"


def test_only_names_of_this_machine_are_answered(url: str) -> None:
    for name, status in (("localhost", 200), ("[::1]", 200), ("127.0.0.1.example.org", 400)):
        headers = {"Host": f"{name}:{url.rsplit(':', 1)[-1]}"}
        answer = httpx.get(url + "/health", headers=headers, trust_env=False)
        assert answer.status_code == status


# ---- the command


def failure(*arguments: str) -> CounterCaseError:
    done = runner.invoke(app, list(arguments))
    assert isinstance(done.exception, CounterCaseError), done.output
    return done.exception


def test_a_port_that_is_taken_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"--port {port}"):
            bind("127.0.0.1", port)
    with pytest.raises(ConfigError, match=r"--host nowhere\.invalid"):
        bind("nowhere.invalid", 0)


def test_what_cannot_be_served_is_told(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"_id": "1", "text": "盗窃"}\n', encoding="utf-8")
    documents = ["--port", "0", "--documents", str(corpus)]
    assert "--rankers 'words': no rankers named" in str(
        failure("--port", "0", "--rankers", "words")
    )
    assert "by words alone" in str(failure(*documents, "--rankers", "dpr,lexical"))
    assert "no such file" in str(failure("--port", "0", "--documents", str(tmp_path / "none")))
    assert "--models" in str(failure("--models", "other"))
    assert "needs --token" in str(failure("--host", "0.0.0.0", "--port", "0"))


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    known = importlib.util.find_spec
    module = sys.modules[serve.__module__]
    monkeypatch.setattr(
        module, "find_spec", lambda name: None if name == "uvicorn" else known(name)
    )
    error = failure("--port", "0")
    assert isinstance(error, ConfigError)
    assert "needs uvicorn" in str(error)
    assert "countercase[serve]" in str(error)


# ---- what is searched


@settings(max_examples=30, deadline=None)
@given(st.permutations(sorted(TEXTS)))
def test_the_order_of_the_documents_does_not_reach_the_ranking(order: list[str]) -> None:
    index = WordIndex([Document(name, "", TEXTS[name]) for name in order], 11.0)
    usual = WordIndex([Document(name, "", TEXTS[name]) for name in sorted(TEXTS)], 11.0)
    for text in ("盗窃人民币", "被告人", "section 138 NI Act"):
        assert index.search(text, 6) == usual.search(text, 6)


def test_equal_documents_are_ranked_by_id_and_nothing_is_no_search() -> None:
    index = WordIndex([Document(name, "", "盗窃手机") for name in ("c", "a", "b")], 0.0)
    assert [document.doc_id for document, _ in index.search("手机", 3)] == ["a", "b", "c"]
    with pytest.raises(InputError):
        index.search(" ", 3)
    with pytest.raises(CorpusIndexError):
        WordIndex([], 1.0)


def test_an_index_is_served_with_the_channels_of_the_settings(encoders: EmbeddedEncoders) -> None:
    documents = [Document(name, f"Case {name}", text) for name, text in TEXTS.items()]
    snapshot, _ = build_index(documents, "served-cases", encoders, 200)
    words_only = Settings(RANKERS=("lexical",), USE_MMR=False, USE_RERANKER=False)
    searcher = serve_session(Session(words_only, encoders, snapshot))
    assert (searcher.corpus, searcher.documents) == ("served-cases", 6)
    assert searcher.rankers == ("lexical",)
    queries = ["入户盗窃", "cheque under section 138 NI Act"]
    found = [searcher.search(text, 3) for text in queries]
    assert [hits[0].id for hits in found] == ["theft-2", "cheque"]
    for top_k in (1, 2, 4, 5, 6):
        others = [searcher.search(text, top_k) for text in queries]
        assert [hits[:top_k] for hits in found] == [hits[:3] for hits in others]
    assert found[0][0].text == TEXTS["theft-2"]
    assert found[1][0].title == "Case cheque"
    assert found[1][0].metadata["provisions"] == ("NIA-138",)
    # The documents served without an index have the scores of the lexical channel.
    index = WordIndex(documents, words_only.PROVISION_WEIGHT)
    rows = LexicalRanker(snapshot, encoders, words_only.retrieval()).rows(queries)
    for text, row in zip(queries, rows, strict=True):
        assert np.round(index.scores(text), 9).tolist() == row.tolist()
