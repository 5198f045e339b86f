"""Evidence as notes state it: in few words, in shorthand, in Hindi words."""

from __future__ import annotations

import pytest

from countercase.fact_types.evidence.recognise import evidence_items


def _read(text: str) -> list[tuple[str, str]]:
    return [(item.value.evidence_type, item.value.strength) for item in evidence_items(text)]


@pytest.mark.parametrize(
    "text",
    [
        "ESI contribution card shows 240 days.",
        "Patwari's report favours us.",
        "Makaan ka registry meri maa ke naam hai.",
        "Form 26 affidavit hid 2 cases.",
        "Parcha with thumb impression annexed.",
        "Domestic enquiry report ex parte.",
    ],
)
def test_a_document_is_known_by_its_noun(text: str) -> None:
    assert _read(text) == [("documentary", "full")]


@pytest.mark.parametrize(
    "text",
    [
        "Appointment letter never issued.",
        "ECIR not supplied.",
        "Raseed nahi di.",
        "Agreement was only oral.",
        "Receipt? none.",
        "Everything was by word of mouth.",
        "Translated copies of the grounds and of the order were not supplied.",
    ],
)
def test_a_document_is_missing_where_its_clause_says_so(text: str) -> None:
    assert ("documentary", "absent") in _read(text)
    assert ("documentary", "full") not in _read(text)


@pytest.mark.parametrize(
    "text",
    [
        "Agreement not registered.",
        "The receipt is not disputed.",
        "No arbitration clause in work order.",
        "He is not the debtor as per ledger.",
    ],
)
def test_what_is_said_of_a_document_does_not_take_it_away(text: str) -> None:
    assert _read(text) == [("documentary", "full")]


@pytest.mark.parametrize(
    "text",
    [
        "On receipt of the order he left.",
        "He filed a petition at all courts.",
        "The charge sheet was filed.",
        "He will come.",
    ],
)
def test_what_is_no_document(text: str) -> None:
    assert _read(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "strength"),
    [
        ("Sister-in-law saw from window.", "eyewitness", "full"),
        ("It happened in front of my mother.", "eyewitness", "full"),
        ("Employer not examined on salary.", "eyewitness", "absent"),
        ("Nobody else heard the abuse.", "eyewitness", "absent"),
        ("PW2 has resiled.", "hostile_witness", "full"),
        ("Gawah sab rishtedar hai.", "related_witness", "full"),
        ("Ballistic report: not in working order.", "forensic", "full"),
        ("Viscera preserved, nothing received from lab.", "forensic", "absent"),
        ("Handwriting expert says signature does not match.", "expert_opinion", "full"),
        ("Surveyor assessed the loss.", "expert_opinion", "full"),
        ("Video hai mere paas.", "electronic_record", "full"),
        ("Camera in the lift was off.", "electronic_record", "absent"),
        ("Hash value not noted.", "electronic_certificate", "absent"),
        ("Gold 466 g from shoe heel.", "recovery", "full"),
        ("No rope or wire was found on site.", "recovery", "absent"),
        ("Raid fruitless.", "recovery", "absent"),
        ("He beat me with belt.", "weapon", "full"),
        ("FIR 3 din baad likhi.", "report_delay", "full"),
        ("FIR lodged in 40 minutes.", "report_delay", "absent"),
        ("Involved in 3 others.", "antecedents", "full"),
        ("Koi purana case nahi.", "antecedents", "absent"),
        ("Settlement talks collapsed.", "settlement", "absent"),
        ("Medical nahi hua.", "medical", "absent"),
        ("Hymen intact, no external injury in MLR.", "medical", "full"),
        (
            "Bank had a camera at its gate but police never brought it.",
            "electronic_record",
            "absent",
        ),
        ("Call records and one receipt suppressed.", "electronic_record", "absent"),
        ("The report nowhere says who saw it.", "eyewitness", "absent"),
        ("The divorce by mutual consent was granted.", "settlement", "full"),
        ("He was after her for money.", "motive", "full"),
        ("The wallet of the dead man was found with him.", "recovery", "full"),
        ("Permission of his department to prosecute him is filed.", "sanction", "full"),
        ("The employer must first give written approval to arrest.", "sanction", "absent"),
        ("He died; a constable wrote his statement in hospital.", "dying_declaration", "full"),
        ("Rape: the maid says that he dragged her inside.", "victim_testimony", "full"),
        ("Confession to an SP of police.", "confession", "full"),
        ("Ossification test, discarded by the trial court.", "medical", "weakened"),
        ("No malice and no motive; enmity over a field.", "motive", "full"),
        ("Upheld without considering the sale deed.", "documentary", "full"),
        ("Upheld without examining the sale deed.", "documentary", "absent"),
    ],
)
def test_other_kinds_in_the_words_of_notes(text: str, kind: str, strength: str) -> None:
    assert (kind, strength) in _read(text)


@pytest.mark.parametrize(
    "text",
    [
        "No infirmity was found by the High Court.",
        "No fault was found with the order.",
        "The appeal was not pressed.",
        "Talks on wages go on.",
        "She backed out of the deal.",
        "Both have since settled with other families.",
        "She was found dead in the lane.",
        "No hostile title was set up against the State.",
        "The builder applied for recovery of the sum.",
        "The resolution plan pays creditors; CD has no other assets.",
        "It was remanded for recording fresh findings.",
        "The thana refused to register anything.",
        "The registry of the tribunal raised objections.",
        "The Supreme Court registry gave a number.",
        "X-ray machines were hired for five years.",
        "She worked for a trust hospital on a fixed pay.",
        "The receipts are of a capital nature.",
        "He conceded receipt; time runs from receipt of summons.",
        "Motive or reward is presumed.",
        "The case was filed in anger.",
        "COFEPOSA: a second order was passed.",
        "Record: no hearing given.",
        "The brothers were not charge-sheeted.",
        "Police gave them a clean chit.",
        "The offence cannot be compounded.",
        "There are three hundred witnesses.",
        "One witness given up.",
    ],
)
def test_ordinary_words_of_judgments_are_no_evidence(text: str) -> None:
    assert _read(text) == []


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("He filed a school certificate. She lived. He left. Authority on a certificate?", 1),
        ("The pronote is signed. He came. She left. His name is on the pronote.", 1),
        ("The pronote is signed. He came. She left. A pronote of 2004 is filed.", 2),
        ("A camera was there. She left. He came. Is the recording needed?", 1),
    ],
)
def test_a_question_or_a_bare_noun_speaks_of_what_was_told(text: str, items: int) -> None:
    assert len(_read(text)) == items


@pytest.mark.parametrize(
    ("text", "kind", "strength"),
    [
        ("The extra-judicial confession was disbelieved.", "extrajudicial_confession", "weakened"),
        ("The judge disbelieved the testimony of the eyewitnesses.", "eyewitness", "weakened"),
        ("The confession, which he made at once, stands.", "confession", "full"),
        ("The lathi was discarded in a pond.", "weapon", "full"),
    ],
)
def test_what_a_court_did_not_believe_weighs_little(text: str, kind: str, strength: str) -> None:
    assert (kind, strength) in _read(text)


def test_witnesses_who_turned_hostile_or_saw_a_film_saw_nothing() -> None:
    assert _read("Independent witnesses turned hostile.") == [("hostile_witness", "full")]
    assert _read("The manager saw the footage.") == [("electronic_record", "full")]
