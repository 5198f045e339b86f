"""Pages and reports name provisions, parties and evidence in words; codes are for programs."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from countercase.web.pages.cases import writable
from countercase.web.worker import Worker

CODE = re.compile(
    r"\b[A-Z]{2,}[A-Za-z0-9]*-\d[\w()-]*|\b[a-z]+(?:_[a-z]+)+\b|\b(?:PartyType|Numerical)\b"
)
HIDDEN = re.compile(
    r"(?s)<(script|style|datalist|code)\b.*?</\1>|<table class=\"settings\">.*?</table>|<[^>]+>"
)


def words(page: str) -> str:
    """What a reader of a page sees, but for settings and checksums, which are data."""
    return html.unescape(HIDDEN.sub("\n", page)).replace("SHA-256", "")


def codes(page: str) -> list[str]:
    return CODE.findall(words(page))


PATHS = (
    "",
    "/facts",
    "/tree",
    "/suppose",
    "/why-not",
    "/rate?rater=A",
    "/report.html",
    "/memo.html",
)


@pytest.mark.parametrize("path", PATHS)
def test_no_page_of_an_analysis_shows_a_code(client: TestClient, done: str, path: str) -> None:
    page = client.get(f"/results/{done}{path}").text
    assert codes(page) == []
    if path in ("/facts", "/tree", "/report.html"):
        assert re.search(r"Suppose section 304\w* ?(Part I{1,2} )?IPC were charged", words(page))


def test_the_page_of_a_case_and_of_a_decision_show_none(client: TestClient, done: str) -> None:
    address = client.post("/cases", data={"example": "sudden-fight"}).headers["location"]
    page = client.get(address).text
    assert codes(page) == []
    assert 'name="provision" value="section 304 Part II IPC"' in page
    first = re.findall(rf"/results/{done}/precedents/([\w-]+)", client.get(f"/results/{done}").text)
    page = client.get(f"/results/{done}/precedents/{first[0]}").text
    assert codes(page) == [] and re.search(r"Cites (section|Article)", words(page))


def test_a_change_keeps_its_codes_where_programs_read_it(client: TestClient, done: str) -> None:
    links = client.get(f"/analyses/{done}").json()["tree"]["links"]
    [edit] = [k["edit"] for k in links if k["edit"]["fact_type"] == "Section"][:1]
    assert edit["original_value"] == "IPC-302" and edit["perturbed_value"].startswith("IPC-304")
    assert "section 304" in edit["supposition"] and codes(edit["supposition"]) == []


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("IPC-304-II", "section 304 Part II IPC"),
        ("CONST-226", "Article 226"),
        ("ABK-58", "ABK-58"),  # the table has no name of the Act that would be read back
        ("no provision", "no provision"),
    ],
)
def test_a_field_shows_what_is_read_back_as_the_same(given: str, shown: str) -> None:
    assert writable(given) == shown


def test_cards_and_the_decision_lead_to_the_judgment_in_the_reader_s_own_source(
    client: TestClient, done: str, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/results/{done}"
    assert "Read the judgment" not in client.get(address).text
    session = worker.workspace.session
    source = {"JUDGMENT_URL": "https://example.org/find?q={title}"}
    monkeypatch.setattr(session, "settings", session.settings.model_copy(update=source))
    page = client.get(address).text
    titles = re.findall(r'-title">.*?<a href="([^"]+)">([^<]+)</a>', page)
    links = re.findall(r'<a class="judgment" href="([^"]+)" rel="noreferrer">', page)
    assert [unquote(link) for link in links] == [
        f"https://example.org/find?q={html.unescape(title)}" for _, title in titles
    ]
    assert f'href="{links[0]}"' in client.get(titles[0][0]).text
    memo = client.get(f"{address}/memo.html").text
    assert all(f'<a href="{link}" rel="noreferrer">judgment</a>' in memo for link in links)
