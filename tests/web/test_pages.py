"""The pages, as a browser without JavaScript gets them."""

from __future__ import annotations

import io
import json
import re
from html import unescape
from importlib import resources
from typing import Any

import pytest
from docx import Document as WordDocument
from made_files import Tags
from served_case import CASE, facts_of, pasted
from starlette.testclient import TestClient

from countercase.reports.counsel.authorities import Records
from countercase.reports.wording import say, verdict_word
from countercase.web.worker import Worker
from countercase.web.workspace import Turns

PATHS = ("", "/facts", "/tree", "/suppose", "/rate", "/rate?rater=A", "/why-not")


def check(text: str) -> Tags:
    """The structure that every page has."""
    page = Tags(text)
    ids = [a["id"] for _, a in page.tags if "id" in a]
    assert len(ids) == len(set(ids)), sorted(i for i in ids if ids.count(i) > 1)
    for tag, attributes in page.tags:
        assert "style" not in attributes, (tag, attributes)
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
    assert not page.of("style")
    assert all((a.get("src") or "").startswith("/static/") for a in page.of("script"))
    assert [len(page.of(tag)) for tag in ("main", "header", "footer", "h1")] == [1, 1, 1, 1]
    assert page.of("a")[0]["href"] == "#main"
    labelled = {a["for"] for a in page.of("label") if "for" in a}
    for field in [*page.of("input"), *page.of("select"), *page.of("textarea")]:
        if field.get("type") not in ("hidden", "checkbox", "radio"):
            assert field.get("id") in labelled or field.get("aria-label"), field
    for name in ("aria-labelledby", "aria-describedby"):
        for _, attributes in page.tags:
            for target in (attributes.get(name) or "").split():
                assert target in ids, (name, target)
    return page


def keep(client: TestClient, case: dict[str, Any]) -> str:
    """The address of the page of a case."""
    file = {"file": ("case.json", json.dumps(case).encode(), "application/json")}
    answer = client.post("/cases", files=file)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_the_first_page_takes_a_text_a_file_or_an_example(client: TestClient) -> None:
    page = check(client.get("/").text)
    assert [a["name"] for a in page.of("textarea")] == ["text"]
    assert [a["value"] for a in page.of("input") if a["name"] == "example"] == [
        "shop-tenancy", "sudden-fight",
    ]  # fmt: skip
    answer = client.post("/cases", data={"example": "sudden-fight"})
    assert answer.status_code == 303
    assert "Balraj v. State of Haryana" in client.get(answer.headers["location"]).text


def test_a_pasted_text_becomes_a_case_with_its_facts_marked(client: TestClient) -> None:
    text = "He was convicted under section 302 IPC.\r\nThe victim was aged 16 years."
    answer = client.post("/cases", data={"text": text, "title": "A v. <b>B</b>"})
    page = client.get(answer.headers["location"]).text
    check(page)
    assert '<mark class="fact Section" title="section 302 IPC' in page
    assert re.search(r'<mark class="fact Numerical"[^>]*>aged 16 years</mark>', page)
    assert "A v. &lt;b&gt;B&lt;/b&gt;" in page and "<b>B</b>" not in page
    assert "When did it happen?" in page  # no date in the text


def test_notes_and_title_are_read_with_a_word_file(client: TestClient) -> None:
    given = {"text": "The victim was aged 16 years.", "title": "Sita v. Ram"}
    word, stream = WordDocument(), io.BytesIO()
    word.add_paragraph("He was convicted under section 302 IPC.")
    word.save(stream)
    answer = client.post("/cases", data=given, files={"file": ("a.docx", stream.getvalue())})
    case = facts_of(client, answer.headers["location"])
    assert case["title"] == given["title"]
    assert case["text"] == f"{given['text']}\n\nHe was convicted under section 302 IPC."
    assert case["sections_cited"] == ["IPC-302"] and case["numerical_facts"]["ages"]


def test_a_case_file_takes_the_title_but_no_notes_which_are_given_back(client: TestClient) -> None:
    file = ("a.json", b'{"case_id": "x", "title": "A v. B", "text": "Convicted under s. 302 IPC."}')
    given = {"title": "Sita v. Ram"}
    answer = client.post("/cases", data=given, files={"file": file})
    assert facts_of(client, answer.headers["location"])["title"] == "Sita v. Ram"
    answer = client.post("/cases", data=given | {"text": "My notes."}, files={"file": file})
    assert answer.status_code == 400 and "a.json has its own narrative" in answer.text
    assert ">My notes.</textarea>" in answer.text and 'value="Sita v. Ram"' in answer.text
    assert any(it.get("role") == "alert" for _, it in check(answer.text).tags)


