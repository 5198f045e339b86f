"""PDF and Word files made to take all time and memory: each a clear refusal, and the next is read."""

from __future__ import annotations

import struct
import tempfile
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from made_files import word, word_document
from starlette.testclient import TestClient

from countercase.web import workspace
from countercase.web.worker import Worker

PAGE = {"Accept": "text/html"}
MB = b"0" * 1_000_000


def lying_word() -> bytes:
    """An archive whose directory says that 70 MB are 100 bytes."""
    document = word_document(b" " * 70_000_000)
    honest, size = word(document), struct.pack("<I", len(document))
    assert honest.count(size) >= 1
    return honest.replace(size, struct.pack("<I", 100))


def stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %s >> stream\n%s\nendstream" % (len(content), more, content)


def pdf(content: bytes, *others: bytes, forms: bytes = b"") -> bytes:
    """A PDF of one page: its content stream is object 4, `others` are objects from 5 on."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << "
        b"/F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << %s >> >> >>"
        % forms,
        content,
        *others,
    ]
    made, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return made + b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R >>\n" % (
        len(objects) + 1, table, len(objects) + 1,
    ) + b"startxref\n%d\n%%%%EOF" % len(made)  # fmt: skip


def packed(times: int, megabytes: int = 400) -> bytes:
    """400 MB of zeros, deflated so many times over: some hundred bytes at three."""
    engine = zlib.compressobj(9)
    content = b"".join(engine.compress(MB) for _ in range(megabytes)) + engine.flush()
    for _ in range(times - 1):
        content = zlib.compress(content, 9)
    return stream(content, b"/Filter [%s]" % (b"/FlateDecode " * times))


def forms_of_forms(depth: int = 12, each: int = 10) -> bytes:
    """A page that draws a form ten times, which draws the next one ten times, and so on."""
    form = (
        b"/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources << /XObject << /X %d 0 R >> >>"
    )
    forms = [stream(b"/X Do " * each, form % (6 + at)) for at in range(depth)]
    last = stream(b"BT (x) Tj ET", b"/Type /XObject /Subtype /Form /BBox [0 0 99 99]")
    return pdf(stream(b"/X Do " * each), *forms, last, forms=b"/X 5 0 R")


def words_without_end() -> bytes:
    """A page of 300,000 words, which the book has a hundred times; 10 kB."""
    content = zlib.compress(b"BT /F 9 Tf " + b"(x) Tj\n" * 300_000 + b"ET", 9)
    book = pdf(stream(content, b"/Filter /FlateDecode"))
    return book.replace(b"/Kids [3 0 R] /Count 1", b"/Kids [%s] /Count 100" % (b"3 0 R " * 100))


def kids_of_kids(depth: int = 20_000) -> bytes:
    """A tree of pages that is a single branch, 20,000 deep."""
    nodes = b"".join(
        b"%d 0 obj << /Type /Pages /Kids [%d 0 R] /Count 1 >> endobj\n" % (at, at + 1)
        for at in range(2, depth)
    )
    catalog = b"%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
    return catalog + nodes + b"trailer << /Root 1 0 R >>\n%%EOF"


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a stream of 400 MB": ("a.pdf", lambda: pdf(packed(1))),
    "a stream packed three times": ("a.pdf", lambda: pdf(packed(3))),
    "a hundred thousand filters": (
        "a.pdf",
        lambda: pdf(stream(b"x", b"/Filter [%s]" % (b"/FlateDecode " * 100_000))),
    ),
    "nested arrays": ("a.pdf", lambda: pdf(stream(b"[" * 200_000))),
    "nested dictionaries": ("a.pdf", lambda: pdf(b"<< /A " * 50_000 + b"0" + b" >>" * 50_000)),
    "forms of forms": ("a.pdf", forms_of_forms),
    "kids of kids": ("a.pdf", kids_of_kids),
    "a directory that lies": ("a.docx", lying_word),
    "nested tables": (
        "a.docx",
        lambda: word(
            word_document(b"<w:tbl><w:tr><w:tc>" * 20_000 + b"</w:tc></w:tr></w:tbl>" * 20_000)
        ),
    ),
    "nine million empty paragraphs": ("a.docx", lambda: word(word_document(b"<w:p/>" * 9_000_000))),
}


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "UPLOAD_SECONDS", 4.0)


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_and_the_next_file_is_read(client: TestClient, name: str) -> None:
    filename, content = BOMBS[name]
    answer = client.post("/cases", files={"file": (filename, content())}, headers=PAGE)
    assert answer.status_code == 400, answer.headers.get("location")
    assert 'role="alert"' in answer.text
    assert "Traceback" not in answer.text and tempfile.gettempdir() not in answer.text
    plain = pdf(stream(b"BT /F 9 Tf (He was convicted under section 302 IPC.) Tj ET"))
    answer = client.post("/cases", files={"file": ("plain.pdf", plain)})
    assert answer.status_code == 303, answer.text
    assert "section 302 IPC" in client.get(answer.headers["location"]).text


def test_what_takes_too_long_is_ended_and_others_have_their_turn_meanwhile(
    client: TestClient, worker: Worker
) -> None:
    question = {"query": "a sudden quarrel", "top_k": 2}
    assert client.post("/retrieve", json=question).status_code == 200  # the models are loaded
    with ThreadPoolExecutor(1) as pool:
        files = {"file": ("a.pdf", words_without_end())}
        bomb = pool.submit(client.post, "/cases", files=files, headers=PAGE)
        with worker.workspace.turns.turn():  # raises BusyError if the turn were held
            assert not bomb.done()
        answer = client.post("/retrieve", json=question)
        assert answer.status_code == 200 and not bomb.done()
    assert "a.pdf takes more than 4 seconds to read" in bomb.result().text
