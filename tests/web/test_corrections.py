"""Corrections of what was read out of a case: undone one by one, and nothing typed is lost."""

from __future__ import annotations

import html
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from served_case import CASE, analysed, facts_of, pasted, wait_for
from starlette.testclient import TestClient

from countercase.web.worker import Worker


@pytest.fixture
def case(client: TestClient, worker: Worker) -> str:
    return f"/cases/{worker.workspace.jobs.put_case(CASE)}"


def post(client: TestClient, case: str, **form: str) -> Any:
    return client.post(f"{case}/facts", data=form)


def value_of(page: str, name: str, form: str) -> list[str]:
    """The values of a field in the forms whose text has `form`."""
    forms = [it for it in re.findall(r"(?s)<form .*?</form>", page) if form in it]
    return [
        html.unescape(value)
        for it in forms
        for value in re.findall(rf'name="{name}" value="([^"]*)"', it)
    ]


def test_corrections_are_undone_one_by_one_the_last_first(client: TestClient, case: str) -> None:
    assert "Undo the last" not in client.get(case).text
    post(client, case, action="add", fact_type="Section", provision="s. 34 IPC")
    between = facts_of(client, case)
    post(client, case, action="remove", fact_id="section:IPC-302")
    assert "2 corrections saved" in client.get(case).text
    assert post(client, case, action="undo").status_code == 303
    assert facts_of(client, case) == between
    assert "1 correction saved" in client.get(case).text
    post(client, case, action="undo")
    assert facts_of(client, case) == CASE
    post(client, case, action="undo")  # nothing is left to be undone
    assert facts_of(client, case) == CASE
    post(client, case, action="date", occurred_on="", title=CASE["title"])  # changes nothing
    assert "Undo the last" not in client.get(case).text


AGE = {"kind": "age", "value": "23", "unit": "years", "context": "accused"}


def test_what_was_corrected_is_put_back_in_its_place_and_not_beside_it(
    client: TestClient, worker: Worker
) -> None:
    case = pasted(client)
    first = facts_of(client, case)
    post(client, case, action="change", fact_id="numerical:age:1", **AGE)
    assert [it["value"] for it in facts_of(client, case)["numerical_facts"]["ages"]] == [23]
    page = client.get(case).text
    assert "put back as first read" in page and "→ 23 years" in page
    post(client, case, action="put_back", fact_id="numerical:age:1")
    assert facts_of(client, case) == first
    post(client, case, action="remove", fact_id="numerical:age:1")
    assert "put back as first read" not in client.get(case).text  # it was taken out
    post(client, case, action="add", fact_type="Numerical", **{**AGE, "context": "victim"})
    post(client, case, action="put_back", fact_id="numerical:age:1")
    ages = facts_of(client, case)["numerical_facts"]["ages"]
    assert sorted(it["value"] for it in ages) == [23, 24]  # what was added stays


def test_a_fact_that_no_text_tells_is_put_back_in_the_place_of_its_correction(
    client: TestClient, worker: Worker
) -> None:
    stated = {**CASE, "text": ""}
    case = f"/cases/{worker.workspace.jobs.put_case(stated)}"
    post(client, case, action="change", fact_id="numerical:age:1", **AGE)
    post(client, case, action="put_back", fact_id="numerical:age:1")
    assert facts_of(client, case)["numerical_facts"] == CASE["numerical_facts"]


def test_an_analysis_says_that_its_case_was_corrected_since_and_is_deleted_with_it(
    client: TestClient, worker: Worker
) -> None:
    case = pasted(client)
    number, jobs = case.rpartition("/")[2], worker.workspace.jobs
    results = f"/results/{analysed(client, case, depth='0')}"
    other = analysed(client, depth=0)
    pages = [f"{results}{tab}" for tab in ("", "/suppose", "/facts", "/tree")]
    assert all('id="corrected"' not in client.get(page).text for page in pages)
    post(client, case, action="change", fact_id="numerical:age:1", **AGE)
    assert all('id="corrected"' in client.get(page).text for page in pages)
    post(client, case, action="undo")
    assert all('id="corrected"' not in client.get(page).text for page in pages)
    post(client, case, action="remove", fact_id="section:IPC-302")
    assert jobs.changes(number) == 1
    page = client.get(case).text
    assert page.index("Delete this case") < page.index(f'action="{case}/delete"')
    assert client.post(f"{case}/delete").status_code == 303
    assert jobs.changes(number) == 0  # no earlier reading is left
    for gone in (case, results, f"{results}/memo.md", f"{results}/report.docx"):
        assert client.get(gone).status_code == 404
    assert client.get(f"/results/{other}").status_code == 200
    assert results not in client.get("/").text