def test_a_busy_server_gives_the_notes_back(
    client: TestClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker.workspace, "turns", Turns(seconds=0.1))
    with worker.workspace.turns.turn():
        answer = client.post("/cases", data={"text": "My notes.", "title": "Sita v. Ram"})
    assert answer.status_code == 503
    assert ">My notes.</textarea>" in answer.text and 'value="Sita v. Ram"' in answer.text
    assert "what you wrote is kept" in answer.text


def test_facts_are_corrected_added_taken_out_and_put_back(client: TestClient) -> None:
    case = keep(client, CASE)
    assert facts_of(client, case) == CASE
    check(client.get(case).text)

    def post(**form: str) -> dict[str, Any]:
        assert client.post(f"{case}/facts", data=form).status_code == 303
        return facts_of(client, case)

    age = {"kind": "age", "value": "17", "unit": "years", "context": "accused"}
    assert post(action="change", fact_id="numerical:age:1", **age)["numerical_facts"]["ages"] == [
        {"value": 17, "unit": "years", "descriptor": "accused"}
    ]
    both = post(action="add", fact_type="Section", provision="s. 34 IPC")
    assert both["sections_cited"] == ["IPC-302", "IPC-34"]
    assert post(action="remove", fact_id="section:IPC-302")["sections_cited"] == ["IPC-34"]
    page = client.get(case).text
    check(page)
    assert page.count('<span class="badge">yours</span>') == 2
    assert "put back" in page and "<s>section 302 IPC (punishment for murder)</s>" in page
    again = post(action="put_back", fact_id="section:IPC-302")
    assert again["sections_cited"] == ["IPC-34", "IPC-302"]
    evidence = {"evidence_type": "eyewitness", "description": "a neighbour"}
    now = post(action="add", fact_type="Evidence", strength="full", **evidence)
    assert now["evidence_items"][-1] == evidence
    party = {"side": "petitioner", "party_type": "Minor", "name": "Ramu", "role": "accused"}
    now = post(action="change", fact_id="party:petitioner", **party)
    assert now["parties"]["petitioner"]["type"] == "Minor"
    now = post(action="date", occurred_on="2016-01", title="Ramu")
    assert (now["occurred_on"], now["title"]) == ("2016-01", "Ramu")


def test_an_analysis_is_asked_for_with_its_settings(client: TestClient, worker: Worker) -> None:
    case = keep(client, CASE)
    wrong = client.post(f"{case}/analyze", data={"top_k": "many"})
    assert wrong.status_code == 400 and "top_k: Input should be a valid integer" in wrong.text
    answer = client.post(f"{case}/analyze", data={"top_k": "3", "depth": "0", "types": "Section"})
    assert answer.status_code == 303
    job = answer.headers["location"].split("/")[2]
    found = worker.workspace.jobs.job(job)
    assert (found.options.top_k, found.options.depth) == (3, 0)
    assert found.options.types == ["Section"] and found.source == case.split("/")[2]
    check(client.get(answer.headers["location"]).text)
    assert client.post(f"/results/{job}/cancel").status_code == 303


@pytest.mark.parametrize("path", PATHS)
def test_every_page_of_an_analysis_is_sound(client: TestClient, done: str, path: str) -> None:
    answer = client.get(f"/results/{done}{path}")
    assert answer.status_code == 200
    page = check(answer.text)
    tabs = [a for a in page.of("a") if a.get("href", "").startswith(f"/results/{done}")]  # type: ignore[union-attr]
    assert len(tabs) >= 6


def test_pages_and_service_tell_the_same_of_each_decision_and_each_fact(
    client: TestClient, worker: Worker, done: str
) -> None:
    analysis = client.get(f"/analyses/{done}").json()["analysis"]
    records = Records(analysis["corpus"], worker.workspace.sheet_of(CASE))
    page = client.get(f"/results/{done}").text
    assert analysis["headline"] in page
    for row in analysis["precedents"]:
        assert f'<span class="rank">{row["rank"]}</span>' in page
        decision = client.get(f"/results/{done}/precedents/{row['case_id']}").text
        check(decision)
        quotes = [reason["quote"]["text"] for reason in row["reasons"]]
        marks = re.findall(r'<mark class="passage">(.*?)</mark>', decision, re.DOTALL)
        assert (len(marks) > 0) == (len(quotes) > 0)
        it = records.authority(row["case_id"])
        assert decision.count('<span class="mark') == len(it.points)
        assert all(citation in decision for citation in it.citations)
        assert ("for you</span>" in decision) == (it.way == "for")
        assert ("against you</span>" in decision) == (it.way == "against")
    facts = client.get(f"/results/{done}/facts").text
    for fact in analysis["facts"]:
        if fact["sensitivity"] is not None:
            assert f'<strong class="figure">{fact["sensitivity"]:.2f}</strong>' in facts


