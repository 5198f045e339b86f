"""What a supposition does to the authorities, and the memo that says it, by hand."""

from __future__ import annotations

from dataclasses import asdict, replace
from io import BytesIO
from typing import Any

import pytest
from decided_by_hand import BY_HAND, CORPUS, SHEET, SOURCE, analysis
from docx import Document
from handmade import EVIDENCE, NULL, SECTION, result

from countercase.corpus.casebook.records import RECORDS
from countercase.counterfactual.proposals import propose
from countercase.counterfactual.sensitivity import NullMove
from countercase.counterfactual.states import State
from countercase.counterfactual.suppose import read_suppositions
from countercase.facts.edits import Change
from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue
from countercase.registry import FACT_TYPES
from countercase.reports.counsel.authorities import Records
from countercase.reports.counsel.memo import (
    MEMO_FILES,
    Memo,
    find_smallest_changes,
    memo_of,
    suppose_list,
)
from countercase.reports.tree_files import edit_document
from countercase.reports.view import View, find_strongest
from countercase.reports.wording import say


@pytest.fixture(autouse=True)
def corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECORDS, "by hand", lambda: BY_HAND)  # type: ignore[arg-type]


def test_a_supposition_marks_the_same_facts_otherwise() -> None:
    [edit] = read_suppositions(SHEET, ["the marriage had lasted 8 years"]).edits
    before, after = ["won", "lost", "in part"], ["lost", "state won", "in part"]
    told = suppose_list(Records(CORPUS, SHEET), [edit], before, after, 3, [before, after])
    assert [it.authority.case_id for it in told.out] == ["won"]
    assert [it.authority.case_id for it in told.came] == ["state won"]
    assert [it.authority.case_id for it in told.differs] == ["lost", "in part"]
    assert {point.mark for it in told.differs for point in it.now} == {"differs"}
    assert [(it.before, it.rank) for it in told.differs] == [(2, 1), (3, 3)]
    assert told.summary == "1 of 3 authorities changes; rewording alone changes 1."
    assert told.name == "Suppose the marriage had lasted 8 years"
    assert "80" in told.readings[0].edit.follows


def test_the_memo_says_the_same_in_each_form_and_is_the_same_every_time() -> None:
    records = Records(CORPUS, SHEET, source=SOURCE)
    [edit] = read_suppositions(SHEET, ["the marriage had lasted 8 years"]).edits
    told = suppose_list(records, [edit], ["won", "lost"], ["lost"], 2)
    memo = Memo(analysis(), records, [told])
    words = ("For Vinod (accused)", "Against you", "2016 INSC 1, [2016] 1 S.C.R. 1",
             "Not measured: 5 years; Vinod.", edit.supposition,
             "which turned on section 304B IPC (this case: differs; before: same)")  # fmt: skip
    text = str(MEMO_FILES["memo.md"](memo)).replace("\\", "")
    page = str(MEMO_FILES["memo.html"](memo))
    assert all(word in text and word in page for word in words)
    docx = MEMO_FILES["memo.docx"](memo)
    assert docx == MEMO_FILES["memo.docx"](Memo(analysis(), records, [told]))
    assert len(text.split()) < 900  # two pages
    url = records.authority("won").url
    link = f'<a href="{url.replace("&", "&amp;")}" rel="noreferrer">judgment</a>'
    assert link in page and f"[judgment](<{url}>)" in text
    word = Document(BytesIO(bytes(docx)))  # type: ignore[arg-type]
    links = [link for it in word.paragraphs for link in it.hyperlinks]
    assert [(links[0].text, links[0].address)] == [("judgment", url)]
    assert len(links) == len(BY_HAND)
    assert "judgment</a>" not in Memo(analysis(), Records(CORPUS, SHEET)).page


def tree_of(**lists: str) -> dict[str, Any]:
    """Data of tree.json: the list of each state, by the edits that lead to it."""
    edits = {"x": "Suppose it had rained: the road was wet.", "y": "Suppose it were night.",
             "z": "Suppose nobody had seen it."}  # fmt: skip
    return {
        "nodes": [
            {"id": name, "edits": [] if name == "root" else list(name),
             "ranking": [{"case_id": case} for case in cases]}
            for name, cases in lists.items()
        ],
        "links": [
            {"edit": {"id": it, "supposition": said, "supposed": said.partition(":")[0].rstrip(".")}}
            for it, said in edits.items()
        ],
    }  # fmt: skip


