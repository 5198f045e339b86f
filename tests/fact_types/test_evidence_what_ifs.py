"""What-ifs of evidence: what is asked of an item, and how it is named among others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from labelled_rows import labelled
from perturbation_cases import edits_of, evidence, on, section, sheet, supposed

from countercase.facts.edits import apply_edits
from countercase.facts.model import EvidenceValue
from countercase.registry import FACT_TYPES


class TestEvidence:
    def test_it_is_left_out_first_and_denied_last(self) -> None:
        root = sheet("", e=evidence("dying_declaration"), s=section("IPC-302"))
        operations = [edit.operation for edit in edits_of(root, "e")]
        assert operations[0] == "remove" and operations[-1] == "deny"
        assert {*operations[1:-1]} == {"discredit"}

    @labelled("law_behind_evidence")
    def test_it_rests_on_the_law_of_its_kind_and_forum_and_day(
        self, date: str, kind: str, said: str, cited: list[str], law: str
    ) -> None:
        root = on(date, "", e=EvidenceValue(kind, said), **{c: section(c) for c in cited})
        assert edits_of(root, "e")[0].provision == law

    def test_no_offence_falls_with_the_memo_of_the_bank(self) -> None:
        memo = evidence("documentary", "cheque return memo")
        assert not edits_of(on("2017", "", e=memo, s=section("NIA-138")), "e")[0].consequences

    @pytest.mark.parametrize(
        ("said", "is_asked"),
        [("confession before a Magistrate", True), ("confession to the police", False)],
    )
    def test_a_confession_that_is_shut_out_is_not_retracted(
        self, said: str, is_asked: bool
    ) -> None:
        root = on("2015", "", e=EvidenceValue("confession", said), s=section("IPC-302"))
        assert ("retracted" in {edit.rule for edit in edits_of(root, "e")}) is is_asked

    def test_what_is_absent_is_supplied_and_never_weakened(self) -> None:
        root = sheet("", e=EvidenceValue("sanction", "", "absent"), s=section("PCA-7"))
        supplied, unknown = edits_of(root, "e")
        assert isinstance(supplied.after, EvidenceValue) and supplied.after.strength == "full"
        assert (supplied.operation, unknown.operation) == ("supply", "remove")

    def test_what_is_weak_already_is_not_weakened_again(self) -> None:
        root = sheet("", e=EvidenceValue("dying_declaration", "", "weakened"), s=section("IPC-302"))
        assert "discredit" not in {edit.operation for edit in edits_of(root, "e")}

    def test_what_is_there_is_not_added(self) -> None:
        there = sheet("", s=section("IPC-302"), e=evidence("eyewitness"))
        missing = sheet("", s=section("IPC-302"))
        kind = FACT_TYPES.get("Evidence")
        added = [
            {edit.fact_id.split(":")[1] for edit in kind.additions(r)} for r in (there, missing)
        ]
        assert "eyewitness" not in added[0]
        assert "eyewitness" in added[1]

    def test_an_addition_is_a_fact_of_its_own(self) -> None:
        root = sheet("", s=section("IPC-302"))
        for edit in FACT_TYPES.get("Evidence").additions(root):
            assert (edit.operation, edit.before) == ("add", None)
            assert apply_edits(root, [edit]).fact(edit.fact_id).spans == ()


class TestNamingOfItems:
    """A supposition names the very thing; an item that nothing names is not denied."""

    @pytest.mark.parametrize("kind", ["documentary", "electronic_record", "forensic", "medical"])
    def test_what_nothing_names_is_not_denied(self, kind: str) -> None:
        vague = evidence(kind, "read as a whole")
        for strength in ("full", "weakened"):
            root = sheet("", e=replace(vague, strength=strength), s=section("IPC-420"))
            assert {e.operation for e in edits_of(root, "e")} <= {"remove", "discredit"}
            assert "read as a whole" in " ".join(supposed(root, "e"))

    @pytest.mark.parametrize(
        ("words", "name"),
        [
            ("the Range's own inward register", "inward register"),
            ("21 e-way bills", "e-way bills"),
            ("the 7/12 extract", "7/12 extract"),
            ("his own diary of the year", "diary"),
            ("But her Aadhaar has 2005", "Aadhaar"),
        ],
    )
    def test_a_document_is_named_without_its_owner_and_its_number(
        self, words: str, name: str
    ) -> None:
        told = supposed(sheet("", e=evidence("documentary", words)), "e")
        assert f"Suppose there were no {name}." in told
        assert f"Suppose the {name} were left out of account." in told

    @pytest.mark.parametrize(
        ("kind", "words", "first"),
        [
            ("documentary", "no voucher", "it were otherwise than this: “no voucher”"),
            ("expert_opinion", "nobody was asked", "an expert had given an opinion"),
            (
                "expert_opinion",
                "no psychologist saw him",
                "the report of the psychologist were there",
            ),
            ("medical", "not examined", "there were medical evidence"),
        ],
    )
    def test_what_is_missing_is_first_supposed_to_be_there(
        self, kind: str, words: str, first: str
    ) -> None:
        root = sheet("", e=replace(evidence(kind, words), strength="absent"))
        assert supposed(root, "e")[0] == f"Suppose {first}."
        assert edits_of(root, "e")[0].operation == "supply"

    def test_two_items_of_one_name_are_told_apart_in_every_supposition(self) -> None:
        gate, lane = evidence("electronic_record", "CCTV"), evidence("electronic_record", "CCTV")
        root = sheet("", e=gate, f=replace(lane, description="CCTV of the lane"))
        assert not {*supposed(root, "e")} & {*supposed(root, "f")}

    def test_what_is_said_of_an_item_at_length_is_quoted_from_its_beginning(self) -> None:
        said = "he wrote to the whole of his family on the next day"
        root = sheet("", e=evidence("documentary", said), f=evidence("documentary", "letter"))
        named = "the document (“he wrote to the whole of his family on the …”)"
        assert supposed(root, "e")[0] == f"Suppose {named} were left out of account."

    def test_items_of_one_kind_are_told_apart_by_what_they_say_and_else_by_number(self) -> None:
        aunt = evidence("eyewitness", "her aunt saw the blow")
        peon = evidence("eyewitness", "a peon saw him run")
        assert (
            "Suppose the eyewitness (“a peon saw him run”) were left out of account."
            in supposed(sheet("", e=peon, f=aunt), "e")
        )
        twins = sheet("", e=replace(peon, doubt="drunk"), f=peon)
        assert "no. 2 of 2: “a peon saw him run”" in supposed(twins, "f")[0]

    @pytest.mark.parametrize(
        ("kind", "description", "name"),
        [
            ("documentary", "registered sale deed of 1998", "registered sale deed"),
            ("forensic", "the report on nail scrapings never came", "report on the nail scrapings"),
            ("electronic_record", "CCTV of the gate", "CCTV footage"),
        ],
    )
    def test_what_its_words_name_is_denied_and_supplied_by_that_name(
        self, kind: str, description: str, name: str
    ) -> None:
        there = evidence(kind, description)
        missing = replace(there, strength="absent")
        assert f"Suppose there were no {name}." in supposed(sheet("", e=there), "e")
        assert f"Suppose the {name} were there." in supposed(sheet("", e=missing), "e")

    def test_a_bare_noun_or_the_name_of_a_firm_names_no_document(self) -> None:
        for words in ("papers", "a certificate", "Malhar Beverages Private Limited licences"):
            root = sheet("", e=evidence("documentary", words), s=section("IPC-420"))
            assert "deny" not in {edit.operation for edit in edits_of(root, "e")}

    def test_without_the_cheque_the_offence_and_its_presumptions_fall(self) -> None:
        root = sheet(
            "",
            e=evidence("documentary", "blank cheque"),
            s=section("NIA-138"),
            p=section("NIA-139"),
        )
        for edit in edits_of(root, "e"):
            fallen = {c.fact_id for c in edit.consequences if c.after is None}
            assert fallen == ({"s", "p"} if edit.operation in ("remove", "deny") else set())

    def test_two_items_that_say_the_same_have_each_a_number(self) -> None:
        letter = evidence("documentary", "a letter was put in")
        root = sheet("", e=letter, f=letter)
        said = [supposed(root, fact_id)[-1] for fact_id in ("e", "f")]
        assert ["no. 1 of 2" in said[0], "no. 2 of 2" in said[1]] == [True, True]
