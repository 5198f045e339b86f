"""An edit names the law of proof and procedure as it stands on the day of the case."""

from __future__ import annotations

import pytest

from countercase.counterfactual.proposals import candidates, reason
from countercase.facts.extraction import extract

TEXT = (
    "The accused was convicted of murder under section 302 of the Indian Penal Code. The knife was "
    "recovered at his instance. The occurrence was on {day}."
)


@pytest.mark.parametrize(
    ("day", "codes"),
    [("3 March 2015", {"IEA", "CrPC"}), ("3 March 2025", {"BSA", "BNSS"})],
)
def test_evidence_rests_on_the_code_of_the_day(day: str, codes: set[str]) -> None:
    """Section 27 of the Act of 1872 is the proviso to section 23 of that of 2023."""
    text = TEXT.format(day=day)
    if "2025" in day:
        text = text.replace("302 of the Indian Penal Code", "103(1) of the Bharatiya Nyaya Sanhita")
    edits = candidates(extract(text), ["Evidence"])
    rests_on = {edit.provision.partition("-")[0] for edit in edits}
    assert rests_on and rests_on <= codes
    assert all(reason(edit) for edit in edits)