def test_the_smallest_change_has_the_fewest_suppositions_and_then_changes_least_else() -> None:
    """a goes out after x and y together and after z alone; b after y, and after z, which takes a too."""
    found = find_smallest_changes(tree_of(root="abc", xy="bcd", z="cde", y="acf", x="abc"))
    told = {case: (it.state, it.name) for case, it in found.items()}
    assert told == {
        "a": ("z", "Suppose nobody had seen it"), "b": ("y", "Suppose it were night"),
        "d": ("z", "Suppose nobody had seen it"), "e": ("z", "Suppose nobody had seen it"),
        "f": ("y", "Suppose it were night"),
    }  # fmt: skip
    found = find_smallest_changes(tree_of(root="ab", xy="bc", z=""))  # z was refused
    assert found["c"].name == "Suppose it had rained and suppose it were night"
    assert found["a"] == found["c"] and "b" not in found


def test_a_supposition_is_told_without_what_follows_from_it_whatever_colons_that_holds() -> None:
    """The period that falls with the return memo has a colon within its own name."""
    own = extract(
        "The cheque came back with a return memo on 16.10.2024. Notice was sent on 12.11.2024 and "
        "the complaint under section 138 of the Negotiable Instruments Act filed on 20.12.2024."
    )
    edits = [edit for edit in propose(own) if edit.fact_id == "evidence:documentary:1"]
    removed = next(edit for edit in edits if edit.operation == "remove")
    assert "(dishonour to notice: 16 October 2024 to 12 November 2024) falls" in removed.supposition
    assert removed.supposed == "Suppose the return memo were left out of account"
    told = suppose_list(Records(CORPUS, own), [removed], ["won"], ["won"], 1)
    assert told.name == removed.supposed
    document = {"links": [{"edit": edit_document(removed, own)}], "nodes": [
        {"id": "root", "edits": [], "ranking": [{"case_id": "won"}]},
        {"id": "s", "edits": [removed.edit_id], "ranking": [{"case_id": "lost"}]},
    ]}  # fmt: skip
    assert find_smallest_changes(document)["won"].name == removed.supposed
    del document["links"][0]["edit"]["supposed"]  # as earlier versions stored it
    assert find_smallest_changes(document)["won"].name == removed.supposition.rstrip(".")


@pytest.mark.parametrize(
    ("moved", "said"),
    [(1.0, "No what-if changes these authorities"), (None, "Nothing was supposed.")],
)
def test_a_memo_of_no_change_says_whether_any_was_tried(moved: float | None, said: str) -> None:
    fact = analysis()["facts"][0] | {"sensitivity": moved, "verdict": "not tried"}
    memo = Memo(analysis() | {"facts": [fact]}, Records(CORPUS, SHEET), pinned=False)
    for kind in ("html", "md"):
        assert said in str(MEMO_FILES[f"memo.{kind}"](memo)).replace("\\", "")


def test_a_what_if_after_which_a_decision_goes_is_told_though_no_fact_moves_the_list() -> None:
    """Of two with one result it is the one that goes further beyond other words."""

    def link(fact_id: str, moved: float, *dropped: str) -> dict[str, Any]:
        return {"source": "root", "target": fact_id, "mean_displacement": moved,
                "edit": {"fact_id": fact_id, "rule": ""}, "dropped": list(dropped)}  # fmt: skip

    lists = {"root": "ab", "x": "ac", "y": "ac", "z": "ba"}
    tree = {
        "nodes": [{"id": name, "ranking": [{"case_id": it} for it in own]}
                  for name, own in lists.items()],
        "links": [link("x", 0.9, "b"), link("y", 0.8, "b"), link("z", 0.7)],
    }  # fmt: skip
    facts = [{"fact_id": name, "verdict": "not dispositive", "sensitivity": 0.9, "noise": noise}
             for name, noise in (("x", 0.4), ("y", None), ("z", None))]  # fmt: skip
    assert [it["target"] for it in find_strongest({"facts": facts}, tree)] == ["y"]
    facts[2]["verdict"] = "dispositive"
    assert [it["target"] for it in find_strongest({"facts": facts}, tree)] == ["z", "y"]