def test_an_analysis_without_its_case_has_no_dead_links(client: TestClient, worker: Worker) -> None:
    jobs = worker.workspace.jobs
    stored = worker.workspace.stored_of(worker.workspace.sheet_of(CASE))
    job = jobs.put(stored, {"depth": 0}, "0" * 16)
    worker.woken.set()
    assert wait_for(client, job.id)["status"] == "done"
    for tab in ("", "/facts", "/suppose"):
        assert "/cases/0" not in client.get(f"/results/{job.id}{tab}").text


def test_the_page_says_what_was_not_read(client: TestClient) -> None:
    told = client.post("/cases", data={"text": "The notification was of 3 May 2015."})
    page = client.get(told.headers["location"]).text
    assert "No provision was read" in page and "No party was read" in page
    page = client.get(pasted(client)).text
    assert "No provision was read" not in page and "No party was read" not in page


@pytest.mark.parametrize(
    ("written", "day"),
    [("3.1.2019", "2019-01-03"), ("3 January 2019", "2019-01-03"), ("2019-01-03", "2019-01-03"),
     ("3rd Jan, 2019", "2019-01-03"), ("1/2019", "2019-01"), ("Jan 2019", "2019-01"),
     ("2019-01", "2019-01"), ("2019", "2019")],
)  # fmt: skip
def test_a_date_is_read_as_written(client: TestClient, case: str, written: str, day: str) -> None:
    assert post(client, case, action="date", occurred_on=written, title="A").status_code == 303
    assert facts_of(client, case)["occurred_on"] == day
    [shown] = value_of(client.get(case).text, "occurred_on", 'value="date"')
    again = post(client, case, action="date", occurred_on=shown, title="A")
    assert again.status_code == 303 and facts_of(client, case)["occurred_on"] == day


@pytest.mark.parametrize("written", ["31.2.2019", "13/2019", "soon", "2019-02-30"])
def test_what_is_no_date_is_refused_and_stays_as_it_was_typed(
    client: TestClient, case: str, written: str
) -> None:
    answer = post(client, case, action="date", occurred_on=written, title="B & C v. D")
    assert answer.status_code == 400 and "is no date" in answer.text
    assert value_of(answer.text, "occurred_on", 'value="date"') == [written]
    assert value_of(answer.text, "title", 'value="date"') == ["B & C v. D"]


def test_a_refused_correction_keeps_what_was_typed(client: TestClient, case: str) -> None:
    age = {"kind": "age", "value": "twenty <4>", "unit": "years", "context": "the victim"}
    answer = post(client, case, action="change", fact_id="numerical:age:1", **age)
    assert answer.status_code == 400
    own = 'name="fact_id" value="numerical:age:1"'
    assert value_of(answer.text, "value", own) == ["twenty <4>"]
    assert value_of(answer.text, "context", own) == ["the victim"]
    assert re.search(r'<details id="d-numerical:age:1" open>', answer.text)
    added = post(client, case, action="add", fact_type="Section", provision="gibberish")
    assert value_of(added.text, "provision", 'value="Section"') == ["gibberish"]


def test_what_another_version_of_the_case_was_corrected_by_is_not_saved(
    client: TestClient, worker: Worker, case: str
) -> None:
    page = client.get(case).text
    [seen] = {*re.findall(r'name="seen" value="(\w+)"', page)}
    assert page.count('name="seen"') == page.count(f'action="{case}/facts"')
    add = {"action": "add", "fact_type": "Evidence", "evidence_type": "motive", "seen": seen}
    assert [post(client, case, **add).status_code for _ in range(2)] == [303, 400]
    once = facts_of(client, case)
    assert len(once["evidence_items"]) == len(CASE["evidence_items"]) + 1
    for form in ({"action": "remove"}, {"action": "change", **AGE}):
        stale = post(client, case, fact_id="numerical:age:1", seen=seen, **form)
        assert stale.status_code == 400 and "load the page again" in stale.text
    assert post(client, case, action="undo", seen=seen).status_code == 400
    assert facts_of(client, case) == once


