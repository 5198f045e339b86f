"""Bad law is marked wherever a decision is named, and may be left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

import pytest
from docx import Document as WordDocument
from served_case import analysed, pasted, working
from starlette.testclient import TestClient

from countercase.config import Settings
from countercase.corpus.casebook.records import load_casebook
from countercase.corpus.documents import JSON
from countercase.corpus.index.build import index_in_memory
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.session import Session
from countercase.web.app import create_app
from countercase.web.corpora import serve_session
from countercase.web.security import Access

LATER = {"kind": "superseded", "by": "a statute", "date": "2016-01-01", "on": "the point"}
OVER = {"kind": "overruled", "by": "A v B", "date": "2020-03-06", "on": "all of it"}
LIKED = {"kind": "followed", "by": "C v D", "date": "2019-01-01", "on": "the knife"}


@pytest.fixture(scope="module")
def names() -> list[str]:
    """Ids of four decisions: overruled, superseded in 2016, followed, and of which nothing is known."""
    return [d.doc_id for d in load_casebook() if "IPC-302" in d.metadata["provisions"]][:4]


@pytest.fixture(scope="module")
def client(
    encoders: EmbeddedEncoders, names: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestClient]:
    by_id = {document.doc_id: document for document in load_casebook()}
    stated: list[JSON] = [[OVER], [LATER], [LIKED], []]
    documents = [
        replace(by_id[name], metadata={**by_id[name].metadata, "treatment": treatment})
        for name, treatment in zip(names, stated, strict=True)
    ]
    settings = Settings(TOP_K=4, DEPTH=1, MAX_STATES=6, NULL_EDITS=1, USE_RERANKER=False)
    session = Session(settings, encoders, index_in_memory(documents, encoders, 200))
    with working(session, tmp_path_factory.mktemp("good-law")) as worker:
        app = create_app(serve_session(session), Access(frozenset({"testserver"})), worker)
        with TestClient(app, follow_redirects=False) as client:
            yield client


@pytest.fixture(scope="module")
def job(client: TestClient) -> str:
    """The id of an analysis of CASE, whose facts are of May 2015, over all four."""
    return analysed(client)


def standings(client: TestClient, query: str, good_law: bool = False) -> dict[str, str]:
    found = client.post("/retrieve", json={"query": query, "good_law": good_law}).json()
    return {it["case_id"]: it["standing"] for it in found["results"]}


def test_a_text_is_judged_on_its_day_and_else_today(client: TestClient, names: list[str]) -> None:
    over, late, liked, plain = names
    now = {over: "overruled", late: "superseded", liked: "", plain: ""}
    assert standings(client, "A stab with a knife.") == now
    assert set(standings(client, "A stab with a knife.", good_law=True)) == {liked, plain}
    dated = "Ramu stabbed his neighbour with a knife on 3 May 2015."
    assert standings(client, dated) == {**now, late: ""}
    assert set(standings(client, dated, good_law=True)) == {late, liked, plain}
    one = client.get(f"/precedents/{over}").json()
    assert one["standing"] == "overruled"
    assert one["later"] == ["Overruled by A v B (2020): all of it"]
    assert one["treatment"] == [{**OVER, "known_from": {}}]


def test_every_view_of_an_analysis_marks_it(client: TestClient, job: str, names: list[str]) -> None:
    over, late, liked, _ = names
    title = client.get(f"/precedents/{over}").json()["title"]
    found = client.get(f"/analyses/{job}").json()
    rows = {row["case_id"]: row for row in found["analysis"]["precedents"]}
    assert rows[over]["standing"] == "overruled" and rows[over]["title"] == title
    assert rows[late]["standing"] == rows[liked]["standing"] == ""
    assert rows[late]["later"] == [
        "Superseded by a statute (2016; after the facts of this case): the point"
    ]
    titles = found["tree"]["graph"]["titles"]
    assert titles[over] == f"{title} [overruled]" and "[" not in titles[late]
    page = client.get(f"/results/{job}").text
    assert page.count('<span class="badge failed">overruled</span>') == 1
    assert 'class="note warn" role="note"><strong>Later:</strong> Overruled by A v B' in page
    assert 'class="note" role="note"><strong>Later:</strong> Followed by C v D (2019)' in page
    decision = client.get(f"/results/{job}/precedents/{over}").text
    assert '<span class="badge failed">overruled</span></h1>' in decision
    for path in ("suppose?suppose=it+rained", "memo.html", "report.html"):
        assert "[overruled]" in client.get(f"/results/{job}/{path}").text, path
    word = WordDocument(BytesIO(client.get(f"/results/{job}/report.docx").content))
    assert any(p.text.endswith("[overruled]") for p in word.paragraphs)


def test_the_form_leaves_bad_law_out_as_of_the_facts(client: TestClient, names: list[str]) -> None:
    case = pasted(client)
    assert 'name="good_law" value="true">' in client.get(case).text
    job = analysed(client, case, good_law="true")
    analysis = client.get(f"/analyses/{job}").json()["analysis"]
    assert analysis["filters"] == {"good_law": True, "occurred_on": "2015-05-03"}
    assert {row["case_id"] for row in analysis["precedents"]} == set(names[1:])
    page = client.get(f"/results/{job}").text
    assert "decisions that are good law for facts of 2015-05-03" in page
