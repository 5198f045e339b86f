"""Suppose: what goes out and what comes in, against lists worked out from the same retriever."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import unescape
from typing import Any

import pytest
from served_case import analysed, wait_for
from starlette.testclient import TestClient

from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.states import State
from countercase.fact_types.lines import lines_of
from countercase.facts.edits import Edit
from countercase.facts.model import Fact, FactSheet, NumericalKind, NumericalValue
from countercase.law.provisions import provision_name
from countercase.web.pages.suppose import _slider, edits_of
from countercase.web.render import attach, mark_quotes
from countercase.web.worker import Worker
from countercase.web.workspace import Opened


@pytest.fixture
def suppose(client: TestClient, done: str) -> Callable[..., str]:
    """The page of Suppose as it is asked by these fields."""
    return lambda **asked: client.get(f"/results/{done}/suppose", params=asked).text


@pytest.fixture
def opened(worker: Worker, done: str) -> Opened:
    return worker.workspace.opened(worker.workspace.jobs.job(done))


def shown(page: str) -> float:
    found = re.search(r"moves by <strong>([\d.]+)</strong>", page)
    assert found is not None, page
    return float(found[1])


def lists_of(opened: Opened, edits: Sequence[Edit]) -> list[tuple[str, ...]]:
    """The list of the case as it is and that after the edits, from the retriever itself."""
    return [it.case_ids for it in opened.search.rank([State(), State.of(edits)])]


def moved(opened: Opened, *edits: Edit) -> float:
    """How far the edits move the list, as the page rounds it."""
    return round(displacement(*lists_of(opened, edits), 4).mean, 2)


def test_a_known_change_gives_the_list_of_the_tree(
    client: TestClient, opened: Opened, done: str, suppose: Any
) -> None:
    answer = client.get(f"/analyses/{done}").json()
    for link in answer["tree"]["links"]:
        if link["mean_displacement"] is not None:
            wish = link["edit"]["id"]
            assert shown(suppose(e=wish)) == moved(opened, *edits_of(opened, [wish], [], ""))
    assert client.get(f"/analyses/{done}").json() == answer  # nothing that is tried is counted


def decisions(page: str, group: str) -> list[str]:
    """The ids of the decisions of a group: `out`, `in`, `differs` or `same`."""
    return re.findall(rf'<li class="{group}"><a href="/results/\w+/precedents/([^"]+)">', page)


def test_a_fact_left_out_and_two_suppositions_at_once(opened: Opened, suppose: Any) -> None:
    edits = edits_of(opened, ["off:section:IPC-302", "off:evidence:dying_declaration:1"], [], "")
    for own in (edits[:1], edits):
        root, after = lists_of(opened, own)
        page = suppose(e=[f"off:{edit.fact_id}" for edit in own])
        assert shown(page) == moved(opened, *own)
        assert decisions(page, "out") == [case for case in root if case not in after]
        assert decisions(page, "in") == [case for case in after if case not in root]
        stayed = {*decisions(page, "differs"), *decisions(page, "same")}
        assert stayed == {*root} & {*after}
        assert f"{len({*root} - {*after})} of 4 authorities change" in page


def test_what_is_pinned_stands_side_by_side_and_goes_into_the_memo(
    client: TestClient, done: str, suppose: Any
) -> None:
    pins = ["suppose=there+was+no+dying+declaration", "n=numerical%3Aage%3A1%3D17"]
    page = suppose(pin=pins)
    names = [unescape(name) for name in re.findall(r'<h3 id="pin\d">([^<]+)</h3>', page)]
    assert len(names) == 2 and "dying declaration" in names[0] and "17" in names[1]
    pinned = page[page.index('id="pinned-heading"') :]
    assert pinned.count("<strong>The law then:</strong>") == 2 and "would be a minor." in pinned
    assert len(re.findall(r"The list moves by [\d.]+ places on average", pinned)) == 2
    assert "#pin" not in page and page.count(">Take out<") == 2
    memo = client.get(f"/results/{done}/memo.md", params={"pin": pins}).text
    told = re.sub(r"\\(.)", r"\1", memo)
    assert all(name in told for name in names) and "## What was supposed" in told
    too_many = client.get(f"/results/{done}/suppose", params={"pin": pins * 3})
    assert too_many.status_code == 422


def test_a_memo_without_pins_tells_the_strongest_what_ifs(client: TestClient) -> None:
    done = analysed(client, threshold=0)
    facts = client.get(f"/analyses/{done}").json()["analysis"]["facts"]
    moving = [fact for fact in facts if fact["verdict"] == "dispositive"]
    memo = client.get(f"/results/{done}/memo.md").text
    told = re.sub(r"\\(.)", r"\1", memo)
    assert "What would change them" in told and "Nothing was supposed" not in told
    strongest = max(moving, key=lambda fact: fact["sensitivity"])
    assert strongest["supposition"] in unescape(told)


def test_a_what_if_is_offered_in_all_its_words(client: TestClient) -> None:
    """A colon within the words of a fact is not taken for the one before its consequences."""
    text = (
        "The cheque was returned unpaid on 16.10.2024. Legal notice was sent by speed post on "
        "12.11.2024 and received on 15.11.2024. The complaint under section 138 of the Negotiable "
        "Instruments Act was filed on 20.12.2024."
    )
    job = client.post("/analyses", json={"text": text, "options": {"depth": 0}}).json()["id"]
    assert wait_for(client, job)["status"] == "done"
    page = unescape(client.get(f"/results/{job}/suppose").text)
    chips = re.findall(r"<label class=\"chip\">.*?> (.*?)</label>", page)
    assert any("16 October 2024 to 12 November 2024)" in chip for chip in chips)
    assert all(chip.count("(") == chip.count(")") for chip in chips)


def test_states_of_the_tree_lead_to_suppose(client: TestClient, done: str) -> None:
    tree = client.get(f"/analyses/{done}").json()["tree"]
    links = [link for link in tree["links"] if link["mean_displacement"] is not None]
    for link in (links[0], links[-1]):
        answer = client.get(f"/results/{done}/compare", params={"s": link["target"]})
        page = client.get(answer.headers["location"]).text
        assert shown(page) == round(link["mean_displacement"], 2)
        assert sorted(decisions(page, "out")) == sorted(link["dropped"])
    assert client.get(f"/results/{done}/compare?s=none").status_code == 404


def test_a_figure_is_moved_and_the_law_s_lines_are_marked(opened: Opened, suppose: Any) -> None:
    age = opened.sheet.fact("numerical:age:1").value
    assert isinstance(age, NumericalValue)
    eighteen = [line for line in lines_of(opened.sheet, age) if line.line == 18]
    assert f"<strong>18</strong> {provision_name(eighteen[0].provision)}: " in suppose()
    page = suppose(n="numerical:age:1=17")
    [edit] = edits_of(opened, [], ["numerical:age:1=17"], "")
    assert shown(page) == moved(opened, edit)
    supposed, _, follows = edit.supposition.rstrip(".").partition(": ")
    assert f"<h2>{supposed}</h2>" in unescape(page)
    assert follows and f"<strong>The law then:</strong> {follows}." in unescape(page)
    assert "this leaves every fact as it is" in suppose(n="numerical:age:1=24")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"e": "e0000000000"}, "not on offer"),
        ({"e": "off:none"}, "not on offer"),
        ({"e": ["off:section:IPC-302"] * 2}, "choose one"),
        ({"n": "none=3"}, "no such figure"),
        ({"n": "numerical:age:1=x"}, "24 years (accused): &#39;x&#39; could not be read"),
        ({"n": "numerical:age:1=-1"}, "24 years (accused): &#39;-1&#39; could not be read"),
        ({"n": "numerical:age:1=nan"}, "24 years (accused): &#39;nan&#39; could not be read"),
        ({"n": "section:IPC-302=4"}, "no such figure"),
        ({"suppose": "?"}, "supposes nothing"),
        # without the words that were typed
        (
            {"suppose": "section 103 were charged instead of 80"},
            '">Not supposed: the case does not cite',
        ),
    ],
)
def test_what_cannot_be_tried_is_told(suppose: Any, query: dict[str, Any], words: str) -> None:
    page = suppose(**query)
    assert words in page and "moves by" not in page


@pytest.mark.parametrize("written", ["17 years", "17 yrs", "204 months", "17.0"])
def test_a_figure_may_be_written_with_its_unit(opened: Opened, suppose: Any, written: str) -> None:
    [plain] = edits_of(opened, [], ["numerical:age:1=17"], "")
    assert edits_of(opened, [], [f"numerical:age:1={written}"], "") == [plain]
    page = suppose(n=f"numerical:age:1={written}")
    assert f'value="{written}"' in page and "moves by" in page  # as it was typed


def test_a_figure_that_cannot_be_read_keeps_nothing_else_from_being_supposed(suppose: Any) -> None:
    words = "there was no dying declaration"
    page = suppose(suppose=words, n="numerical:age:1=x")
    assert page.count('role="alert"') == 1 and "could not be read" in page
    assert shown(page) == shown(suppose(suppose=words))
    pinned = re.search(r'id="pin" href="([^"]+)"', page)
    assert pinned and "numerical" not in pinned[1]  # what is pinned is what was measured


def test_a_supposition_in_words_is_read_as_the_fact_it_names(opened: Opened, suppose: Any) -> None:
    [edit] = edits_of(opened, [], [], "there was no dying declaration")
    assert (edit.fact_id, edit.operation) == ("evidence:dying_declaration:1", "deny")
    page = suppose(suppose="there was no dying declaration")
    assert f"<h2>{edit.supposition.rstrip('.')}</h2>" in unescape(page)
    assert shown(page) == moved(opened, edit)


def test_a_supposition_that_no_reader_knows_is_measured_and_says_so(suppose: Any) -> None:
    page = suppose(suppose="the moon were of cheese")
    assert "Suppose the moon were of cheese" in page
    assert "It is put to no fact" in page
    assert "Taken as it stands:" in page and "We read:" not in page
    assert "rewording alone changes" in page  # by other facts: it has no other words itself
    assert shown(page) >= 0


def test_htmx_gets_the_result_alone(client: TestClient, done: str) -> None:
    address = f"/results/{done}/suppose?e=off:section:IPC-302"
    part = client.get(address, headers={"HX-Request": "true"}).text
    assert "<html" not in part and "<form" not in part
    assert shown(part) >= 0


def test_quotes_are_found_across_line_breaks() -> None:
    text = "First.\n\nThe  blow\nwas one. Last. The blow was one."
    assert mark_quotes(text, ["The blow was one."]) == [
        ("First.\n\n", False), ("The  blow\nwas one.", True), (" Last. The blow was one.", False),
    ]  # fmt: skip
    assert mark_quotes(text, ["absent", ""]) == [(text, False)]


def test_each_fact_is_taken_out_by_one_chip_alone(opened: Opened, suppose: Any) -> None:
    chips = re.findall(r'name="e" value="([^"]+)" data-fact="([^"]+)"', unescape(suppose()))
    for fact in opened.sheet.facts:
        own = [wish for wish, fact_id in chips if fact_id == fact.fact_id]
        gone = [it for it in own if it.startswith("off:") or opened.proposed[it].after is None]
        assert len(gone) == 1, fact.fact_id
    [off] = edits_of(opened, ["off:party:petitioner"], [], "")
    party = off.supposition  # in a reader's words
    assert "Individual" not in party and "private individual" in party


@pytest.mark.parametrize(
    ("kind", "value", "unit", "step", "high"),
    [("duration", 10.0, "years", 1.0, 15.0), ("amount", 437_512.0, "INR", 1000.0, 657_000.0),
     ("quantity", 5.014, "kg", 0.01, 7.53)],
)  # fmt: skip
def test_a_slider_has_round_steps_and_a_round_end(
    kind: NumericalKind, value: float, unit: str, step: float, high: float
) -> None:
    fact = Fact("numerical:1", "Numerical", NumericalValue(kind, value, unit, "of it"))
    slider = _slider(FactSheet("own", "", (fact,)), fact)
    assert slider is not None and (slider["step"], slider["high"]) == (step, high)


def test_the_name_of_a_file_is_cut_at_a_word() -> None:
    title = "Our client is the mother-in-law. Her son Rakesh married Sunita in February of 2012."
    kept = attach("memo.docx", b"", title).headers["content-disposition"]
    assert "her-son-rakesh-married-memo.docx" in kept.lower()


def test_without_scripts_the_boxes_of_numbers_are_asked(suppose: Any) -> None:
    boxes = re.findall(r'name="(n:[^"]+)"[^>]* value="([^"]+)"', suppose())
    assert boxes == [("n:numerical:age:1", "24")]
    assert "moves by" not in suppose(**dict(boxes), n="")
    moved = suppose(**{"n:numerical:age:1": "17"}, n="")
    assert shown(moved) == shown(suppose(n="numerical:age:1=17"))
    again = suppose(**{"n:numerical:age:1": "16"}, n="numerical:age:1=17")
    assert shown(again) == shown(suppose(n="numerical:age:1=16"))


def test_a_state_of_the_tree_leads_to_the_answer(client: TestClient, done: str) -> None:
    state = client.get(f"/analyses/{done}").json()["tree"]["links"][0]["target"]
    answer = client.get(f"/results/{done}/compare", params={"s": state})
    assert answer.headers["location"].endswith("#suppose-result")
