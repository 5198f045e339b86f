"""The table of correspondences between the old codes and those of 2023."""

from __future__ import annotations

from countercase.io import read_table
from countercase.law.in_force import Correspondence
from countercase.law.offences import same_terms
from countercase.law.provisions import same_law


def test_what_the_table_calls_unchanged_has_the_same_terms() -> None:
    for pair in read_table("law/correspondences", Correspondence):
        assert same_law(pair.old, pair.new) is not pair.changed
        assert pair.changed or same_terms(pair.old, pair.new) is not False