def test_a_memo_names_every_decision() -> None:
    [edit] = read_suppositions(SHEET, ["the marriage had lasted 8 years"]).edits
    before = [it["case_id"] for it in BY_HAND]
    told = suppose_list(Records(CORPUS, SHEET), [edit], before, [], 7)
    text = str(MEMO_FILES["memo.md"](Memo(analysis(), Records(CORPUS, SHEET), [told])))
    changed = text[text.index("## What was supposed") :]
    assert all(it["title"] in changed for it in BY_HAND)
    assert "4 more" not in text


def test_a_memo_quotes_the_whole_clause_of_what_is_missing() -> None:
    own = extract(
        "Police say no independent witness was available at 2.15 am, though a dhaba was open. The "
        "charge is under section 20 of the NDPS Act."
    )
    [fact] = (it for it in own.of_type("Evidence") if "safeguard" in it.fact_id)
    told = FACT_TYPES.get("Evidence").state(own, fact)
    row = {"fact_type": "Evidence", "label": "", "statement": told, "added": False,
           "sensitivity": None, "detail": asdict(fact.value_as(EvidenceValue))}  # fmt: skip
    memo = Memo(analysis() | {"facts": [row]}, Records(CORPUS, SHEET))
    assert "witness was available at 2.15 am, though a dhaba was open" in memo.page


def test_what_is_kept_in_the_words_of_a_supposition_is_read_as_one() -> None:
    [edit] = read_suppositions(SHEET, ['"the bag were on his person"']).edits
    told = suppose_list(Records(CORPUS, SHEET), [edit], ["won"], ["won"], 1)
    page = Memo(analysis(), Records(CORPUS, SHEET), [told]).page
    assert "<b>Read as:</b> Suppose the bag were on his person.</p>" in page


def test_a_what_if_is_held_against_other_words_for_its_own_fact_alone() -> None:
    """What falls with the fact was supposed by nobody: its other words count for nothing here."""
    apart = replace(NULL, fact_id=EVIDENCE.fact_id)
    made = result(nulls=(NullMove(NULL, 0.0, ("a", "b", "c")), NullMove(apart, 2.0, ("x", "y"))))
    falls = Change(EVIDENCE.fact_id, "Evidence", "remove", EVIDENCE.before, None)
    tree, state = made.analysis.tree, State.of([edit := replace(SECTION, consequences=(falls,))])
    edge = tree.children["root"].pop(State.of([SECTION]).state_id)
    tree.put(replace(tree.node(edge.target), state=state))
    tree.connect(replace(edge, edit=edit, target=state.state_id))
    assert [it.reworded for it in memo_of(View(made)).supposed][:1] == [0]


def test_circumstances_stand_apart_from_evidence() -> None:
    facts = [
        {"fact_type": "Evidence", "label": said, "statement": said, "added": False,
         "sensitivity": None, "detail": {"evidence_type": kind, "description": said,
                                         "strength": "full"}}
        for kind, said in (("documentary", "a letter"), ("circumstance", "she applied in May"))
    ]  # fmt: skip
    memo = Memo(analysis() | {"facts": facts}, Records(CORPUS, SHEET))
    text = str(MEMO_FILES["memo.md"](memo))
    assert "- **Evidence**: a letter\n- **Circumstances**: she applied in May\n" in text


def test_a_decision_that_turned_on_what_is_supposed_is_to_be_compared() -> None:
    """Its mark stays, but nobody knows that it is the same: it is neither left out nor called so."""
    [edit] = read_suppositions(SHEET, ["the marriage had lasted 6 years"]).edits
    told = suppose_list(Records(CORPUS, SHEET), [edit], ["lost", "open"], ["lost", "open"], 2)
    assert [it.authority.case_id for it in told.compare] == ["lost"]
    assert [point.mark for point in told.compare[0].near] == ["same side"]
    assert [it.authority.case_id for it in told.others] == ["open"]
    assert "not known" in say("others_stay", told)
