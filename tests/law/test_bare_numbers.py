"""Provisions as juniors and clients cite them: short, bare, mistyped, in two scripts."""

from __future__ import annotations

import pytest

from countercase.law.citations import find_citations, provisions_in, rewrite
from countercase.law.provision_ids import citation
from countercase.law.provisions import normal_form


@pytest.mark.parametrize(
    ("text", "provisions"),
    [
        # the Act named last takes what is joined to it, and no more
        ("charged 302, 34 IPC and 25, 27 Arms", "IPC-302 IPC-34 ARMS-25 ARMS-27"),
        ("notice under 41A CrPC. Sec. 25, 27 Arms Act", "CrPC-41A ARMS-25 ARMS-27"),
        ("FIR u/s 392/34, 25 Arms Act", "IPC-392 IPC-34 ARMS-25"),
        ("498A/304B IPC & 3/4 D.P. Act", "IPC-498A IPC-304B DPA-3 DPA-4"),
        ("FIR u/s 105 BNS + 185 MV Act", "BNS-105 MVA-185"),
        ("S.7, 13(1)(d) r/w 13(2) of PC Act", "PCA-7 PCA-13(1)(d) PCA-13(2)"),
        ("rests on Art 21, also 122 Evidence Act", "CONST-21 IEA-122"),
        # an Act that comes first
        ("divorce on HMA 13(1)(ia), 13(1)(ib), S.25 alimony", "HMA-13(1)(ia) HMA-13(1)(ib) HMA-25"),
        ("PC Act 7, 7A, 12; sanction awaited", "PCA-7 PCA-7A PCA-12"),
        ("detained, PIT NDPS s.3(1)", "PITNDPS-3(1)"),
        # short names that only a number makes an Act
        ("138 NI, accused side", "NIA-138"),
        ("sanction u/s 39 Arms awaited", "ARMS-39"),
        ("suit in time (sec 10 Specific Relief)", "SRA-10"),
        ("custody - s.25 Guardians & Wards", "GWA-25"),
        # two clauses at once, letters in brackets, Parts
        ("3(1)(r)(s), 3(2)(va) SC/ST Act", "SCST-3(1)(r) SCST-3(1)(s) SCST-3(2)(va)"),
        ("charge 354(D) IPC", "IPC-354D"),
        ("conviction brought to 304 pt II", "IPC-304-II"),
        # Orders and Articles
        ("O 7 R 11 application", "CPC-O7R11"),
        ("stay, O39 R1&2", "CPC-O39R1 CPC-O39R2"),
        ("objection, Or 21 r 97", "CPC-O21R97"),
        ("writ U/Art 226/227", "CONST-226 CONST-227"),
        ("WP 226 in the High Court", "CONST-226"),
    ],
)
def test_the_act_of_a_list(text: str, provisions: str) -> None:
    assert " ".join(provisions_in(text)) == provisions


@pytest.mark.parametrize(
    ("text", "provisions"),
    [
        ("u/s 87, 64 BNS (old 363, 366, 376)", "BNS-87 BNS-64 IPC-363 IPC-366 IPC-376"),
        ("u/s 302 (now 103(1) BNS)", "IPC-302 BNS-103(1)"),
        ("s. 103(1), 3(5) BNS (old 302/34)", "BNS-103(1) BNS-3(5) IPC-302 IPC-34"),
        ("u/s 64(1), 351(3) BNS [376/506 earlier]", "BNS-64(1) BNS-351(3) IPC-376 IPC-506"),
        ("u/s 187(3) BNSS (old 167(2))", "BNSS-187(3) CrPC-167(2)"),
    ],
)
def test_old_and_now_name_the_other_code(text: str, provisions: str) -> None:
    assert " ".join(provisions_in(text)) == provisions