def test_the_tree_is_a_list_that_is_walked_by_keys(client: TestClient, done: str) -> None:
    tree = client.get(f"/analyses/{done}").json()["tree"]
    page = check(client.get(f"/results/{done}/tree").text)
    items = [a for _, a in page.tags if a.get("role") == "treeitem"]
    assert len(items) == len(tree["nodes"])
    assert [a["tabindex"] for a in items] == ["0"] + ["-1"] * (len(items) - 1)
    assert [a["aria-level"] for a in items] == ["1"] + ["2"] * (len(items) - 1)


def test_the_reports_are_given_to_keep(client: TestClient, done: str) -> None:
    page = client.get(f"/results/{done}/report.html")
    kept = page.headers["content-disposition"]
    assert kept == 'attachment; filename="Ramu-v.-State-of-Bihar-report.html"'
    assert client.get(f"/analyses/{done}").json()["analysis"]["headline"] in page.text
    word = client.get(f"/results/{done}/report.docx")
    assert len(WordDocument(io.BytesIO(word.content)).paragraphs) > 10
    assert client.get(f"/results/{done}/report.exe").status_code == 422


def test_the_memo_is_given_in_three_forms_for_either_side(client: TestClient, done: str) -> None:
    page = client.get(f"/results/{done}/memo.html")
    rows = client.get(f"/analyses/{done}").json()["analysis"]["precedents"]
    titles = [row["title"] for row in rows]
    word = WordDocument(io.BytesIO(client.get(f"/results/{done}/memo.docx").content))
    for text in (page.text, "\n".join(it.text for it in word.paragraphs)):
        assert all(title in unescape(text) for title in titles)
        assert "For Ramu (accused)" in text
    other = client.get(f"/results/{done}/memo.md?side=respondent").text
    assert "For State of Bihar (prosecution)" in other
    assert client.get(f"/results/{done}/memo.md?side=judge").status_code == 422


def test_why_not_names_the_stage_and_what_would_help(client: TestClient, done: str) -> None:
    analysis = client.get(f"/analyses/{done}").json()["analysis"]
    listed = [row["case_id"] for row in analysis["precedents"]]
    inside = client.get(f"/results/{done}/why-not", params={"decision": listed[0]}).text
    title = analysis["precedents"][0]["title"]
    here = f'<a href="/results/{done}/precedents/{listed[0]}">{title}</a>'
    assert f'{here} is in the list, <a href="/results/{done}#p1">at rank 1</a>' in unescape(inside)
    unknown = client.get(f"/results/{done}/why-not?decision=Zzz").text
    assert "all these words in its title: Zzz." in unknown
    assert "note error" not in inside + unknown and f"{listed[0]}:" not in inside
    corpus = Tags(client.get(f"/results/{done}/why-not").text).of("option")
    outside = next(a["value"] for a in corpus if a["value"] not in listed)
    page = client.get(f"/results/{done}/why-not", params={"decision": outside}).text
    check(page)
    assert "To be in the list it would have to pass" in page
    assert "fusion (RRF)" in page
    several = client.get(f"/results/{done}/why-not?decision=state+of").text
    assert "decisions have these words in their titles" in several
    assert re.search(rf'href="/results/{done}/why-not\?decision=[^"]+"', several)


@pytest.mark.parametrize("path", ["", "/suppose", "/facts", "/tree", "/why-not", "/rate"])
def test_the_side_goes_along_to_every_page(client: TestClient, done: str, path: str) -> None:
    page = client.get(f"/results/{done}{path}?side=respondent").text
    links = re.findall(rf'(?:href|action)="(/results/{done}[^"]*)', page)
    forms = {f"/results/{done}{it}" for it in ("", "/suppose", "/why-not", "/rate")}
    lost = [it for it in links if "side=respondent" not in it and "/report." not in it]
    assert links and {*lost} <= {*forms, f"/results/{done}/delete", f"/results/{done}/run"}
    assert page.count('name="side"') >= len([it for it in lost if it in forms])


def test_the_page_of_a_case_leads_back_to_its_analyses(client: TestClient) -> None:
    case = pasted(client)
    assert "Its analyses" not in client.get(case).text
    result = client.post(f"{case}/analyze", data={"max_states": "1"}).headers["location"]
    assert f'<a href="{result}">precedents</a>' in client.get(case).text


