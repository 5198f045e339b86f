"""Hostile inputs: each a clear refusal or inert text, and nothing outside its place."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest
from made_files import Tags, word, word_document
from served_case import CASE, pasted
from starlette.testclient import TestClient

from countercase.web.app import create_app
from countercase.web.corpora import serve_session
from countercase.web.security import MAX_UPLOAD_BYTES, Rate
from countercase.web.worker import Worker

PAGE = {"Accept": "text/html"}
ESCAPED = Path(gettempdir(), f"escaped-{os.getpid()}")
"""Where a name that climbs out of its folder would lead."""
FOLDER = {"cases": "/cases", "analyses": "/analyses", "results": "/results"}

MARKUP = (
    "<script>run()</script>", "<img src=x onerror=run()>", "<svg onload=run()>", "</textarea><b>",
    "</title><script>run()</script>", "\"><script>run()</script>", "' onmouseover='run()",
    "\" autofocus onfocus=\"run()", "<iframe src=javascript:run()>", "<a href='javascript:run()'>x",
    "<style>*{display:none}</style>", "<base href=//evil.test>", "<form action=//evil.test>",
    "<meta http-equiv=refresh content=0;url=//evil.test>", "<!--", "-->", "]]>", "<![CDATA[<b>]]>",
    "{{ 7*7 }}", "{% raw %}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{{ ''.__class__ }}",
    "%3Cscript%3Erun()%3C/script%3E", "&lt;script&gt;", "&#60;script&#62;", "\\u003cscript\\u003e",
    "<scr<script>ipt>", "<ſcript>run()</ſcript>", "=HYPERLINK(\"http://evil.test\")", "@SUM(1)",
    "'; DROP TABLE jobs; --", "\" OR 1=1 --", "$(touch x)", "`id`", "| id", "../../etc/passwd",
    "\u202eexe.txt", "\u2066hidden\u2069", "a\u0000b", "\ufeffbom", "\u200b" * 40, "A" * 290,
)  # fmt: skip
"""Titles and words of a narrative that must stay text."""

IDS = (
    "../jobs.sqlite", "..%2fjobs.sqlite", "%2e%2e%2f%2e%2e", "....//", "..\\..\\x", "%00",
    "0" * 15, "0" * 17, "G" * 16, "0" * 5_000, "0123456789abcdeF", "0123456789abcde\u0660",
    "'; --", "<script>", "C:\\x", "~root", "*",
)  # fmt: skip

CONTENT_TYPES = (
    "", "text/plain", "text/html", "application/xml", "text/xml", "application/octet-stream",
    "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=",
    "application/json; charset=utf-7", "image/png", "application/x-python-pickle", "x/y; " + "a" * 500,
)  # fmt: skip

BROKEN_BODIES = (
    b"\xff\xfe{}", b"\x00", b"{" * 3_000, b'{"text": "\xc3"}', b'{"text": "\\ud800"}', b'{"text": 1e999}',
    b'{"text": NaN}', b'{"text": "a", "text": null}', b"null", b"true", b'"text"', b"[[[[]]]]",
    b'{"text": "a"} x', b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>",
    b'{"__proto__": {"text": "a"}}', b'{"text": {"$ne": 1}}', b"'text'", b"text=a", b"\x1f\x8b\x08\x00",
    b'{"text": "' + b"a" * 100_001 + b'"}', b"", b"[" * 50_000,
)  # fmt: skip


def body(text: bytes, before: bytes = b"") -> bytes:
    return word_document(b"<w:p><w:r><w:t>%s</w:t></w:r></w:p>" % text, before)


LAUGHS = b"<!DOCTYPE w:document [<!ENTITY a 'lol'>" + b"".join(
    b"<!ENTITY %c '%s'>" % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9)
) + b"]>"  # fmt: skip
FILE_ENTITY = b"<!DOCTYPE w:document [<!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
WEB_ENTITY = b"<!DOCTYPE w:document [<!ENTITY f SYSTEM 'http://127.0.0.1:9/x'>]>"


def pdf(*objects: bytes) -> bytes:
    return b"%PDF-1.7\n" + b"\n".join(objects) + b"\ntrailer << /Root 1 0 R >>\n%%EOF"


UPLOADS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "too large": ("a.txt", lambda: b"a" * (MAX_UPLOAD_BYTES + 1)),
    "fifty megabytes": ("a.pdf", lambda: b"%PDF-" + b"0" * 50_000_000),
    "too many characters": ("a.txt", lambda: b"word " * 30_000),
    "too many characters of a case": (
        "a.json",
        lambda: json.dumps(CASE | {"text": "a" * 100_001}).encode(),
    ),
    "zip bomb": ("a.docx", lambda: word(b"0" * 70_000_000)),
    "bomb in another part": ("a.docx", lambda: word(body(b"x"), **{"x.xml": b"0" * 70_000_000})),
    "two hundred parts of a megabyte": (
        "a.docx",
        lambda: word(body(b"x"), **{f"p{n}": b"0" * 1_000_000 for n in range(200)}),
    ),
    "no main part": ("a.docx", lambda: b"PK\x05\x06" + b"\0" * 18),
    "not a zip": ("a.docx", lambda: b"PK\x03\x04" + b"x" * 200),
    "empty word": ("a.docx", lambda: b""),
    "broken xml": ("a.docx", lambda: word(b"<w:document>")),
    "laughs": ("a.docx", lambda: word(body(b"&j;", LAUGHS))),
    "no text but entities": ("a.docx", lambda: word(body(b"&f;", FILE_ENTITY))),
    "no pages": ("a.pdf", lambda: pdf(b"1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj")),
    "own parent": (
        "a.pdf",
        lambda: pdf(
            b"1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
            b"2 0 obj << /Type /Pages /Kids [2 0 R] /Count 1 >> endobj",
        ),
    ),
    "half a pdf": ("a.pdf", lambda: b"%PDF-1.7\n1 0 obj <<"),
    "pdf of nothing": ("a.pdf", lambda: b"%PDF-1.7"),
    "no pdf": ("a.pdf", lambda: b"MZ" + b"\0" * 300),
    "pdf of nulls": ("a.pdf", lambda: b"\0" * 5_000),
    "latin-1": ("a.txt", lambda: "café".encode("latin-1")),
    "utf-16": ("a.txt", lambda: "case".encode("utf-16")),
    "utf-32": ("a.txt", lambda: "case".encode("utf-32")),
    "half a character": ("a.txt", lambda: b"case \xe2\x82"),
    "surrogates": ("a.txt", lambda: b"case \xed\xa0\x80"),
    "nothing but nulls": ("a.txt", lambda: b"\0" * 50),
    "json of nothing": ("a.json", lambda: b""),
    "json of a list": ("a.json", lambda: b"[]"),
    "deep json": ("a.json", lambda: b"[" * 100_000),
    "json and more": ("a.json", lambda: json.dumps(CASE).encode() + b"x"),
    "id that climbs": ("a.json", lambda: json.dumps({**CASE, "case_id": "../../x"}).encode()),
    "id of markup": ("a.json", lambda: json.dumps({**CASE, "case_id": "<b>"}).encode()),
    "unknown field": ("a.json", lambda: json.dumps({**CASE, "eval": "run()"}).encode()),
    "infinite number": (
        "a.json",
        lambda: json.dumps({**CASE, "numerical_facts": {"ages": [{"value": 1e999}]}}).encode(),
    ),
    "program": ("a.exe", lambda: b"MZ"),
    "script": ("a.html", lambda: b"<script>run()</script>"),
    "picture": ("a.svg", lambda: b"<svg onload='run()'/>"),
    "archive": ("a.zip", lambda: word(body(b"x"))),
    "two endings": ("a.txt.exe", lambda: b"text"),
    "no ending": ("a", lambda: b"text"),
    "climbing name": (
        f"{'../' * 20}{ESCAPED.relative_to(ESCAPED.anchor).as_posix()}",
        lambda: b"text",
    ),
    "windows name": ("..\\..\\escaped", lambda: b"text"),
    "name of markup": ("<img src=x onerror=run()>", lambda: b"text"),
    "long name": ("a" * 5_000, lambda: b"text"),
}
AGE = {"action": "add", "fact_type": "Numerical", "kind": "age"}
FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "empty": ("", {}),
    "spaces": ("", {"text": " \n\t"}),
    "too long": ("", {"text": "a" * 100_001}),
    "unknown example": ("", {"example": "../../etc/passwd"}),
    "example with markup": ("", {"example": "<script>"}),
    "many fields": ("", {f"f{n}": "x" for n in range(2_000)}),
    "no action": ("facts", {}),
    "unknown action": ("facts", {"action": "__import__('os')"}),
    "unknown fact": ("facts", {"action": "change", "fact_id": "../../x"}),
    "unknown fact taken out": ("facts", {"action": "remove", "fact_id": "none"}),
    "unknown type": ("facts", {"action": "add", "fact_type": "__class__"}),
    "no number": ("facts", AGE | {"value": "x"}),
    "no figure": ("facts", AGE | {"value": ""}),
    "unknown kind": ("facts", AGE | {"kind": "mood", "value": "1"}),
    "nan": ("facts", AGE | {"value": "nan"}),
    "inf": ("facts", AGE | {"value": "inf"}),
    "huge": ("facts", AGE | {"value": "1e400"}),
    "no provision": ("facts", {"action": "add", "fact_type": "Section", "provision": "<b>"}),
    "no date": ("facts", {"action": "date", "occurred_on": "<script>"}),
    "thirtieth of february": ("facts", {"action": "date", "occurred_on": "2024-02-30"}),
    "deep": ("analyze", {"depth": "99"}),
    "not a number": ("analyze", {"top_k": "1; DROP TABLE jobs"}),
    "arabic digits": ("analyze", {"depth": "\u0669"}),
    "other criterion": ("analyze", {"criterion": "<b>"}),
    "other type": ("analyze", {"types": "__class__"}),
    "other field": ("analyze", {"MODELS": "/etc"}),
    "long court": ("analyze", {"court": "x" * 201}),
    "years crossed": ("analyze", {"year_from": "2000", "year_to": "1990"}),
}
TOLD = {
    "spaces": "paste the facts", "unknown fact": "no such fact",
    "unknown fact taken out": "no such fact", "unknown type": "cannot be changed here",
    "no number": "not a number", "no figure": "write a number", "unknown kind": "choose one",
    "no date": "is no date", "latin-1": "not in UTF-8", "id that climbs": "must be a name",
    "too many characters": "150,000 characters, more than the 100,000", "no ending": "has no ending",
    "too many characters of a case": "more than the 100,000", "program": "ends in",
}  # fmt: skip
"""What a user is told of some of them."""
QUERIES = {
    "suppose": [
        "e=off:none", "e=none", "n=none=5", "n=numerical:age:1=nan", "n=numerical:age:1=1e99",
        "n=numerical:age:1=-1", "n=numerical:age:1=<b>", "suppose=?", "e=" + "x" * 301,
        "suppose=" + "x" * 1_001,
        "pin=", "pin=e%3Dnone", "pin=%00", "pin=" + "a%26" * 900, "pin=" + "x" * 3_001, "side=judge",
        "&".join(["pin=x"] * 5),
    ],
    "memo.html": ["side=judge", "pin=e%3Dnone", "pin=" + "x" * 3_001],
    "compare": ["s=none", "s=../root", "s=<script>"],
    "why-not": ["decision=<script>run()</script>", "decision=..%2f..", "decision=" + "x" * 301],
    "rate": ["rater=../x", "rater=<b>", "rater=" + "x" * 65, "rater=a&at=-1", "rater=a&at=9999999999"],
    "rate.csv": ["rater=../x", "rater=%00"],
}  # fmt: skip
ADDRESSES = [(place, name) for place in FOLDER for name in IDS] + [
    ("precedents", name) for name in IDS
]


def inert(page: str) -> None:
    """Check that a page has no script but ours, and nothing else that runs or loads."""
    for tag, attributes in Tags(page).tags:
        assert tag not in ("iframe", "object", "embed", "base", "img", "style"), tag
        assert tag != "script" or str(attributes.get("src")).startswith("/static/")
        assert not any(name.startswith("on") for name in attributes), attributes
        for name in ("href", "src", "action"):
            assert re.match(r"(/|#|\?|$)", attributes.get(name) or ""), attributes


@pytest.fixture(scope="module")
def client(worker: Worker) -> Iterator[TestClient]:
    app = create_app(serve_session(worker.workspace.session), worker=worker, rate=Rate(1e6, 10**6))
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def case(client: TestClient) -> str:
    return pasted(client)


@pytest.fixture
def files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], set[Path]]:
    """What stands in the folders of this run, those of the server among them."""
    return lambda: set(tmp_path_factory.getbasetemp().rglob("*"))


def refused(answer: Any) -> None:
    """Check that an answer is a clear refusal that runs nothing and names no place of ours."""
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text[:300])
    assert len(answer.content) < 150_000
    assert "Traceback" not in answer.text and gettempdir() not in answer.text
    if answer.headers["content-type"].startswith("text/html"):
        inert(answer.text)
    else:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"]


@pytest.mark.parametrize("markup", MARKUP)
def test_markup_in_names_and_narratives_stays_text(client: TestClient, markup: str) -> None:
    text = f"{CASE['text']} {markup} The victim, {markup}, was aged 16 years."
    answer = client.post("/cases", data={"text": text, "title": markup})
    if "\x00" in markup:
        refused(answer)
        return
    assert answer.status_code == 303
    page = client.get(answer.headers["location"])
    assert page.status_code == 200
    inert(page.text)
    assert ("49" in page.text.split("<h1>")[1].split("</h1>")[0]) is False
    stated = client.get(answer.headers["location"] + "/case.json").json()
    unseen = "\u200b\ufeff"  # what nobody sees is read as absent
    assert markup.strip(unseen) in stated["text"]
    assert not {*unseen} & {*stated["text"]}


@pytest.mark.parametrize("markup", MARKUP)
def test_markup_sent_to_the_service_is_a_query(client: TestClient, markup: str) -> None:
    answer = client.post("/retrieve", json={"query": markup, "top_k": 2})
    if not markup.strip("\u200b") or "\0" in markup:  # refused as in a case, and not echoed
        assert answer.status_code == 400 and markup not in answer.text
        return
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert "run()" not in answer.text


@pytest.mark.parametrize("name", UPLOADS)
def test_an_upload_that_is_no_case_is_refused(
    client: TestClient, files: Callable[[], set[Path]], name: str
) -> None:
    filename, content = UPLOADS[name]
    before = files()
    answer = client.post("/cases", files={"file": (filename, content())}, headers=PAGE)
    refused(answer)
    assert TOLD.get(name, "") in answer.text and "root:" not in answer.text
    assert files() == before and not ESCAPED.exists()


@pytest.mark.parametrize("entity", [FILE_ENTITY, WEB_ENTITY])
def test_an_entity_of_a_word_file_is_not_fetched(client: TestClient, entity: bytes) -> None:
    content = word(body(b"He was convicted under section 302 IPC. &f;", entity))
    answer = client.post("/cases", files={"file": ("a.docx", content)})
    assert answer.status_code in (303, 400)
    if answer.status_code == 303:
        assert "root:" not in client.get(answer.headers["location"]).text


@pytest.mark.parametrize("name", FORMS)
def test_a_form_that_does_not_fit_is_refused(client: TestClient, case: str, name: str) -> None:
    path, form = FORMS[name]
    before = client.get(f"{case}/case.json").content
    answer = client.post(f"{case}/{path}" if path else "/cases", data=form, headers=PAGE)
    refused(answer)
    assert TOLD.get(name, "") in answer.text
    assert client.get(f"{case}/case.json").content == before


@pytest.mark.parametrize(("place", "name"), ADDRESSES)
def test_an_address_that_climbs_finds_nothing(client: TestClient, place: str, name: str) -> None:
    answer = client.get(f"/{place}/{name}", headers=PAGE)
    if answer.status_code in (303, 307):  # a slash more or less
        answer = client.get(answer.headers["location"], headers=PAGE)
    refused(answer)


@pytest.mark.parametrize("content_type", CONTENT_TYPES)
def test_another_content_type_is_refused(client: TestClient, content_type: str) -> None:
    body = json.dumps({"text": "a"}).encode()
    refused(client.post("/analyses", content=body, headers={"Content-Type": content_type}))


@pytest.mark.parametrize("raw", BROKEN_BODIES)
def test_a_broken_body_is_refused(client: TestClient, raw: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    refused(client.post("/analyses", content=raw, headers=headers))


@pytest.mark.parametrize(
    ("page", "query"), [(page, query) for page, queries in QUERIES.items() for query in queries]
)
def test_a_query_that_is_wrong_is_told(
    client: TestClient, done: str, page: str, query: str
) -> None:
    answer = client.get(f"/results/{done}/{page}?{query}", headers=PAGE)
    if answer.status_code == 200:
        inert(answer.text)
        assert 'role="alert"' in answer.text or "rater=a" in query
    else:
        refused(answer)