@pytest.mark.parametrize(
    ("text", "provisions"),
    [
        # the subject of the matter
        ("45 gm heroin; S.42 not followed, sec 52A too", "NDPS-42 NDPS-52A"),
        ("plot sale agreement, ready and willing, S.16(c), S.22", "SRA-16(c) SRA-22"),
        ("lease over, S.111(a), decree on O.12 R.6 CPC", "TPA-111(a) CPC-O12R6"),
        ("ITC blocked by GST officer, u/s 74, appeal S.107", "CGST-74 CGST-107"),
        ("cheque matter, no S.63 BSA certificate, interim u/s 143A", "BSA-63 NIA-143A"),
        ("u/s 66C, 67 IT Act in FIR under IPC 420", "ITECH-66C ITECH-67 IPC-420"),
        ("reassessment, notice u/s 148 IT Act, addn u/s 69A", "ITA-148 ITA-69A"),
        ("S.34 petition against award, S.29A over, 12(5) hit", "ARB-34 ARB-29A ARB-12(5)"),
        ("discharge u/s 227 refused", "CrPC-227"),
        ("his statement u/s 313 was not put to him", "CrPC-313"),
        # numbers that practitioners know by themselves
        ("498A case by wife, 125 case also filed", "IPC-498A CrPC-125"),
        ("138 complaint in time, 482 petition pending", "NIA-138 CrPC-482"),
        ("439 bail rejected, 161 statements silent", "CrPC-439 CrPC-161"),
        ("no 65B cert, 156(3) application dismissed", "IEA-65B CrPC-156(3)"),
        ("relies on Exc. 4 to 300", "IPC-300"),
        ("hurt: 323/325/34, old enmity; 326 added later", "IPC-323 IPC-325 IPC-34 IPC-326"),
    ],
)
def test_the_act_that_nobody_names(text: str, provisions: str) -> None:
    assert " ".join(provisions_in(text)) == provisions


@pytest.mark.parametrize(
    "text",
    [
        "SC No. 302/2019 is pending and CC 138/2021 is over.",
        "Sessions Case 302 of 2019; FIR 376/2021 PS City; FIR no. 420 dt 3.4.2020.",
        "Interest @ 18% for 420 days on Rs 498, page 302, para 307, PW 25.",
        "She lives at flat 304A, Sector 65B, and earlier at 41A Grey Street.",
        "34 witnesses, a 125 cc bike, 302 bags, 138 km, 27 April, 482/- paid.",
        "2 NDPS cases pending and 3 Arms Act cases over.",
        "The charge had as many as 203 offences, with returns between 12 to 14 on equity.",
        "Reported in 1969 2 LLJ 377 (SC).",
        "32. The petitioner then went to the High Court. 226. It was dismissed.",
        "The court looked at section 18 of the trade and merchandise marks act again.",
    ],
)
def test_numbers_that_are_not_law(text: str) -> None:
    assert provisions_in(text) == ()


@pytest.mark.parametrize(
    ("text", "provision"),
    [
        ("u/s 20(b) ndps act", "NDPS-20(b)"),
        ("u/s 6 posco act", "POCSO-6"),
        ("s. 138 n.i. act", "NIA-138"),
        ("sec 27 evid act", "IEA-27"),
        ("secton 302 of indian penal code", "IPC-302"),
        ("u/s302IPC", "IPC-302"),
        ("artcle 226", "CONST-226"),
        ("sec 3(1) Gangster Act", "UPGA-3(1)"),
        ("u/s 129(3) CGST", "CGST-129(3)"),
        ("u/s 35 Consumer Protection Act, 2019", "CPA19-35"),
        ("refund, section 18 RERA", "RERA-18"),
        ("धारा 302 भा.दं.सं.", "IPC-302"),
        ("धारा ३०२ आईपीसी", "IPC-302"),
        ("भा.न्या.सं. की धारा 103", "BNS-103"),
        ("dhara 498a ka case", "IPC-498A"),
    ],
)
def test_names_and_marks_as_they_are_typed(text: str, provision: str) -> None:
    assert provisions_in(text) == (provision,)


def test_an_article_of_the_schedule_is_no_section() -> None:
    assert provisions_in("in time under Art 54 Limitation Act") == ("LIM-54",)
    assert provisions_in("Section 54 of the Limitation Act") == ()
    assert citation("LIM-54") == "Article 54 of the Limitation Act, 1963"
    assert normal_form("Article 54 of the Limitation Act") == "LIM-54"


def test_a_bare_number_keeps_its_act_when_it_is_changed() -> None:
    text = "The 65B certificate is missing."
    (cited,) = find_citations(text)
    ((span, words),) = rewrite(text, cited.span, "IEA-65")
    assert text[: span.start] + words + text[span.end :] == (
        "The s. 65 Evidence Act certificate is missing."
    )
    assert rewrite("A 498A case.", find_citations("A 498A case.")[0].span, "IPC-304B") == (
        (find_citations("A 498A case.")[0].span, "304B"),
    )
