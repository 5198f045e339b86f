"""The findings of the review on lines, neighbours and the tables, each by its number."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from perturbation_cases import figure, on, section, sheet

from countercase.corpus.casebook.browse import record_of
from countercase.corpus.casebook.records import casebook_records
from countercase.explanation.labels import fact_label
from countercase.fact_types import numerical
from countercase.fact_types import section as section_type
from countercase.fact_types.lines import beyond_the_terms
from countercase.facts.model import Fact, FactSheet, NumericalValue, PartyValue
from countercase.io import read_table
from countercase.law.in_force import Period, code_in_force, in_force, reading_period
from countercase.law.offences import Offence, offence, term_bounds
from countercase.law.provision_ids import citation
from countercase.law.provisions import describe

DAY = Period("2024-06-30", "2024-06-30")


def moved(root: FactSheet, fact_id: str = "n") -> list[tuple[float, str]]:
    """The figures that the law's lines give, with the law."""
    edits = [e for e in numerical.propose(root) if e.fact_id == fact_id and "scale" not in e.rule]
    return [
        (e.new_value.value, e.provision) for e in edits if isinstance(e.new_value, NumericalValue)
    ]


def sections(root: FactSheet, fact_id: str = "s") -> set[str]:
    return {e.perturbed_value for e in section_type.propose(root) if e.fact_id == fact_id}


# Lines


def test_finding_01_grounds_come_within_ten_days_and_no_line_is_drawn_for_punjab() -> None:
    grounds = figure("duration", 8, "days", "from detention to grounds")
    assert (11, "NSA-8(1)") in moved(on("2015", "", s=section("NSA-3"), n=grounds))
    punjab = on("2015", "He was held at Ludhiana in Punjab.", s=section("NSA-3"), n=grounds)
    assert 11 not in {value for value, _ in moved(punjab)}


@pytest.mark.parametrize(
    ("date", "days", "context", "expected"),
    [
        ("2019", 20, "from return to notice", {31}),
        ("2001", 20, "from return to notice", {14}),
        ("2019", 15, "to pay after the notice", set()),
        ("2019", 12, "to pay after the notice", {16}),
    ],
)
def test_finding_02_a_demand_has_thirty_days_since_2003_and_the_statutory_period_stays(
    date: str, days: float, context: str, expected: set[float]
) -> None:
    root = on(date, "", s=section("NIA-138"), n=figure("duration", days, "days", context))
    assert {value for value, _ in moved(root)} == expected


@pytest.mark.parametrize(
    ("date", "cited", "drawn"),
    [
        ("2018", "IPC-302", True),
        ("2018", "IPC-397", True),
        ("2018", "IPC-392", False),
        ("2018", "IPC-379", False),
        ("2025", "BNS-103(1)", True),
        ("1994", "IPC-302", False),
    ],
)
def test_finding_03_only_a_heinous_offence_under_the_act_of_2015_has_the_line_of_sixteen(
    date: str, cited: str, drawn: bool
) -> None:
    root = on(date, "", s=section(cited), n=figure("age", 17, context="accused"))
    assert ("JJA-15" in {law for _, law in moved(root)}) is drawn


@pytest.mark.parametrize(
    ("date", "age", "lines"),
    [
        ("2011", 20, {"Criminal Law (Amendment) Act, 2013, s. 9"}),
        ("2014", 17, {"IPC-375", "IPC-376(2)(i)"}),
        ("2020", 19, {"IPC-375", "IPC-376(3)"}),
        ("", 19, {"IPC-375", "IPC-376(3)"}),
    ],
)
def test_finding_04_the_age_of_consent_is_that_of_the_day(
    date: str, age: float, lines: set[str]
) -> None:
    root = on(date, "", s=section("IPC-376"), n=figure("age", age, context="prosecutrix"))
    assert {law for _, law in moved(root)} == lines
    if date == "2011":
        assert {value for value, _ in moved(root)} == {15}


def test_finding_05_a_boy_who_is_taken_away_is_a_child_below_eighteen_and_no_accused() -> None:
    boy = figure("age", 17, context="boy")
    assert moved(on("2024-09", "", s=section("BNS-137(2)"), n=boy)) == [(19, "BNS-137(1)(b)")]
    assert moved(on("2019", "", s=section("IPC-363"), n=boy)) == [(15, "IPC-361")]


