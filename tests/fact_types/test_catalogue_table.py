"""The table of what-ifs: every row names what there is, and rests on a provision that is known."""

from __future__ import annotations

from typing import get_args

from countercase.fact_types.catalogue import WhatIf
from countercase.facts.edits import Operation
from countercase.facts.vocabulary import EVIDENCE_TYPES, PARTY_TYPES, ROLES
from countercase.io import read_table
from countercase.law.provision_ids import is_normal_form, parse_id
from countercase.law.provisions import lookup

ROWS = read_table("law/what_ifs", WhatIf)


class TestTheTable:
    def test_names_are_unique_within_what_they_are_asked_of(self) -> None:
        assert len({(row.fact_type, row.name, row.of, row.becomes) for row in ROWS}) == len(ROWS)

    def test_every_word_is_one_of_the_vocabularies(self) -> None:
        for row in ROWS:
            assert row.operation in get_args(Operation)
            assert {*row.parties} <= {*PARTY_TYPES}
            assert {*row.evidence, *row.lacks} <= {*EVIDENCE_TYPES}
            assert {*row.roles, *row.roles_barred} <= {*ROLES, "relative", ""}, row.name
            if row.fact_type == "PartyType":
                assert {*row.of} <= {*PARTY_TYPES}
            if row.fact_type == "Evidence":
                assert {*row.of} <= {*EVIDENCE_TYPES}

    def test_provisions_are_in_normal_form_and_known_where_the_table_has_their_act(self) -> None:
        for row in ROWS:
            named = [row.becomes] if row.fact_type == "Section" else []
            named += [p for pair in row.takes for p in pair if "-" in p]
            for provision in filter(None, named):
                assert is_normal_form(provision), row.name
                if parse_id(provision).code in ("IPC", "CrPC", "IEA", "CONST", "NIA", "MVA"):
                    assert lookup(provision) is not None, provision

    def test_every_row_has_a_reason_and_words_no_whole_sentence(self) -> None:
        for row in ROWS:
            assert row.reason.endswith("."), row.name
            assert not row.suppose.startswith("Suppose") and not row.suppose.endswith("."), row.name
