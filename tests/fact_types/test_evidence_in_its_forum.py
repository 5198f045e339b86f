"""An edit of evidence fits the forum, and means the item that it names."""

from __future__ import annotations

import pytest
from perturbation_cases import evidence, section, sheet

from countercase.fact_types.evidence import FACT_TYPE, propose
from countercase.fact_types.evidence.recognise import locate_evidence
from countercase.facts.edits import apply_edits
from countercase.facts.model import EvidenceValue


def weakened(told: str, kind: str, *cited: str, described: str = "") -> str:
    """The sentence that weakens the item `e`; "" where none fits."""
    sections = {f"s{n}": section(provision) for n, provision in enumerate(cited)}
    root = sheet(told, e=evidence(kind, described), **sections)
    added = (edit.replacements for edit in propose(root) if edit.rule == "evidence.weaken")
    return next((words[0].text.strip() for words in added), "")


def removed(told: str, kind: str) -> tuple[str, str]:
    """The narrative without the item `e`, and what speaks against that; "" twice where no cut is."""
    item = f"evidence:{kind}:1"
    root = sheet(told.replace("{e|", f"{{{item}|"), **{item: evidence(kind)}, s=section("IPC-302"))
    edit = next((edit for edit in propose(root) if edit.rule == "evidence.remove"), None)
    if edit is None:
        return "", ""
    return apply_edits(root, [edit]).narrative.strip(), FACT_TYPE.objection(root, edit)


@pytest.mark.parametrize(
    ("text", "described", "words"),
    [
        (
            "The ornaments were handed over against a list, and a decree of divorce was passed.",
            ("Decree of divorce",),
            "a decree of divorce was passed",
        ),
        (
            "It filed its balance sheet, to show its means, and a rejection note of the quality cell.",
            ("Rejection note of the quality cell", "Balance sheet that shows its means well"),
            "a rejection note of the quality cell",
        ),
        (
            "It filed its balance sheet, to show its means, and a rejection note of the quality cell.",
            ("Balance sheet that shows its means well", "Rejection note of the quality cell"),
            "balance sheet",
        ),
    ],
)
def test_the_clause_that_has_its_words_is_that_of_a_document(
    text: str, described: tuple[str, ...], words: str
) -> None:
    first, *_ = locate_evidence(text, [EvidenceValue("documentary", d) for d in described])
    assert [text[s.start : s.end] for s in first] == [words]


@pytest.mark.parametrize(
    ("told", "cited", "delayed"),
    [
        ("A tenant {e|saw} it and deposed.", ("BNSS-144",), False),
        ("A tenant {e|saw} it and deposed.", ("IPC-302",), True),
        ("A tenant {e|saw} it. The police came.", ("CrPC-482",), True),
        ("A tenant {e|saw} it. The police came, to no end.", ("ARB-8", "IPC-420"), False),
    ],
)
def test_the_police_hear_a_witness_only_where_they_investigate(
    told: str, cited: tuple[str, ...], delayed: bool
) -> None:
    assert weakened(told, "eyewitness", *cited).startswith("The police recorded") == delayed


def test_a_witness_is_weakened_beside_his_own_words_and_not_beside_a_paper() -> None:
    told = "A tenant {e|saw} it. His {p|salary slip} is filed."
    root = sheet(told, e=evidence("eyewitness"), p=evidence("documentary"), s=section("IPC-302"))
    assert not [e for e in propose(root) if e.fact_id == "e" and e.rule == "evidence.weaken"]


def test_nobody_is_the_accused_of_a_civil_matter() -> None:
    told = "He paid money to them. The police filed a charge sheet. He asks for an arbitrator."
    cited = {"s": section("IPC-420")}
    crime = [e.perturbed_value for e in propose(sheet(told, **cited))]
    assert crime
    civil = propose(sheet(told, **cited, t=section("ARB-8")))
    assert not [e for e in civil if any("accused" in r.text for r in e.replacements)]


@pytest.mark.parametrize(
    ("told", "cited", "sentence"),
    [
        (
            "The {e|bank certificate} is filed. An appeal lies.",
            "IBC-9",
            "Only a photocopy of the bank",
        ),
        ("The {e|bank certificate} is filed. An appeal lies.", "CPC-100", "The person who issued"),
        ("The {e|compliance certificate} is full. An appeal lies.", "CPC-100", ""),
        ("His {e|letter} came. An appeal lies.", "CPC-100", "Nobody was called to prove the hand"),
        ("His {e|letter} came. An appeal lies.", "CPA19-35", ""),
        ("Her {e|letter}, which he exhibited, came. An appeal lies.", "CPC-100", ""),
        (
            "His {e|salary slip} is on record. An appeal lies.",
            "CPC-100",
            "Only a photocopy of the sal",
        ),
        ("It has the {e|pocket diary} in his own hand. An appeal lies.", "CPC-100", ""),
    ],
)
def test_nobody_is_called_where_papers_decide(told: str, cited: str, sentence: str) -> None:
    said = weakened(told, "documentary", cited)
    assert said.startswith(sentence) if sentence else said == ""


@pytest.mark.parametrize(
    ("told", "kind", "fits"),
    [
        ("The translation by an {e|expert} is there.", "expert_opinion", False),
        ("An {e|expert} spoke of it.", "expert_opinion", True),
        ("A long {e|report} of a counsellor is there.", "expert_opinion", True),
        ("A careful {e|report} of a counsellor is there.", "expert_opinion", False),
        ("The {e|report} says why: he clung to her.", "expert_opinion", False),
        ("The {e|medical report}, of the third day, is bare.", "medical", False),
        ("She put out a {e|video of} the beds.", "electronic_record", False),
        ("She put out a {e|video of} the beds, seized since.", "electronic_record", True),
        (
            "There is a {e|video}. At this stage we do not quarrel with it.",
            "electronic_record",
            False,
        ),
        ("There is a {e|video}. The neighbours came.", "electronic_record", True),
        ("The {e|e-mail} lay in the tribunal's record.", "electronic_record", False),
    ],
)
def test_a_weakness_contradicts_nothing_that_is_said_of_its_item(
    told: str, kind: str, fits: bool
) -> None:
    said = weakened(f"{told} She was at home.", kind, "IPC-302")
    assert bool(said) == fits
    assert "long report" not in said


@pytest.mark.parametrize(
    ("told", "kind", "objection"),
    [
        ("The {e|victim's testimony} was firm. The judge believed the girl.", "victim_testimony", "believed"),
        ("There are other papers. A {e|bank letter} tells of a loan.", "documentary", "counted with"),
        ("A {e|bank letter} tells of a loan. One will argue. In the end both belong to the merits.",
         "documentary", "counted with"),
        ("The promoter wrote that he would pay; the {e|letter} has no seal.", "documentary", "tells of it"),
        ("He went home, and {e|further letters} were sent.", "documentary", "other papers"),
    ],
)  # fmt: skip
def test_what_the_rest_still_tells_of_is_not_taken_away(
    told: str, kind: str, objection: str
) -> None:
    assert objection in removed(told, kind)[1]


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ("The {e|camera} shows him turning and leaving alone before Ram had gone in. He fell.", "He fell."),
        ("The tenant released to him all but 6 acres by a {e|registered deed}; he approved.", ""),
        ("She bought it by a note, had it stamped, and took a {e|receipt} then; she left.", ""),
    ],
)  # fmt: skip
def test_no_piece_of_a_sentence_is_left_behind(told: str, left: str) -> None:
    kind = "electronic_record" if "camera" in told else "documentary"
    told_after = removed(told, kind)[0]
    assert told_after == left