def test_finding_06_seven_years_of_marriage_draw_no_line_for_cruelty_to_a_living_wife() -> None:
    married = figure("duration", 5, context="since marriage")
    assert moved(on("2019", "", s=section("IPC-498A"), n=married)) == []
    assert moved(on("2019", "", s=section("IPC-304B"), n=married)) == [(8, "IPC-304B")]


@pytest.mark.parametrize(
    ("cited", "months", "expected"),
    [
        ("IPC-406", 34, {37}),
        ("IPC-406", 10, {37}),
        ("IPC-323", 10, {13}),
        ("IPC-420", 34, set()),
        ("BNS-316(2)", 34, set()),
        ("IPC-290", 5, {7}),
    ],
)
def test_finding_07_the_time_for_cognizance_follows_the_maximum(
    cited: str, months: float, expected: set[float]
) -> None:
    root = sheet(
        "",
        s=section(cited),
        t=section("BNSS-514" if cited.startswith("BNS") else "CrPC-468"),
        n=figure("duration", months, "months", "incident to complaint"),
    )
    assert {value for value, _ in moved(root)} == expected


@pytest.mark.parametrize(
    ("cited", "years", "possible"),
    [
        ("NDPS-21(c)", 10, {12.0, 20.0}),
        ("IPC-326", 6, {1.0, 3.0, 12.0, 20.0}),
        ("IPC-304-II", 6, {1.0, 3.0}),
        ("IPC-302", 10, set()),
        ("IPC-304B", 10, {12.0, 20.0}),
        ("IPC-201", 4, set()),
    ],
)
def test_finding_08_a_sentence_stays_within_the_terms_of_the_offence(
    cited: str, years: float, possible: set[float]
) -> None:
    root = sheet("", s=section(cited), n=figure("duration", years, context="imprisonment"))
    value = root.fact("n").value
    assert isinstance(value, NumericalValue)
    assert moved(root) == []
    others = {
        y for y in (1.0, 3.0, 12.0, 20.0) if not beyond_the_terms(root, replace(value, value=y))
    }
    assert others == possible


def test_finding_09_the_schedule_of_the_limitation_act_has_articles() -> None:
    root = sheet("", s=section("LIM-27"), n=figure("duration", 14, context="adverse possession"))
    assert moved(root) == [(11, "Limitation Act, 1963, art. 65")]
    crime = sheet("", s=section("IPC-447"), n=figure("duration", 14, context="adverse possession"))
    assert moved(crime) == []


def test_finding_10_probation_old_age_the_multiplier_and_ninety_days() -> None:
    young = figure("age", 20, context="accused")
    text = "He asks for release under the Probation of Offenders Act."
    for cited, drawn in (("IPC-379", True), ("IPC-302", False)):
        root = sheet(text, s=section(cited), t=section("POA-6"), n=young)
        assert ("POA-6" in {law for _, law in moved(root)}) is drawn
    assert citation("POA-6") == "section 6 of the Probation of Offenders Act, 1958"
    retired = sheet(
        "He {n|retired at 58}.", s=section("CONST-14"), n=figure("age", 58, context="clerk")
    )
    assert moved(retired) == []
    child = sheet("", s=section("MVA-166"), n=figure("age", 12, context="deceased"))
    assert "eighteen for the next" in numerical.reason(numerical.propose(child)[0])


@pytest.mark.parametrize(
    ("cited", "days"), [("IPC-302", 89), ("IPC-376", 89), ("IPC-420", 59), ("IPC-307", 89)]
)
def test_finding_10_default_bail_follows_the_least_punishment(cited: str, days: float) -> None:
    value = figure("duration", 95, "days", "in custody")
    root = sheet("", s=section(cited), t=section("CrPC-167(2)"), n=value)
    assert moved(root) == [(days, "CrPC-167(2)")]


def test_finding_10_a_commercial_quantity_has_a_hundred_and_eighty_days() -> None:
    value = figure("duration", 170, "days", "in custody")
    root = sheet("", s=section("NDPS-21(c)"), t=section("CrPC-167(2)"), n=value)
    assert moved(root) == [(181, "NDPS-36A(4)")]


def test_finding_17_an_edit_that_cannot_leave_a_citation_out_is_not_proposed() -> None:
    root = on(
        "2019",
        "{s|Section 15} of the JJ Act, 2015 governs. The accused was {n|16}.",
        n=figure("age", 16, context="accused"),
        s=section("JJA-15"),
        t=section("IPC-302"),
    )
    assert "JJA-2(12)" not in {law for _, law in moved(root)}


