"""The tables of law, and what a lawyer found in the casebook and the labelled cases."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from labelled_rows import labelled

from countercase.corpus.casebook.records import casebook_records, record_of
from countercase.explanation.reasons import fact_label
from countercase.facts.model import Fact, PartyValue
from countercase.io import read_table
from countercase.law.in_force import (
    Correspondence,
    InForce,
    Period,
    code_in_force,
    in_force,
    reading_period,
)
from countercase.law.offences import Offence, offence, same_terms
from countercase.law.provision_ids import citation
from countercase.law.provisions import describe, same_law

DAY = Period("2024-06-30", "2024-06-30")


# The tables


def test_headings_speak_of_their_own_sections() -> None:
    assert "Baron" not in describe("CPC-21A")
    assert "ganja" not in describe("NDPS-20(b)(ii)(A)")
    assert citation("POA-6") == "section 6 of the Probation of Offenders Act, 1958"


def test_a_date_is_read_as_precisely_as_it_is_known() -> None:
    assert reading_period("2013", ()) == Period("2013-01-01", "2013-12-31")
    assert reading_period("2024-08", ()) == Period("2024-08-01", "2024-08-31")
    assert reading_period("2024-08-12", ()) == Period("2024-08-12", "2024-08-12")
    assert reading_period("", ("IPC-302",)) == DAY
    assert reading_period("", ("BNS-103",)).first == "2024-07-01"
    assert reading_period("", ("IPC-376(2)(g)",)).last == "2013-02-02"
    assert code_in_force("IPC", reading_period("2025", ()), ("POCSO-4",)) == "BNS"
    assert code_in_force("IPC", reading_period("2025", ()), ("IPC-420",)) == "BNS"
    assert code_in_force("IPC", reading_period("2024", ()), ("BNS-318",)) == "BNS"
    assert code_in_force("CrPC", reading_period("2025", ()), ("CrPC-482",)) == "CrPC"
    assert in_force("BNSS-482", reading_period("2022", ()), ("BNSS-483",))


def test_offences_have_sound_terms_and_do_not_overlap_in_time() -> None:
    rows = read_table("law/offences", Offence)
    assert len({(row.provision, row.since) for row in rows}) == len(rows)
    for row in rows:
        assert row.maximum is None or row.minimum <= row.maximum
        assert not (row.fine_only and (row.maximum or row.life))
    assert offence("IPC-376(2)(g)", DAY) is not None
    assert offence("IPC-9", DAY) is None
    commercial = offence("NDPS-21(c)", DAY)
    assert commercial is not None and (commercial.least, commercial.greatest) == (120, 240)


def test_a_maximum_is_the_one_of_the_penal_code(data: Any) -> None:
    code = json.loads((data / "statutes_india" / "ipc.json").read_text(encoding="utf-8"))
    texts = {str(row["Section"]): row["section_desc"] for row in code}
    years = {"one": 12, "two": 24, "three": 36, "five": 60, "seven": 84, "ten": 120}
    words = {months: word for word, months in years.items()}
    for row in read_table("law/offences", Offence):
        number = row.provision.removeprefix("IPC-").partition("-")[0].partition("(")[0]
        known = row.maximum in words and not row.until and number not in ("188", "457", "505")
        if row.provision.startswith("IPC-") and known and row.provision != "IPC-506-II":
            year = "year" if row.maximum == 12 else "years"
            assert f"{words[row.maximum or 0]} {year}" in " ".join(texts[number].split()), row


@labelled("punishments")
def test_an_offence_is_punished_as_its_act_says(
    provision: str,
    day: str,
    minimum: int,
    maximum: int | None,
    life: bool,
    death: bool,
) -> None:
    row = offence(provision, Period(day, day))
    assert row is not None
    assert (row.minimum, row.maximum, row.life, row.death) == (minimum, maximum, life, death)


def test_rows_of_one_offence_follow_one_another_in_time() -> None:
    """No day has two rows, so that an offence of that day has its terms."""
    by_name: dict[str, list[Offence]] = {}
    for row in read_table("law/offences", Offence):
        by_name.setdefault(row.provision, []).append(row)
    for rows in by_name.values():
        for before, after in pairwise(rows):
            assert before.until
            assert before.until < after.since


@labelled("acts_in_force")
def test_an_act_stands_from_its_day(provision: str, since: str, until: str) -> None:
    (row,) = (row for row in read_table("law/in_force", InForce) if row.provision == provision)
    assert (row.since, row.until) == (since, until)


def test_what_the_table_calls_unchanged_has_the_same_terms() -> None:
    for pair in read_table("law/correspondences", Correspondence):
        assert same_law(pair.old, pair.new) is not pair.changed
        assert pair.changed or same_terms(pair.old, pair.new) is not False


# The casebook and the labelled cases


@pytest.mark.parametrize(
    ("case_id", "kind", "by"),
    [
        ("krishna-janardhan-bhat-v-dattatraya-g-hegde-2008", "doubted", "Rangappa"),
        ("delhi-development-authority-v-islamuddin-2016", "overruled", "Manoharlal"),
        ("mediwell-hospital-v-union-of-india-1996", "doubted", "Faridabad CT Scan Centre"),
        ("mohd-iqbal-ahmed-v-state-of-andhra-pradesh-1979", "superseded", "section 19(3)"),
    ],
)
def test_finding_20_a_decision_that_is_no_longer_good_says_why(
    case_id: str, kind: str, by: str
) -> None:
    [first, *_] = record_of(case_id)["treatment"]
    assert first["kind"] == kind and by in first["by"]


def test_finding_21_detention_for_liquor_is_a_writ_and_a_trap_complainant_an_eyewitness() -> None:
    records = casebook_records()
    laws = ("PASA-", "TNPDA-", "MPDA-")
    detentions = [r for r in records if any(s.startswith(laws) for s in r["sections_cited"])]
    assert {r["area"] for r in detentions} == {"writs"}
    traps = [e for r in records if r["area"] == "corruption" for e in r["evidence_items"]]
    assert "victim_testimony" not in {e["evidence_type"] for e in traps}


def test_finding_21_a_man_is_no_corporation_and_a_corporation_may_be_a_firm() -> None:
    parties = {p["name"]: p["type"] for r in casebook_records() for p in r["parties"].values()}
    named = [kind for name, kind in parties.items() if name.startswith("Bratindranath Banerjee")]
    assert named == ["Individual"]
    firm = Fact(
        "party:petitioner", "PartyType", PartyValue("petitioner", "Corporation", "A & Sons")
    )
    assert fact_label(firm) == "A & Sons: company, firm or society (petitioner)"


def _labelled(case_id: str) -> dict[str, Any]:
    lines = Path("eval_sets/counterfactual.jsonl").read_text("utf-8").splitlines()
    return next(case for case in map(json.loads, lines) if case["case_id"] == case_id)


def test_finding_22_the_refund_is_claimed_under_the_law_before_mafatlal() -> None:
    assert "In March 1959" in _labelled("cf-tax-refund-34-months")["narrative"]


def test_finding_22_an_aided_society_may_fall_under_limb_three_as_well() -> None:
    case = _labelled("cf-corruption-society-secretary")
    labelled = {f["fact_id"] for f in (*case["dispositive_facts"], *case["non_dispositive_facts"])}
    assert "section:PCA-2(c)(ix)" not in labelled
    assert "evidence:documentary:1" in labelled


@pytest.mark.parametrize("age", ["fifteen", "sixteen"])
def test_finding_22_age_is_proved_by_the_certificate_that_section_94_names(age: str) -> None:
    case = _labelled(f"cf-homicide-juvenile-{age}")
    assert "date of birth certificate" in case["narrative"]
    assert "register" not in json.dumps(case)