def test_about_says_what_is_searched(client: TestClient, worker: Worker) -> None:
    page = client.get("/about").text
    check(page)
    manifest = worker.workspace.session.snapshot.manifest
    assert manifest.checksum in page
    for fingerprint in worker.workspace.session.models.values():
        assert fingerprint in page


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"/results/{'0' * 16}", "There is no such analysis."),
        *((f"/{path}", "There is no such page") for path in ("x", "results/x", "results/x/facts")),
        ("/results/DONE?side=judge", "<li>Side: Input should be"),
    ],
)
def test_a_browser_gets_its_refusals_as_pages_in_a_reader_s_words(
    client: TestClient, done: str, address: str, words: str
) -> None:
    page = client.get(address.replace("DONE", done), headers={"Accept": "text/html,*/*"}).text
    check(page)
    assert words in page
    assert "pattern" not in page and "path.job" not in page and "Unprocessable" not in page


def test_what_moves_the_list_stands_with_its_verdict_and_coverage_as_in_the_report(
    client: TestClient, done: str
) -> None:
    analysis = client.get(f"/analyses/{done}").json()["analysis"]
    page = unescape(client.get(f"/results/{done}").text)
    moves = page[page.index('class="facts moves"') : page.index("All facts</a>")]
    verdicts = {fact["fact_id"]: fact["verdict"] for fact in analysis["facts"]}
    tree = client.get(f"/analyses/{done}").json()["tree"]
    of = {link["target"]: link["edit"]["fact_id"] for link in tree["links"]}
    rows = re.findall(r'compare\?s=([^"&]+)">.*?</a> <span class="badge [\w-]+">([^<]+)<', moves)
    assert len(rows) == moves.count("<li>") > 0
    assert all(verdict_word(verdicts[of[state]]) == word for state, word in rows)
    thin = [it for it in analysis["coverage"] if it["cases"] < 4]
    assert (say("thin", analysis["coverage"]) in page) and ('id="thin"' in page) == bool(thin)


def test_the_foreign_script_has_its_licence_beside_it_and_may_neither_evaluate_nor_style(
    client: TestClient,
) -> None:
    folder = resources.files("countercase.web") / "static"
    assert "Zero-Clause BSD" in (folder / "htmx.LICENSE.txt").read_text(encoding="utf-8")
    assert (folder / "htmx.min.js").is_file()
    own = (folder / "pages.js").read_text(encoding="utf-8")
    assert "eval(" not in own and "innerHTML =" not in own and "http" not in own
    [config] = [a for a in Tags(client.get("/").text).of("meta") if a.get("name") == "htmx-config"]
    settings = json.loads(config["content"] or "")
    assert (settings["allowEval"], settings["includeIndicatorStyles"]) == (False, False)


def test_each_decision_says_what_smallest_change_sends_it_out_or_brings_it_in(
    client: TestClient, done: str
) -> None:
    tree = client.get(f"/analyses/{done}").json()["tree"]
    lists = [{row["case_id"] for row in node["ranking"]} for node in tree["nodes"]]
    root, states = lists[0], [it for it in lists[1:] if it]
    everywhere = set.union(root, *states)
    for case_id in sorted(everywhere):
        page = client.get(f"/results/{done}/precedents/{case_id}").text
        moves = any((case_id in it) != (case_id in root) for it in states)
        verb = "sends it out" if case_id in root else "brings it in"
        assert (f"The smallest change that {verb}:</strong>" in page) == moves
        assert (f"No what-if that was measured, alone or with another, {verb}." in page) != moves
    cards = client.get(f"/results/{done}").text
    assert cards.count("sends it out") == len(root)


def test_an_analysis_is_deleted_only_where_one_asks_for_it_twice(
    client: TestClient, done: str
) -> None:
    page = client.get(f"/results/{done}/tree").text
    [form] = re.findall(r"<details><summary>Delete.*?</details>", page, re.DOTALL)
    assert f'action="/results/{done}/delete"' in form and page.count("/delete") == 1


def test_a_text_without_facts_is_not_analysed_and_the_page_says_so(client: TestClient) -> None:
    case = client.post("/cases", data={"text": "hello"}).headers["location"]
    page = client.get(case).text
    check(page)
    assert "No fact was read out of this text" in page and 'type="submit" disabled' in page
    refused = client.post(f"{case}/analyze")
    assert refused.status_code == 400
    assert f'action="{case}/facts"' in refused.text and "Not done: No fact" in refused.text
    form = {"action": "add", "fact_type": "Section", "provision": "s. 302 IPC"}
    assert client.post(f"{case}/facts", data=form).status_code == 303
    page = client.get(case).text
    assert "No fact was read" not in page and 'type="submit" disabled' not in page


