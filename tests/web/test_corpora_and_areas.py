"""Which corpus is searched, and which areas of law of it."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from served_case import CASE, analysed, of_area, pasted
from starlette.testclient import TestClient

from countercase.config import Settings
from countercase.corpus.casebook.records import load_casebook
from countercase.corpus.index.build import build_index
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.session import Session
from countercase.web.corpora import MOST_OPEN, Corpora

PAGE = {"Accept": "text/html"}
OTHER = "other-reports"


@pytest.fixture(scope="module")
def other(encoders: EmbeddedEncoders) -> list[str]:
    """Ids of a second corpus, whose decisions state no area."""
    plain = [replace(d, metadata={**d.metadata, "area": ""}) for d in of_area("cheating")[:8]]
    build_index(plain, OTHER, encoders, 200)
    return sorted(document.doc_id for document in plain)


@pytest.fixture(scope="module")
def case(client: TestClient) -> str:
    return pasted(client)


@pytest.fixture(scope="module")
def in_dowry(client: TestClient, case: str) -> str:
    """The id of an analysis that searched decisions on dowry alone, asked for on the page."""
    form = {"areas": ["dowry"], "year_from": "1900", "types": ["Section", "Evidence"]}
    return analysed(client, case, **form)


@pytest.fixture(scope="module")
def in_other(client: TestClient, case: str, other: list[str]) -> str:
    return analysed(client, case, corpus=OTHER)


def areas_offered(page: str) -> list[str]:
    return re.findall(r'name="areas" value="(\w+)"', page)


def ranked(client: TestClient, job: str) -> set[str]:
    """The decisions of every list of an analysis."""
    tree = client.get(f"/analyses/{job}").json()["tree"]
    return {row["case_id"] for node in tree["nodes"] for row in node["ranking"] or ()}


def test_a_case_offers_corpora_and_areas(client: TestClient, case: str, other: list[str]) -> None:
    page = client.get(case).text
    assert re.findall(r'<option value="([^"]+)" selected>([^<]+)', page)[0] == (
        "memory", "memory (14 decisions)",
    )  # fmt: skip
    assert f'<option value="{OTHER}">{OTHER} (8 decisions)</option>' in page
    assert areas_offered(page) == ["dowry", "homicide"]
    assert 'dowry <span class="hint">(8)</span>' in page
    page = client.get(f"{case}?corpus={OTHER}").text
    assert f'<option value="{OTHER}" selected>' in page and areas_offered(page) == []
    assert "state no area of law" in page


def test_a_corpus_that_is_not_there_is_told(client: TestClient, case: str) -> None:
    assert "no corpus of this name is indexed here (known: memory" in (
        client.get(f"{case}?corpus=../casebook").text
    )
    answer = client.post(f"{case}/analyze", data={"corpus": "none"}, headers=PAGE)
    assert answer.status_code == 400 and "no corpus of this name" in answer.text
    for path, body in (("/analyses", {"case": CASE, "options": {"corpus": "none"}}),
                       ("/retrieve", {"query": "a knife", "corpus": "none"})):  # fmt: skip
        answer = client.post(path, json=body)
        assert answer.status_code == 400 and "no corpus" in answer.json()["detail"]


def test_an_area_filters_every_list_of_an_analysis(client: TestClient, in_dowry: str) -> None:
    areas = {d.doc_id: d.metadata["area"] for d in load_casebook()}
    assert {areas[name] for name in ranked(client, in_dowry)} == {"dowry"}
    analysis = client.get(f"/analyses/{in_dowry}").json()["analysis"]
    assert analysis["filters"] == {"areas": ["dowry"], "year_from": 1900}
    for path in ("", "/facts", "/tree", "/suppose"):
        page = client.get(f"/results/{in_dowry}{path}").text
        assert "Searched in memory, only decisions from 1900 on, on dowry." in page
    report = client.get(f"/results/{in_dowry}/report.html").text
    assert "Searched only: decisions from 1900 on, on dowry." in report
    assert "only those from 1900 on, on dowry" in report


def test_suppose_and_why_not_keep_the_filter(client: TestClient, in_dowry: str) -> None:
    areas = {d.doc_id: d.metadata["area"] for d in load_casebook()}
    page = client.get(f"/results/{in_dowry}/suppose").text
    wish = re.findall(r'<input type="checkbox" name="e" value="([^"]+)"', page)[0]
    partial = client.get(f"/results/{in_dowry}/suppose?e={wish}", headers={"HX-Request": "true"})
    listed = re.findall(rf"/results/{in_dowry}/precedents/([\w-]+)", partial.text)
    assert listed and {areas[name] for name in listed} == {"dowry"}
    left_out = "abrar-v-state-of-up-2010"
    page = client.get(f"/results/{in_dowry}/why-not?decision={left_out}").text
    assert "the filters of this analysis leave it out" in page


def test_the_way_back_to_the_case_holds_the_settings(client: TestClient, in_dowry: str) -> None:
    page = client.get(f"/results/{in_dowry}").text
    addresses = re.findall(r'href="(/cases/[^"]+)"', page)
    assert addresses
    for address in addresses:
        asked = parse_qs(urlsplit(address.replace("&amp;", "&")).query)
        assert asked["areas"] == ["dowry"] and asked["corpus"] == ["memory"]
        assert asked["types"] == ["Section", "Evidence"]
    form = client.get(address.replace("&amp;", "&")).text
    assert '<input type="checkbox" name="areas" value="dowry" checked>' in form
    assert '<input type="checkbox" name="areas" value="homicide">' in form
    assert '<input type="checkbox" name="types" value="PartyType">' in form
    assert 'name="year_from" type="number" min="1800" max="2200" value="1900"' in form


def test_an_area_that_the_corpus_lacks_is_told(client: TestClient, case: str) -> None:
    answer = client.post(f"{case}/analyze", data={"areas": ["tax"]}, headers=PAGE)
    assert answer.status_code == 400
    assert "areas of this corpus: dowry, homicide" in answer.text
    body = {"query": "a knife", "areas": ["Homicide"], "top_k": 20}
    found = [row["case_id"] for row in client.post("/retrieve", json=body).json()["results"]]
    assert len(found) == 6 and "abrar-v-state-of-up-2010" in found


def test_another_corpus_is_kept_to(client: TestClient, in_other: str, other: list[str]) -> None:
    assert client.get(f"/analyses/{in_other}").json()["analysis"]["corpus"]["name"] == OTHER
    assert ranked(client, in_other) <= set(other)
    page = client.get(f"/results/{in_other}").text
    assert f"Searched in {OTHER}, all decisions." in page
    first = re.findall(rf"/results/{in_other}/precedents/([\w-]+)", page)[0]
    assert client.get(f"/results/{in_other}/precedents/{first}").status_code == 200
    assert client.get(f"/precedents/{first}?corpus={OTHER}").json()["areas"] == []
    assert client.get(f"/precedents/{first}").status_code == 404
    wish = re.findall(
        r'<input type="checkbox" name="e" value="([^"]+)"',
        client.get(f"/results/{in_other}/suppose").text,
    )[0]
    for path in (f"/suppose?e={wish}", f"/why-not?decision={other[0]}"):
        assert client.get(f"/results/{in_other}{path}").status_code == 200
    about = client.get(f"/about?corpus={OTHER}").text
    assert "8 decisions" in about and "Its decisions state no area of law." in about
    assert f'href="/about?corpus={OTHER}"' in client.get("/about").text


def test_few_corpora_are_held_open(small_session: Session, encoders: EmbeddedEncoders) -> None:
    names = [f"held-{at}" for at in range(MOST_OPEN + 1)]
    for at, name in enumerate(names):
        build_index(load_casebook()[at : at + 2], name, encoders, 200)
    closed: list[str] = []
    corpora = Corpora(small_session, lambda corpus: closed.append(corpus.name))
    for name in names:
        assert corpora.get(name).name == name
    assert closed == names[:1]
    assert [corpus.name for corpus in corpora.opened()] == ["memory", *names[1:]]
    assert corpora.get(names[1]) is corpora.get(names[1])


def test_a_corpus_of_other_models_is_named_and_not_searched(
    encoders: EmbeddedEncoders, small_session: Session, other: list[str]
) -> None:
    settings = Settings(**{**small_session.settings.model_dump(), "CHUNK_PIECES": 90})
    corpora = Corpora(Session(settings, encoders, small_session.snapshot), lambda corpus: None)
    problems = {choice.name: choice.problem for choice in corpora.choices()}
    assert problems["memory"] == "" and problems[OTHER] == "indexed with other models"
    with pytest.raises(InputError, match="no corpus of this name"):
        corpora.get("../casebook")
