"""What-ifs: the list under changes, against displacements worked out from the same retriever."""

from __future__ import annotations

import re
from html import unescape

import pytest
from served_case import CASE
from starlette.testclient import TestClient

from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.states import State
from countercase.fact_types.lines import lines_of
from countercase.facts.model import FactSheet, NumericalValue
from countercase.law.provisions import provision_name
from countercase.web.pages.views import Place, compare_lists, mark_facts, mark_quotes
from countercase.web.pages.what_if import edits_of
from countercase.web.worker import Worker


def shown(page: str) -> float:
    found = re.search(r"moves by <strong>([\d.]+)</strong>", page)
    assert found is not None, page
    return float(found[1])


def test_a_known_change_gives_the_list_of_the_tree(
    client: TestClient, worker: Worker, done: str
) -> None:
    answer = client.get(f"/analyses/{done}").json()
    opened = worker.workspace.opened(worker.workspace.jobs.job(done))
    for link in answer["tree"]["links"]:
        if link["mean_displacement"] is None:
            continue
        wish = link["edit"]["id"]
        changed = State.of(edits_of(opened, [wish], [], ""))
        root, after = (ranking.case_ids for ranking in opened.search.rank([State(), changed]))
        page = client.get(f"/results/{done}/what-if", params={"e": wish}).text
        assert shown(page) == round(displacement(root, after, 4).mean, 2)
    assert client.get(f"/analyses/{done}").json() == answer  # nothing that is tried is counted


def test_a_fact_switched_off_and_two_changes_with_their_interaction(
    client: TestClient, worker: Worker, done: str
) -> None:
    opened = worker.workspace.opened(worker.workspace.jobs.job(done))
    edits = [opened.without["section:IPC-302"], opened.without["evidence:dying_declaration:1"]]
    alone = [State.of([edit]) for edit in edits]
    states = [State(), *alone, State.of(edits)]
    root, first, second, both = (ranking.case_ids for ranking in opened.search.rank(states))
    moves = [displacement(root, ids, 4).mean for ids in (first, second, both)]
    wishes = [f"off:{edit.fact_id}" for edit in edits]
    page = client.get(f"/results/{done}/what-if", params={"e": wishes[:1]}).text
    assert shown(page) == round(moves[0], 2)
    assert 'id="interaction"' not in page
    page = client.get(f"/results/{done}/what-if", params={"e": wishes}).text
    assert shown(page) == round(moves[2], 2)
    assert f"Interaction {moves[2] - moves[0] - moves[1]:+.2f}" in page
    assert f"({moves[0]:.2f} + {moves[1]:.2f})" in page


def test_a_figure_is_moved_and_the_law_s_lines_are_marked(
    client: TestClient, worker: Worker, done: str
) -> None:
    page = client.get(f"/results/{done}/what-if").text
    workspace = worker.workspace
    sheet = workspace.sheet_of(CASE)
    age = sheet.fact("numerical:age:1").value
    assert isinstance(age, NumericalValue)
    eighteen = [line for line in lines_of(sheet, age) if line.line == 18]
    assert eighteen and f"<strong>18</strong> {provision_name(eighteen[0].provision)}: " in page
    moved = client.get(f"/results/{done}/what-if", params={"n": "numerical:age:1=17"}).text
    opened = workspace.opened(workspace.jobs.job(done))
    [edit] = edits_of(opened, [], ["numerical:age:1=17"], "")
    lists = [ranking.case_ids for ranking in opened.search.rank([State(), State.of([edit])])]
    assert shown(moved) == round(displacement(*lists, 4).mean, 2)
    assert edit.supposition in unescape(moved)
    same = client.get(f"/results/{done}/what-if", params={"n": "numerical:age:1=24"}).text
    assert "Suppose a fact otherwise, and the list stands here" in same


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"e": "e0000000000"}, "not on offer"),
        ({"e": "off:none"}, "not on offer"),
        ({"e": ["off:section:IPC-302"] * 2}, "choose one"),
        ({"n": "none=3"}, "could not be read"),
        ({"n": "numerical:age:1=x"}, "could not be read"),
        ({"n": "numerical:age:1=-1"}, "cannot be moved"),
        ({"n": "section:IPC-302=4"}, "cannot be moved"),
        ({"suppose": "?"}, "supposes nothing"),
    ],
)
def test_what_cannot_be_tried_is_told(
    client: TestClient, done: str, query: dict[str, str], words: str
) -> None:
    answer = client.get(f"/results/{done}/what-if", params=query)
    assert answer.status_code == 200
    assert words in answer.text
    assert "moves by" not in answer.text


def test_a_supposition_in_words_is_read_as_the_fact_it_names(
    client: TestClient, worker: Worker, done: str
) -> None:
    opened = worker.workspace.opened(worker.workspace.jobs.job(done))
    [edit] = edits_of(opened, [], [], "there was no dying declaration")
    assert (edit.fact_id, edit.operation) == ("evidence:dying_declaration:1", "deny")
    page = client.get(
        f"/results/{done}/what-if", params={"suppose": "there was no dying declaration"}
    ).text
    assert edit.supposition in unescape(page)
    lists = [ranking.case_ids for ranking in opened.search.rank([State(), State.of([edit])])]
    assert shown(page) == round(displacement(*lists, 4).mean, 2)


def test_a_supposition_that_no_reader_knows_is_measured_and_says_so(
    client: TestClient, done: str
) -> None:
    page = client.get(
        f"/results/{done}/what-if", params={"suppose": "the moon were of cheese"}
    ).text
    assert "Suppose the moon were of cheese." in page
    assert "No fact was read in it" in page
    assert shown(page) >= 0


def test_htmx_gets_the_result_alone(client: TestClient, done: str) -> None:
    part = client.get(
        f"/results/{done}/what-if",
        params={"e": "off:section:IPC-302"},
        headers={"HX-Request": "true"},
    ).text
    assert "<html" not in part and "<form" not in part
    assert shown(part) >= 0


def test_lists_beside_each_other_by_hand() -> None:
    column = compare_lists(["a", "b", "c"], ["b", "d", "a"], {"a": "Alpha"}, 3, 1.0)
    assert column.places == (
        Place("b", "b", 1, 2, True),
        Place("d", "d", 2, 0),
        Place("a", "Alpha", 3, 1),
        Place("c", "c", 0, 3),
    )
    assert [place.words for place in column.places] == [
        "up 1, was 2", "new in the list", "down 2, was 1", "left the list, was 3",
    ]  # fmt: skip
    assert column.mean == (1 + 2 + 2 + 1) / 4


def test_the_narrative_is_cut_at_the_facts(worker: Worker) -> None:
    sheet: FactSheet = worker.workspace.sheet_of(CASE)
    pieces = mark_facts(sheet, ["section:IPC-302"])
    assert "".join(piece.text for piece in pieces) == CASE["text"]
    [section] = [piece for piece in pieces if "Section" in piece.kinds]
    assert (section.text, section.own) == ("section 302", True)


def test_quotes_are_found_across_line_breaks() -> None:
    text = "First.\n\nThe  blow\nwas one. Last. The blow was one."
    assert mark_quotes(text, ["The blow was one."]) == [
        ("First.\n\n", False), ("The  blow\nwas one.", True), (" Last. The blow was one.", False),
    ]  # fmt: skip
    assert mark_quotes(text, ["absent", ""]) == [(text, False)]
