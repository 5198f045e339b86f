"""Of what, or whose, the numbers of short notes are."""

from __future__ import annotations

import math

import pytest

from countercase.fact_types.numerical.recognise import find_figures

_NOTES = [
    (
        "Deceased Ramlal (aged 52) was the uncle of A1 Suresh, 24, who works as a mason.",
        [("age", 52, "deceased"), ("age", 24, "accused")],
    ),
    (
        "My bro age 24 picked up by police on 3.8.2024, in jail since 5 months, no bail yet.",
        [("age", 24, "brother"), ("duration", 5, "custody")],
    ),
    (
        "Client in JC for last 14 mths; chargesheet came on the 92nd day.",
        [("duration", 14, "custody"), ("duration", 92, "chargesheet")],
    ),
    (
        "He was given 7 yrs RI plus fine of Rs 10,000 by the Sessions Court.",
        [("duration", 7, "imprisonment"), ("amount", 10000, "fine")],
    ),
    ("PM report shows 4 stab wounds, one on the chest 3 cm deep.", [("count", 4, "deceased")]),
    ("Custody: 14 months. Witnesses examined: 3 of 22.", [("duration", 14, "custody")]),
    (
        "Three accused gave 5 lathi blows to the deceased; death came after 11 days in hospital.",
        [("count", 3, "accused"), ("count", 5, "accused")],
    ),
    (
        "Old enmity over 2 bighas of land; quarrel lasted 10 minutes.",
        [("quantity", 2, "land"), ("duration", 10, "quarrel")],
    ),
    (
        "Co-accused Mohan aged 61 yrs already on bail for 8 months.",
        [("age", 61, "accused"), ("duration", 8, "bail")],
    ),
    (
        "Offence carries max 3 yrs, cognizance was taken after 4 years.",
        [("duration", 4, "cognizance")],
    ),
    ("Approver was pardoned 6 months after arrest.", [("duration", 6, "arrest")]),
    (
        "Chq for Rs 4 lakh bounced on 12.2.2024; notice sent within 20 days, reply none in 15 days.",
        [("amount", 400000, "cheque"), ("duration", 20, "notice"), ("duration", 15, "reply")],
    ),
    (
        "Accused took a friendly loan of 3.5 lacs and issued two cheques of Rs 1,75,000 each.",
        [("amount", 350000, "loan"), ("amount", 175000, "cheque")],
    ),
    ("Complaint filed 9 days beyond limitation, condonation prayed.", [("duration", 9, "delay")]),
    (
        "Convicted u/s 138, one year SI and compensation of Rs 6,00,000 to complainant.",
        [("duration", 1, "imprisonment"), ("amount", 600000, "compensation")],
    ),
    ("Cheque was presented 4 months after its date.", [("duration", 4, "cheque")]),
    (
        "Qty - 45 g smack from pant pocket; sample sent to FSL after 23 days.",
        [("quantity", 45, "heroin"), ("duration", 23, "sample")],
    ),
    (
        "Truck driver (38) found with 82 kg poppy husk in 4 bags.",
        [("age", 38, "driver"), ("quantity", 82, "poppy")],
    ),
    (
        "Seized 1.1 kg ganja from house, 2 samples of 24 g each drawn on the spot.",
        [("quantity", 1.1, "ganja"), ("quantity", 24, "sample")],
    ),
    (
        "He has spent 2 yrs 3 mths inside as undertrial, trial not begun.",
        [("duration", 27, "custody")],
    ),
    ("Contraband lay in malkhana for 17 days without entry.", [("duration", 17, "malkhana")]),
    (
        "Victim was 15 yrs 8 mths old as per school register, ossification says 17-18.",
        [("age", 15.67, "victim")],
    ),
    (
        "Girl student of class 7, age 12, touched by her tuition teacher (45).",
        [("age", 12, "girl"), ("age", 45, "teacher")],
    ),
    (
        "My daughter is 16 and the boy is 20, they lived together for 6 weeks.",
        [("age", 16, "daughter"), ("age", 20, "boy"), ("duration", 6, "cohabitation")],
    ),
    (
        "Special court awarded 20 years and fine Rs 50,000; interim compensation 1 lakh paid to survivor.",
        [
            ("duration", 20, "imprisonment"),
            ("amount", 50000, "fine"),
            ("amount", 100000, "compensation"),
        ],
    ),
    (
        "Deceased was 34, earned 22,000 pm as electrician, left wife and 3 kids.",
        [("age", 34, "deceased"), ("amount", 22000, "earnings"), ("count", 3, "child")],
    ),
    (
        "Tribunal gave Rs 14.6 lakh with interest; we want 25 lakh.",
        [("amount", 1460000, "award"), ("amount", 2500000, "demand")],
    ),
    (
        "Claimant lost left leg, 60 days in hospital, bills of Rs 3,42,000.",
        [("duration", 60, "hospital"), ("amount", 342000, "bill")],
    ),
    ("Policy had lapsed 12 days before the accident.", [("duration", 12, "policy")]),
    (
        "Widow (29) and her mother-in-law aged 63 claim 40 lakhs.",
        [("age", 29, "widow"), ("age", 63, "mother-in-law"), ("amount", 4000000, "claim")],
    ),
    (
        "Workman put in 11 years as daily wager @ Rs 350 per day, terminated w/o notice.",
        [("duration", 11, "service"), ("amount", 350, "wage")],
    ),
    (
        "Enquiry dragged on for 6 yrs; suspended for 18 months on half pay.",
        [("duration", 6, "enquiry"), ("duration", 18, "suspension")],
    ),
    (
        "Gratuity of Rs 5,60,000 withheld; pension stopped since 14 months.",
        [("amount", 560000, "gratuity"), ("duration", 14, "pension")],
    ),
    (
        "Govt acquired 6 acres @ Rs 9 lakh per acre, award made after 4 yrs of s.4.",
        [("quantity", 6, "land"), ("amount", 900000, "acre"), ("duration", 4, "award")],
    ),
    (
        "In possession for over 30 yrs, openly, no rent paid to anyone.",
        [("duration", 30, "possession")],
    ),
    (
        "ATS for 1200 sq ft plot, total price 36 lakhs, earnest 5 lakhs paid, suit filed after 4 yrs.",
        [("amount", 3600000, "price"), ("amount", 500000, "earnest"), ("duration", 4, "suit")],
    ),
    (
        "Possession was taken but Rs 22 lakh still not paid for 3 years.",
        [("amount", 2200000, "paid"), ("duration", 3, "unpaid")],
    ),
    (
        "Tenant pays rent @ 8,000 pm, arrears of 11 months, notice of 15 days given.",
        [("amount", 8000, "rent"), ("duration", 11, "arrears"), ("duration", 15, "notice")],
    ),
    (
        "Shop let out for 11 months in 2010, still sitting there after 13 years.",
        [("duration", 11, "shop let")],
    ),
    (
        "Security deposit of 1,20,000 not returned by landlord (71 yrs).",
        [("amount", 120000, "deposit"), ("age", 71, "landlord")],
    ),
    (
        "AO added 47 lakh as unexplained cash, penalty of Rs 9 lakh followed.",
        [("amount", 4700000, "cash"), ("amount", 900000, "penalty")],
    ),
    ("Appeal before CIT(A) late by 210 days, CA was ill.", [("duration", 210, "delay")]),
    (
        "Award of Rs 2.4 crore; s.34 petition filed 118 days after receipt.",
        [("amount", 24000000, "award"), ("duration", 118, "petition")],
    ),
    (
        "Married 4 yrs, wife (27) left 2 yrs back, son aged 3 with her.",
        [
            ("duration", 4, "marriage"),
            ("age", 27, "wife"),
            ("duration", 2, "separation"),
            ("age", 3, "son"),
        ],
    ),
    (
        "She died within 18 months of marriage; dowry of 5 lakh and a car demanded.",
        [("duration", 18, "marriage"), ("amount", 500000, "dowry")],
    ),
    ("Living apart for 9 yrs, no child.", [("duration", 9, "separation")]),
    (
        "Detention order passed 5 months after last case; representation decided in 34 days.",
        [("duration", 5, "detention"), ("duration", 34, "representation")],
    ),
    (
        "Dealer fined Rs 25,000 and licence suspended for 90 days.",
        [("amount", 25000, "fine"), ("duration", 90, "suspension")],
    ),
    (
        "Appellant No. 2, a lady of 68, has undergone 4 yrs out of 10 yrs awarded.",
        [("duration", 4, "custody"), ("duration", 10, "imprisonment")],
    ),
    (
        "Trap money Rs 5,000 recovered from patwari; sanction came after 2 yrs.",
        [("amount", 5000, "trap money"), ("duration", 2, "sanction")],
    ),
]


@pytest.mark.parametrize(("note", "figures"), _NOTES)
def test_every_figure_has_its_owner(note: str, figures: list[tuple[str, float, str]]) -> None:
    read = [mention.value for mention in find_figures(note)]
    for kind, value, owner in figures:
        contexts = [
            v.context.lower()
            for v in read
            if v.kind == kind and math.isclose(v.value, value, rel_tol=0.01)
        ]
        assert any(owner in context for context in contexts), (kind, value, contexts)


@pytest.mark.parametrize(("note", "figures"), _NOTES)
def test_an_owner_has_at_most_five_words(note: str, figures: list[tuple[str, float, str]]) -> None:
    assert figures
    assert all(len(m.value.context.split()) <= 5 for m in find_figures(note))