def test_of_corrections_at_once_none_is_lost_without_a_word(client: TestClient, case: str) -> None:
    def add(number: int) -> int:
        provision = f"IPC-{number}"
        answer = post(client, case, action="add", fact_type="Section", provision=provision)
        return int(answer.status_code)

    with ThreadPoolExecutor(8) as pool:
        saved = [*pool.map(add, range(310, 318))].count(303)
    assert saved and len(facts_of(client, case)["sections_cited"]) == 1 + saved


def test_a_damaged_correction_takes_the_place_of_no_good_case(
    client: TestClient, worker: Worker, case: str
) -> None:
    post(client, case, action="remove", fact_id="section:IPC-302")
    good, number = facts_of(client, case), case.rpartition("/")[2]
    damage = "UPDATE changes SET case_file = replace(case_file, 'Ramu', 'Raju') WHERE id = ?"
    worker.workspace.jobs._do(damage, number)
    answer = post(client, case, action="undo")
    assert answer.status_code == 400 and "before is damaged" in answer.text
    assert facts_of(client, case) == good


@pytest.mark.parametrize(
    "wrong",
    [{"unit": "USD"}, {"unit": "kg"}, {"value": "1e308", "unit": "crore"}, {"value": "1_7"},
     {"value": "1,,2"}, {"value": "12,"}, {"value": "-1"}, {"upper": "1e400"},
     {"fact_type": "PartyType", "party_type": "Individual", "side": "zzz"}],
)  # fmt: skip
def test_what_no_fact_can_hold_is_refused(
    client: TestClient, case: str, wrong: dict[str, str]
) -> None:
    sum_ = {"fact_type": "Numerical", "kind": "amount", "value": "1,00,000.50", "unit": "INR"}
    assert post(client, case, action="add", **(sum_ | wrong)).status_code == 400
    assert facts_of(client, case) == CASE
    assert post(client, case, action="add", **sum_).status_code == 303


def test_each_mark_leads_to_the_form_of_its_fact(client: TestClient, case: str) -> None:
    page = client.get(case).text
    rows = set(re.findall(r'<li id="fact-([^"]+)"', page))
    marks = re.findall(r'<a class="correct" href="#fact-([^"]+)"><mark', page)
    assert marks and set(marks) <= rows


TEXT = (
    "Father of the bride, 54, says she was beaten for money. My client cut his hand when he broke "
    "the lock. The sale deed was filed on 4 May 2019; a photocopy of the deed is on record. Both "
    "are charged under section 498A of the Indian Penal Code."
)


def test_a_correction_leaves_the_other_facts_in_place(client: TestClient, worker: Worker) -> None:
    """The page ranks the same residue of the narrative as the command line does."""
    workspace = worker.workspace
    sheet = workspace.read_text(TEXT)
    number = workspace.jobs.put_case(workspace.stored_of(sheet))
    post(client, f"/cases/{number}", action="add", fact_type="Section", provision="s. 34 IPC")
    now, first = map(workspace.sheet_of, workspace.jobs.case(number))
    assert first == sheet and len(now.facts) == len(sheet.facts) + 1
    assert set(sheet.facts) < set(now.facts)


def test_a_pasted_case_is_called_by_its_title_or_by_its_opening_words(
    client: TestClient, worker: Worker
) -> None:
    workspace = worker.workspace
    for title, name in (("", "Father of the bride, 54, says she was beaten for money. …"),
                        ("Sita v. Ram", "Sita v. Ram")):  # fmt: skip
        sheet = workspace.read_text(TEXT, title)
        number = workspace.jobs.put_case(workspace.stored_of(sheet))
        assert f"<h1>{name}</h1>" in client.get(f"/cases/{number}").text
        job = client.post(f"/cases/{number}/analyze").headers["location"]
        assert workspace.jobs.job(job.rpartition("/")[2]).title == name


def test_a_mention_that_is_no_place_is_unreadable(client: TestClient, worker: Worker) -> None:
    stored = worker.workspace.stored_of(worker.workspace.read_text(TEXT))
    stored["mentions"] = {"section:IPC-498A": [{"start": 9, "end": 2}]}
    number = worker.workspace.jobs.put_case(stored)
    assert client.get(f"/cases/{number}").status_code == 410
