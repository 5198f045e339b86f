"""Which way decisions went, what they turned on, and what a supposition does to them, by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from docx import Document

from countercase.corpus.casebook.records import RECORDS
from countercase.counterfactual.proposals import propose
from countercase.counterfactual.suppose import read_suppositions
from countercase.facts.case_file import sheet_from_case
from countercase.facts.case_schema import CaseFile
from countercase.facts.extraction import extract
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.reports.counsel.authorities import Brief, Records
from countercase.reports.counsel.marks import mark_fact
from countercase.reports.counsel.memo import MEMO_FILES, Memo, find_smallest_changes, suppose_list
from countercase.reports.tree_files import edit_document
from countercase.reports.wording import say

CORPUS = {"name": "by hand", "checksum": "0"}
SOURCE = "https://example.org/find?q={title}&c={citation}&id={case_id}"


def party(name: str, kind: str, role: str = "") -> dict[str, str]:
    return {"name": name, "type": kind, "role": role}


ACCUSED = party("Vinod", "Individual", "accused")
STATE = party("State of Bihar", "State", "prosecution")


def party_fact(side: Any, role: str) -> Fact:
    return Fact(f"party:{side}", "PartyType", PartyValue(side, "Individual", "", role))


def record(case_id: str, outcome: str, petitioner: Any, respondent: Any, **more: Any) -> Any:
    """A record of the casebook, of a dowry death at six years that turned on all its facts."""
    return {
        "case_id": case_id,
        "title": f"{petitioner['name']} v. {respondent['name']}",
        "outcome": outcome,
        "parties": {"petitioner": petitioner, "respondent": respondent},
        "facts": "She died six years after the marriage.",
        "sections_cited": ["IPC-304B", "IPC-302"],
        "evidence_items": [{"evidence_type": "dying_declaration", "description": "to a doctor"}],
        "numerical_facts": {"durations": [{"value": 6, "unit": "years", "context": "of marriage"}]},
        "dispositive": [{"fact": f"point of {case_id}", "why": "so it was"}],
        "turned_on": ["section:IPC-304B", "section:IPC-302", "evidence:dying_declaration:1",
                      "numerical:duration:1"],
    } | more  # fmt: skip


BY_HAND = (
    record("won", "allowed", party("Baijnath", "Individual", "accused"), STATE,
           citation={"neutral": "2016 INSC 1", "reported": ["[2016] 1 S.C.R. 1"]}),
    record("lost", "dismissed", party("Vidhya", "Individual", "accused"), STATE),
    record("state won", "allowed", STATE, party("Raj", "Individual", "accused")),
    record("complainant lost", "dismissed", party("Mauji", "Individual", "complainant"), STATE),
    record("in part", "partly allowed", party("Sham", "Individual", "accused"), STATE),
    record("unnamed", "allowed", party("Ram", "Individual"), party("Union", "Union of India")),
    record("others", "allowed", party("Works", "Corporation", "employer"),
           party("Hari", "Employee", "employee")),
)  # fmt: skip


@pytest.fixture(autouse=True)
def corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECORDS, "by hand", lambda: BY_HAND)  # type: ignore[arg-type]


@pytest.fixture
def sheet() -> FactSheet:
    """A dowry death at five years, charged under the new code, with no word of a declaration."""
    return sheet_from_case(
        CaseFile.model_validate(
            {
                "case_id": "own",
                "title": "Vinod v. State of Bihar",
                "occurred_on": "2024-08-01",
                "text": "She died five years after the marriage. Charged under section 80 BNS.",
                "parties": {"petitioner": ACCUSED, "respondent": STATE},
                "sections_cited": ["BNS-80"],
                "evidence_items": [],
                "numerical_facts": {
                    "durations": [{"value": 5, "unit": "years", "context": "of marriage"}]
                },
            }
        )
    )


@pytest.fixture
def records_of(monkeypatch: pytest.MonkeyPatch, sheet: FactSheet) -> Callable[..., Records]:
    """The records of a corpus of one decision, held against a case, by default that of `sheet`."""

    def records(stated: Any, own: FactSheet = sheet, **more: Any) -> Records:
        monkeypatch.setitem(RECORDS, CORPUS["name"], lambda: (stated,))
        return Records(CORPUS | {"checksum": repr(stated)}, own, **more)

    return records


def analysis() -> dict[str, Any]:
    """As analysis.json: the decisions in the order of the records; one fact of three measured."""
    facts = [
        {"label": label, "fact_type": "Section", "added": False, "sensitivity": moved}
        for label, moved in (("section 80", 1.0), ("5 years", None), ("Vinod", None))
    ]
    rows = [
        {"case_id": it["case_id"], "rank": rank, "title": it["title"], "court": "Court",
         "date": "2016-01-01", "docket": "", "outcome": it["outcome"], "turned_on": [],
         "standing": "", "later": []}
        for rank, it in enumerate(BY_HAND, 1)
    ]  # fmt: skip
    return {
        "corpus": CORPUS | {"cases": 7}, "precedents": rows, "facts": facts,
        "weak_match": False, "coverage": [], "complete": True, "headline": "One fact moves the list.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("case_id", "for_accused"),
    [
        ("won", "for"),
        ("lost", "against"),
        ("state won", "against"),
        ("complainant lost", "for"),
        ("in part", "open"),
        ("unnamed", "for"),  # neither has a role, and one side is the State in both
        ("others", "open"),  # nobody stood where the accused stands
    ],
)
def test_which_way_a_decision_went_follows_from_its_outcome_and_who_came(
    sheet: FactSheet, case_id: str, for_accused: str
) -> None:
    other = {"for": "against", "against": "for", "open": "open"}
    assert Records(CORPUS, sheet, "petitioner").authority(case_id).way == for_accused
    assert Records(CORPUS, sheet, "respondent").authority(case_id).way == other[for_accused]


def test_what_a_decision_turned_on_is_held_against_the_case(sheet: FactSheet) -> None:
    """Section 80 BNS is section 304B IPC; both marriages are within the seven years of the law.

    Section 302 is not cited here. Whether there was a declaration is not said.
    """
    points = Records(CORPUS, sheet).authority("won").points
    assert [point.mark for point in points] == ["same", "not cited here", "not known", "same side"]


def test_evidence_of_one_kind_is_to_be_compared_and_differs_where_that_thing_is_missing(
    sheet: FactSheet,
) -> None:
    """What a declaration says is not read; a supposition of what it says leaves it a declaration."""

    def mark(description: str, strength: Any, kind: Any = "dying_declaration") -> str:
        value = EvidenceValue(kind, description, strength)
        item = Fact("evidence:1", "Evidence", value)
        own = replace(sheet, facts=(*sheet.facts, item))
        told = EvidenceValue("dying_declaration", "to her father", "full")
        stood = replace(sheet, facts=(*sheet.facts, replace(item, value=told)))
        return Records(CORPUS, stood).points("won", own)[2].mark

    assert mark("she said that the stove burst", "full") == "same kind, compare"
    assert mark("she named the mother-in-law", "full", "circumstance") == "same kind, compare"
    assert mark("no dying declaration had been made", "absent") == "differs"
    assert mark("no declaration to her brother", "absent") == "not known"


@pytest.mark.parametrize(
    ("decided", "own", "mark"),
    [
        ("16 years the appellant", "18 years accused", "differs"),  # 18 lies between, not 16 or 12
        ("25 years the appellant", "24 years accused", "same side"),
        ("23 years deceased", "34 years deceased", "differs"),
        ("34 years deceased", "34 years deceased", "same"),
        ("30 years mother", "34 years deceased", "not known"),
        ("18 years age below which he was a juvenile", "40 years deceased", "not known"),
    ],
)
def test_a_known_figure_of_the_same_measure_and_person_is_compared(
    sheet: FactSheet, records_of: Any, decided: str, own: str, mark: str
) -> None:
    (number, _, descriptor), (years, _, whose) = (it.split(" ", 2) for it in (decided, own))
    ages = {"ages": [{"value": int(number), "descriptor": descriptor}]}
    stated = record("one", "allowed", ACCUSED, STATE, numerical_facts=ages,
                    sections_cited=["IPC-302"], turned_on=["numerical:age:1"])  # fmt: skip
    value = NumericalValue("age", float(years), "years", whose)
    facts = (Fact("section:BNS-103", "Section", SectionValue("BNS-103")),
             Fact("numerical:age:1", "Numerical", value))  # fmt: skip
    points = records_of(stated, replace(sheet, facts=facts)).authority("one").points
    assert [point.mark for point in points] == [mark]


@pytest.mark.parametrize(("own", "mark"), [(60, "differs"), (12, "same side")])
def test_a_line_that_is_a_share_of_the_longest_term_divides_too(own: int, mark: str) -> None:
    """Half of the seven years of section 420 are forty-two months."""
    cited = tuple(Fact(it, "Section", SectionValue(it)) for it in ("IPC-420", "CrPC-436A"))
    months = (NumericalValue("duration", it, "months", "custody") for it in (float(own), 10.0))
    held = (Fact("numerical:duration:1", "Numerical", value) for value in months)
    case, decided = (FactSheet("by hand", "", (*cited, fact)) for fact in held)
    assert mark_fact(case, case, decided, decided.facts[2]) == mark


def test_a_private_person_in_the_same_role_is_the_same(sheet: FactSheet, records_of: Any) -> None:
    stated = record("one", "allowed", ACCUSED, STATE, turned_on=["party:petitioner"])
    points = records_of(stated).authority("one").points
    assert [point.mark for point in points] == ["same"]


@pytest.mark.parametrize(
    ("decided", "cited", "mark"),
    [
        ("NDPS-21(c)", "NDPS-21(c)", "same"),
        ("NDPS-21(c)", "NDPS-21(b)", "differs"),  # another clause of one charge
        ("IPC-302", "BNS-106", "differs"),  # one death is not both murder and negligence
        ("NDPS-21(c)", "NDPS-50", "not cited here"),
        ("IPC-420", "IPC-120B", "not cited here"),  # both may be charged
        ("LAA-17(4)", "LAA-17(1)", "not cited here"),  # both may be invoked
        ("CONST-311(2)", "CONST-14", "not cited here"),
        ("ARB-34(2)(b)(ii)", "ARB-34", "same section, compare"),  # which clause is not said
        ("ARB-34", "ARB-34(2)(b)(ii)", "same"),
        ("IEA-113B", "BNS-80", "same"),  # the charge brings the presumption with it
    ],
)
def test_a_provision_differs_only_where_the_case_is_under_another_in_its_place(
    sheet: FactSheet, records_of: Any, decided: str, cited: str, mark: str
) -> None:
    stated = record("one", "allowed", ACCUSED, STATE, sections_cited=[decided],
                    turned_on=[f"section:{decided}"])  # fmt: skip
    own = replace(sheet, facts=(Fact(f"section:{cited}", "Section", SectionValue(cited)),))
    records = records_of(stated, own)
    assert [point.mark for point in records.authority("one").points] == [mark]
    memo = str(MEMO_FILES["memo.md"](Memo(analysis() | {"precedents": [
        analysis()["precedents"][0] | {"case_id": "one"}
    ]}, records)))  # fmt: skip
    assert ("Differs from this case" in memo) == (mark == "differs")


def test_one_paper_says_nothing_of_another(sheet: FactSheet, records_of: Any) -> None:
    """Two papers that share a word are not known to be the same, nor to differ."""
    letter = {"evidence_type": "documentary", "description": "a letter of hers"}
    stated = record("papers", "allowed", ACCUSED, STATE, evidence_items=[letter],
                    turned_on=["evidence:documentary:1"])  # fmt: skip
    paper = replace(sheet.facts[0], fact_id="evidence:documentary:1", fact_type="Evidence",
                    value=EvidenceValue("documentary", "a letter of hers", "absent"))  # fmt: skip
    own = replace(sheet, facts=(*sheet.facts, paper))
    points = records_of(stated, own).authority("papers").points
    assert [point.mark for point in points] == ["not known"]


def test_a_supposition_marks_the_same_facts_otherwise(sheet: FactSheet) -> None:
    [edit] = read_suppositions(sheet, ["the marriage had lasted 8 years"]).edits
    before, after = ["won", "lost", "in part"], ["lost", "state won", "in part"]
    told = suppose_list(Records(CORPUS, sheet), [edit], before, after, 3, [before, after])
    assert [it.authority.case_id for it in told.out] == ["won"]
    assert [it.authority.case_id for it in told.came] == ["state won"]
    assert [it.authority.case_id for it in told.differs] == ["lost", "in part"]
    assert {point.mark for it in told.differs for point in it.now} == {"differs"}
    assert [(it.before, it.rank) for it in told.differs] == [(2, 1), (3, 3)]
    assert told.summary == "1 of 3 authorities changes; rewording alone changes 1."
    assert told.name == "Suppose the marriage had lasted 8 years"
    assert "80" in told.readings[0].edit.follows


def test_a_decision_says_how_the_fact_supposed_otherwise_stood_there(records_of: Any) -> None:
    """Of its points the one that shares most words speaks; one shared word is not enough."""
    sides = [
        {"fact": "letter", "held": "She wrote a letter.", "otherwise": "She wrote nothing."},
        {"fact": "seven years", "held": "The marriage was six years old at the death.",
         "otherwise": "The marriage was eight years old at the death."},
    ]  # fmt: skip
    points = [point | {"why": "so it was"} for point in sides]
    records = records_of(record("stated", "allowed", ACCUSED, STATE, dispositive=points))
    assert records.stood("stated", "The marriage had lasted eight years at her death.") == (
        "The marriage was six years old at the death."
    )
    assert records.stood("stated", "The death was sudden.") == ""
    assert records.stood("unknown", "The marriage had lasted eight years.") == ""


def test_without_records_nothing_is_said_to_be_known(sheet: FactSheet) -> None:
    for corpus in (None, {"name": "elsewhere", "checksum": "1"}):
        found = Records(corpus, sheet, titles={"won": "A v. B"}).authority("won")
        assert (found.title, found.way, found.points, found.citations) == ("A v. B", "open", (), ())


def test_the_headline_names_who_is_for_and_against(sheet: FactSheet) -> None:
    brief = Brief(analysis(), Records(CORPUS, sheet))
    assert brief.headline == (
        "For you: Baijnath, Mauji, Ram. Against you: Vidhya, Raj. They turn on: point of won; "
        "point of complainant lost; point of lost."
    )
    assert brief.measured == "Measured 1 of 3 facts."
    assert [(way, len(rows)) for way, _, rows in brief.groups] == [
        ("for", 3), ("against", 2), ("open", 2),
    ]  # fmt: skip
    assert Brief(analysis() | {"precedents": []}, Records(CORPUS, sheet)).headline == (
        "No precedent was found."
    )


def test_the_memo_says_the_same_in_each_form_and_is_the_same_every_time(sheet: FactSheet) -> None:
    records = Records(CORPUS, sheet, source=SOURCE)
    [edit] = read_suppositions(sheet, ["the marriage had lasted 8 years"]).edits
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
    assert "judgment</a>" not in Memo(analysis(), Records(CORPUS, sheet)).page


@pytest.mark.parametrize(
    ("petitioner", "respondent", "own", "names"),
    [
        # Nothing is said of the petitioner; who stands against an accused is the prosecution.
        (None, "accused", "respondent", ("the prosecution", "the accused")),
        # Our client was corrected to be the accused; the text had called him so once more.
        ("accused", "accused", "petitioner", ("the accused", "the prosecution")),
        # In a criminal matter without parties one acts for the accused or against.
        (None, None, "petitioner", ("the accused", "the prosecution")),
        (None, None, "respondent", ("the accused", "the prosecution")),
    ],
)
def test_each_side_is_called_by_its_role_or_by_what_faces_the_other(
    sheet: FactSheet,
    petitioner: str | None,
    respondent: str | None,
    own: str,
    names: tuple[str, str],
) -> None:
    rest = tuple(fact for fact in sheet.facts if fact.fact_type != "PartyType")
    sides = {"petitioner": petitioner, "respondent": respondent}
    parties = (party_fact(side, role) for side, role in sides.items() if role is not None)
    records = Records(CORPUS, replace(sheet, facts=(*rest, *parties)), own)
    assert records.sides == list(zip(sides, names, strict=True))
    for_accused = dict(records.sides)[own] == "the accused"
    ways = [records.authority(it).way for it in ("won", "lost")]
    assert ways == (["for", "against"] if for_accused else ["against", "for"])


def test_the_brief_says_which_side_was_not_read(sheet: FactSheet) -> None:
    """The petitioner was read, but not what he is: he may as well be the accused himself."""
    rest = tuple(fact for fact in sheet.facts if fact.fact_type != "PartyType")
    parties = (party_fact("petitioner", ""), party_fact("respondent", "accused"))
    own = replace(sheet, facts=(*rest, *parties))
    told = Brief(analysis(), Records(CORPUS, own))
    assert told.note.startswith("What the petitioner is in this matter was not read: here it is")
    assert "taken for the prosecution" in told.note
    assert Brief(analysis(), Records(CORPUS, own, "respondent")).note == ""
    unread = replace(sheet, facts=(*rest, party_fact("respondent", "accused")))
    assert Brief(analysis(), Records(CORPUS, unread)).note == ""
    told = Brief(analysis(), Records(CORPUS, replace(sheet, facts=())))
    assert "who the parties are was not read" in told.note
    sides = Records(CORPUS, replace(sheet, facts=())).sides
    assert [name for _, name in sides] == ["the petitioner", "the respondent"]
    assert Brief(analysis(), Records(CORPUS, sheet)).note == ""
    assert Brief(analysis() | {"precedents": []}, Records(CORPUS, sheet)).note == ""


def test_the_brief_says_what_its_list_rests_on_and_the_case_does_not(
    sheet: FactSheet, records_of: Callable[..., Records], monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = replace(sheet, facts=tuple(f for f in sheet.facts if f.fact_type != "Section"))
    only = analysis() | {"precedents": analysis()["precedents"][:1]}

    def note(own: FactSheet, cited: list[str], area: str) -> str:
        name = only["precedents"][0]["case_id"]
        decided = next(it for it in BY_HAND if it["case_id"] == name)
        stated = {**decided, "sections_cited": cited, "area": area}
        return Brief(only, records_of(stated, own)).note

    assert "1 of these 1 decisions cite section 304B IPC" in note(bare, ["IPC-304B"], "dowry")
    none_against = "No decision of this list is known to have gone against you"
    told = note(sheet, ["IPC-304B", "IPC-34"], "dowry")  # section 80 BNS is the same
    assert told.startswith(none_against) and "cite section" not in told
    assert "other areas" not in note(sheet, ["IPC-304B"], "arbitration")  # it has no area of dowry
    monkeypatch.setitem(RECORDS, "by hand", lambda: (
        *({**it, "area": "arbitration"} for it in BY_HAND),
        {**BY_HAND[0], "case_id": "more", "area": "dowry"},
    ))  # fmt: skip
    found = Brief(analysis(), Records(CORPUS | {"checksum": "areas"}, sheet)).note
    assert "of other areas of law than dowry" in found and "No decision" not in found


def test_a_code_that_was_replaced_by_the_day_of_the_facts_is_told(sheet: FactSheet) -> None:
    cited = ("IPC-304B", "IPC-498A", "IPC-34", "IEA-113B", "CrPC-439")
    old = tuple(replace(sheet.facts[0], fact_id=it, value=SectionValue(it)) for it in cited)
    told = say("outdated", replace(sheet, facts=old))
    assert "section 80 BNS had taken the place of section 304B IPC" in told
    assert "of section 113B Evidence Act; section 483 BNSS had taken the place of" in told
    assert say("outdated", sheet) == ""
    assert say("outdated", replace(sheet, facts=old, occurred_on="2024-06-30")) == ""
    assert say("outdated", replace(sheet, facts=old, occurred_on="")) == ""


@pytest.mark.parametrize(
    ("respondent", "name"),
    [(STATE, "Rahul Builders"), (party("H. Amaresh and others", "Individual"), "H. Amaresh")],
)
def test_a_decision_is_called_by_the_name_of_a_person_before_a_firm(
    records_of: Any, respondent: Any, name: str
) -> None:
    firm = party("Rahul Builders (a partnership firm of contractors)", "Corporation", "accused")
    assert records_of(record("firm", "allowed", firm, respondent)).authority("firm").short == name


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


def test_the_judgment_is_linked_to_in_the_reader_s_own_source_with_every_value_escaped(
    sheet: FactSheet, records_of: Any
) -> None:
    assert Records(CORPUS, sheet, source=SOURCE).authority("won").url == (
        "https://example.org/find?q=Baijnath%20v.%20State%20of%20Bihar&c=2016%20INSC%201&id=won"
    )
    assert Records(CORPUS, sheet).authority("won").url == ""
    hostile = record("a&b", "allowed", party('"><script> {title} ?', "Individual"), STATE)
    records = records_of(hostile, source=SOURCE)
    url = records.authority("a&b").url  # without a citation the title stands for it
    title = "%22%3E%3Cscript%3E%20%7Btitle%7D%20%3F%20v.%20State%20of%20Bihar"
    assert url == f"https://example.org/find?q={title}&c={title}&id=a%26b"
    assert records.authority("elsewhere").url.endswith("q=elsewhere&c=elsewhere&id=elsewhere")


@pytest.mark.parametrize(
    ("moved", "said"), [(1.0, "No what-if moved the list"), (None, "Nothing was supposed.")]
)
def test_a_memo_of_no_change_says_whether_any_was_tried(
    sheet: FactSheet, moved: float | None, said: str
) -> None:
    facts = [
        {
            "label": "section 80",
            "fact_type": "Section",
            "added": False,
            "sensitivity": moved,
            "verdict": "not tried",
        }
    ]
    memo = Memo(analysis() | {"facts": facts}, Records(CORPUS, sheet), pinned=False)
    forms = (str(MEMO_FILES[f"memo.{kind}"](memo)).replace("\\", "") for kind in ("html", "md"))
    for form in forms:
        assert said in form