def test_the_first_page_lists_cases_with_their_analyses_and_what_they_differ_in(
    client: TestClient, done: str
) -> None:
    case = keep(client, CASE | {"title": "Listed v. State"})
    listed = f'<li><a href="{case}">Listed v. State</a>'
    page = client.get("/").text
    check(page)
    assert f'{listed} <span class="hint">read, not analysed</span>' in page
    assert f'<a href="/results/{done}">{CASE["title"]}</a>' in page  # a program sent it
    asked = ({"max_states": "1", "top_k": "3"}, {"max_states": "1", "top_k": "2"})
    for form in asked:
        assert client.post(f"{case}/analyze", data=form).status_code == 303
    own = client.get("/").text.partition(listed)[2].partition("</ul>")[0]
    told = re.findall(r'class="hint">([^<]+)<', own)
    assert told == ["decisions in the list: 2", "decisions in the list: 3"]


@pytest.mark.parametrize("form", ["analyze", "facts", "delete"])
def test_the_address_of_a_form_leads_to_its_case(client: TestClient, form: str) -> None:
    case = keep(client, CASE)
    answer = client.get(f"{case}/{form}", headers={"Accept": "text/html,*/*"})
    assert (answer.status_code, answer.headers["location"]) == (303, case)
    assert client.get(f"{case}/{form}").status_code == 405  # a program is told


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"action": "date", "occurred_on": "soon"}, "Not done: &#34;soon&#34; is no date"),
        ({"action": "add", "fact_type": "Section", "provision": "nonsense"},
         "write it like s. 302 IPC"),
        ({"action": "add", "fact_type": "Numerical", "kind": "age", "value": "ten"},
         "Not done: &#39;ten&#39; is not a number"),
    ],
)  # fmt: skip
def test_what_is_refused_is_named_as_on_the_page(
    client: TestClient, form: dict[str, str], words: str
) -> None:
    told = client.post(f"{keep(client, CASE)}/facts", data=form).text
    assert words in told
    assert all(name not in told for name in ("occurred_on:", "CPC-O7R11", "10^15", "the case: "))


def test_a_damaged_file_is_told_of_without_the_name_of_a_fault(client: TestClient) -> None:
    told = client.post("/cases", files={"file": ("a.pdf", b"%PDF-1.4 no more")})
    assert told.status_code == 400 and "Not read: a.pdf is a damaged PDF;" in told.text


def test_a_role_that_is_taken_for_granted_is_told_as_where_one_acts_for_a_side(
    client: TestClient, done: str
) -> None:
    page = client.get(keep(client, CASE)).text
    assert "State of Bihar (respondent)" in page and "taken for the prosecution" in page
    assert "State of Bihar (prosecution)" in client.get(f"/results/{done}").text


def test_facts_that_move_nothing_are_folded(client: TestClient, done: str) -> None:
    facts = client.get(f"/analyses/{done}").json()["analysis"]["facts"]
    idle = [it["label"] for it in facts if it["sensitivity"] == 0 and not it["added"]]
    page = client.get(f"/results/{done}/facts").text
    [folded] = re.findall(r'<details id="idle">.*?</ul></details>', page, re.DOTALL) or [""]
    assert folded.count("<article") == len(idle)
    assert not idle or f"{len(idle)} that move nothing" in folded


def test_what_was_stopped_before_its_verdicts_says_so_and_not_the_opposite(
    client: TestClient, worker: Worker, done: str
) -> None:
    stored = worker.workspace.jobs.result(done)
    assert stored is not None
    analysis = json.loads(json.dumps(stored["analysis"])) | {"complete": False}
    own = {"verdict": "inconclusive", "sensitivity": 5.0, "noise": 0.6, "calibrated": None}
    analysis["facts"] = [it | own for it in analysis["facts"][:1]]
    told = say("headline", analysis)
    assert told.startswith("No verdict was reached. The largest move so far came from")
    assert "other words" not in told
    analysis["facts"][0]["noise"] = 6.0
    assert "which other words for the same fact do as well" in say("headline", analysis)
    job = worker.workspace.jobs.put(CASE | {"mentions": {}}, {"criterion": "calibrated"})
    worker.workspace.jobs.finish(job.id, "cancelled", "", stored | {"analysis": analysis})
    page = client.get(f"/results/{job.id}/facts").text
    assert "broken off before its verdicts were reached" in page
    assert "verdict not reached" in page and "<dt>inconclusive" not in page