# Neighbours and headings


@pytest.mark.parametrize(
    ("date", "cited", "neighbour", "open_to_it"),
    [
        ("2015", "PCA-7", "PCA-13(1)(d)", True),
        ("2019", "PCA-7", "PCA-13(1)(d)", False),
        ("2020", "MVA-166", "MVA-163A", True),
        ("2023", "MVA-166", "MVA-163A", False),
        ("2017", "SRA-16(c)", "SRA-20", True),
        ("2019", "SRA-16(c)", "SRA-20", False),
        ("2010", "IPC-376", "IPC-354", True),
    ],
)
def test_finding_19_a_neighbour_stands_on_the_day(
    date: str, cited: str, neighbour: str, open_to_it: bool
) -> None:
    assert (neighbour in sections(on(date, "", s=section(cited)))) is open_to_it


def test_finding_19_reasons_and_headings() -> None:
    reasons = {
        (r.provision, r.neighbour): r.reason
        for r in read_table("law/neighbours", section_type.Neighbour)
    }
    assert "before 2013" in reasons["IPC-376(2)(g)", "IPC-376"]
    assert "death or hurt" in reasons["IPC-363", "IPC-364A"]
    assert "sufficient cause" in reasons["CPC-96", "CPC-O9R13"]
    assert "Baron" not in describe("CPC-21A")
    assert "ganja" not in describe("NDPS-20(b)(ii)(A)")


# Edits that the law makes impossible


@pytest.mark.parametrize(
    ("marked", "cited", "impossible"),
    [
        ("He stabbed Ram, who died on the spot.", "IPC-302", "IPC-307"),
        ("Two accused beat him with a common intention.", "IPC-34", "IPC-149"),
        ("No forged document is alleged.", "IPC-420", "IPC-468"),
        ("She was raped in the field.", "IPC-376", "IPC-417"),
        ("A note was left.", "IPC-363", "IPC-364A"),
    ],
)
def test_a_neighbour_that_the_narrative_excludes_is_not_proposed(
    marked: str, cited: str, impossible: str
) -> None:
    assert impossible not in sections(on("2019", marked, s=section(cited)))


@pytest.mark.parametrize(
    ("marked", "cited", "possible"),
    [
        ("Six persons beat him.", "IPC-34", "IPC-149"),
        ("A mob beat him.", "IPC-34", "IPC-149"),
        ("He lay with her on a promise to marry her.", "IPC-376", "IPC-417"),
        ("They asked for a ransom.", "IPC-363", "IPC-364A"),
        ("He used a forged receipt.", "IPC-420", "IPC-468"),
    ],
)
def test_a_neighbour_that_the_narrative_leaves_open_is_proposed(
    marked: str, cited: str, possible: str
) -> None:
    assert possible in sections(on("2019", marked, s=section(cited)))


# The tables


def test_a_date_is_read_as_precisely_as_it_is_known() -> None:
    assert reading_period("2013", ()) == Period("2013-01-01", "2013-12-31")
    assert reading_period("2024-08", ()) == Period("2024-08-01", "2024-08-31")
    assert reading_period("2024-08-12", ()) == Period("2024-08-12", "2024-08-12")
    assert reading_period("", ("IPC-302",)) == DAY
    assert reading_period("", ("BNS-103",)).first == "2024-07-01"
    assert reading_period("", ("IPC-376(2)(g)",)).last == "2013-02-02"
    assert code_in_force("IPC", reading_period("2025", ()), ("POCSO-4",)) == "BNS"
    assert code_in_force("IPC", reading_period("2025", ()), ("IPC-420",)) == "IPC"
    assert in_force("BNSS-482", reading_period("2022", ()), ("BNSS-483",))


def test_offences_have_sound_terms_and_do_not_overlap_in_time() -> None:
    rows = read_table("law/offences", Offence)
    assert len({(row.provision, row.since) for row in rows}) == len(rows)
    for row in rows:
        assert row.maximum is None or row.minimum <= row.maximum
        assert not (row.fine_only and (row.maximum or row.life))
    assert offence("IPC-376(2)(g)", DAY) is not None
    assert offence("IPC-9", DAY) is None
    bounds = term_bounds([o for o in (offence("NDPS-21(c)", DAY),) if o])
    assert bounds == (120, 240)


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
