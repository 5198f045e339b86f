"""Provisions as juniors and clients cite them: short, bare, mistyped, in two scripts."""

from __future__ import annotations

import pytest

from countercase.law.citations import find_citations, provisions_in
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
        ("MCOCA ss. 3(1), 4 and s. 386 IPC", "MCOCA-3(1) MCOCA-4 IPC-386"),
        ("u/s 307 IPC, s. 4 and s. 5 TADA", "IPC-307 TADA-4 TADA-5"),
        ("booked, Lottery Dealers Act ss. 4, 7 and s. 420 IPC", "IPC-420"),
        ("PFA complaint of short weight; s. 13(2) right lost, s. 20A joinder", "PFA-13(2) PFA-20A"),
        ("s. 395 IPC under TADA. s. 18 transfer refused", "IPC-395 TADA-18"),
        ("s. 395 IPC; s. 9 left open", "IPC-395"),
        # what none of is of the Act behind it, and what a new code in brackets does not take
        (
            "S. 439 CrPC (S. 483 BNSS) bail of in-laws u/s 304B, 306, DP Act",
            "CrPC-439 BNSS-483 IPC-304B IPC-306",
        ),
        (
            "recall u/s 311 CrPC (s. 348 BNSS); u/s 326, 341 tried",
            "CrPC-311 BNSS-348 IPC-326 IPC-341",
        ),
        # an Act by its year alone
        ("trap laid; u/s 165A IPC, s. 5(2) of the 1947 Act", "IPC-165A PCA47-5(2)"),
        ("PC Act quoted. s. 5(1)(e) of 1947 act", "PCA47-5(1)(e)"),
        ("workman: s. 25F of the 1947 Act ignored", "IDA-25F"),
        # Rules
        ("Rule 45 NCLAT Rules, R. 6 IT Rules", "NCLATR-45 ITR-6"),
        ("rules 14 and 15 of the CCS (CCA) Rules; s. 16 unclear", "CCSCCA-14 CCSCCA-15"),
        ("rule 3 of the IT Rules, 2021", ""),
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
        # words of procedure
        ("s. 307 IPC; weapon unexplained in s. 313 answers", "IPC-307 CrPC-313"),
        ("s. 420 IPC; s. 173 report late, s. 482 petn allowed", "IPC-420 CrPC-173 CrPC-482"),
        (
            "s. 420 IPC, s. 468 IPC; s. 427 so that both run concurrently",
            "IPC-420 IPC-468 CrPC-427",
        ),
        ("s. 397 IPC; appeal abates u/s 394", "IPC-397 CrPC-394"),
        ("u/s 302, 204 on a complaint", "IPC-302 IPC-204"),
        ("s. 103 BNS; no s. 351 explanation", "BNS-103 BNSS-351"),
        ("road contract; s. 34 petn dismissed, s. 37 court affirmed", "ARB-34 ARB-37"),
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


@pytest.mark.parametrize(
    ("text", "provisions"),
    [
        ("S.49 Regn Act, 107 TPA", "REG-49 TPA-107"),
        ("s. 10 Spec. Relief Act", "SRA-10"),
        ("u/s 126 El. Act 2003", "ELEC-126"),
        ("section 13 of Hindu Mariage Act", "HMA-13"),
        ("Sec 7 & 7A PC (Amd) Act", "PCA-7 PCA-7A"),
        ("S.149(2) (now S.150) MV Act", "MVA-149(2) MVA-150"),
        ("Client in jail for 302 since March.", "IPC-302"),
        (
            "BNS 318(4), 319(2), 111, 3(5) & 66C 66D IT Act",
            "BNS-318(4) BNS-319(2) BNS-111 BNS-3(5) ITECH-66C ITECH-66D",
        ),
        ("Police ne 376 lagaya hai aur 506 bhi", "IPC-376 IPC-506"),
        ("wife filed 498a, 406 and DV (sec 12), also 125", "IPC-498A IPC-406 DVA-12 CrPC-125"),
        (
            "Article 14, 19 (1)(g), 21 and 300-A violated",
            "CONST-14 CONST-19(1)(g) CONST-21 CONST-300A",
        ),
        ("Appeal u/s. 374(2) Cr.PC, 389 application pending", "CrPC-374(2) CrPC-389"),
        ("POCSO 6 and 376(3), 506 of IPC", "POCSO-6 IPC-376(3) IPC-506"),
        ("no notice under sec. 80 of C.P.C.", "CPC-80"),
        (
            "Notice u/s 13(2) SARFAESI, then 13(4), 14 order by DM",
            "SARFAESI-13(2) SARFAESI-13(4) SARFAESI-14",
        ),
        ("sec.138 of NI act & 420 ipc both", "NIA-138 IPC-420"),
        ("498-A/34 I.P.C., 3 & 4 of D.P. Act", "IPC-498A IPC-34 DPA-3 DPA-4"),
        ("S 482 petition for quashing of 498A", "CrPC-482 IPC-498A"),
        (
            "Sections: 115(2), 126(2), 351(2)/3(5) (BNS)",
            "BNS-115(2) BNS-126(2) BNS-351(2) BNS-3(5)",
        ),
        ("s.13(1)(i-a) and (i-b) of Hindu Marriage Act", "HMA-13(1)(ia) HMA-13(1)(ib)"),
        ("u/s 8/21/29 ndps", "NDPS-8 NDPS-21 NDPS-29"),
        ("twin conditions of 37 NDPS", "NDPS-37"),
        ("u/s-307/34 IPC", "IPC-307 IPC-34"),
        ("Secs 7, 13(1)(b) P.C.Act 1988", "PCA-7 PCA-13(1)(b)"),
        ("certificate u/s 63(4) BSA absent", "BSA-63(4)"),
        ("plea to convert 302 into 304 part 2", "IPC-302 IPC-304-II"),
        ("ID Act S.25F not complied; 33C(2) application", "IDA-25F IDA-33C(2)"),
        ("Sec 12 application, DV Act; interim u/s 23", "DVA-12 DVA-23"),
        ("Sec. 106, Transfer of Property Act notice", "TPA-106"),
        ("FIR under section 103 (1), 3 (5) of BNS", "BNS-103(1) BNS-3(5)"),
        (
            "chargesheet has 409 & 420 only, 467-468-471 dropped",
            "IPC-409 IPC-420 IPC-467 IPC-468 IPC-471",
        ),
        ("Sec.106 & 114 of Evidence Act; s. 27 recovery", "IEA-106 IEA-114 IEA-27"),
        ("WP(Crl) under Art. 32 & 226", "CONST-32 CONST-226"),
        ("S.439 CrPC (now 483 BNSS)", "CrPC-439 BNSS-483"),
        ("302 IPC/103 BNS", "IPC-302 BNS-103"),
        ("Sec 5 Limitation, delay 120 days", "LIM-5"),
        ("Compensation u/s 357-A CrPC", "CrPC-357A"),
        ("Passport seized u/s 10(3)(e) Passports Act", "PASS-10(3)(e)"),
        ("u/s 148A(b), 148A(d) & 148 of Income Tax Act", "ITA-148A(b) ITA-148A(d) ITA-148"),
        ("He has earlier cases of 379, 411.", "IPC-379 IPC-411"),
        ("Two cases - one of 324 and other 25 Arms", "IPC-324 ARMS-25"),
        ("Mamla 376 ka hai, ladki 16 saal ki; 6 POCSO bhi laga", "IPC-376 POCSO-6"),
        ("FIR 45/23, 302-201-34", "IPC-302 IPC-201 IPC-34"),
        ("304-B/498-A", "IPC-304B IPC-498A"),
        ("section 27 memo; section 25, 26 bar", "IEA-27 IEA-25 IEA-26"),
        ("PIL under Articles 14 & 21 of Const.", "CONST-14 CONST-21"),
        ("u/A 226", "CONST-226"),
        ("art.311(2)(b) used", "CONST-311(2)(b)"),
        (
            "Arb petition section 34 -> 34(2)(b)(ii) patent illegality, sec 11(6) reference",
            "ARB-34 ARB-34(2)(b)(ii) ARB-11(6)",
        ),
        ("suit for specific performance; sec 20 discretion; 16(c) not pleaded", "SRA-20 SRA-16(c)"),
        ("eviction u/s 14(1)(e) DRC Act, leave to defend u/s 25B", "DRC-14(1)(e) DRC-25B"),
        ("138 NI Act. Vicarious s 141 - no averment. 139 presumption", "NIA-138 NIA-141 NIA-139"),
        ("s.13-B petition, cooling off; HMA", "HMA-13B"),
        (
            "trap case 7/13(2) r/w 13(1)(d) PC Act; sec 20 presumption; sec 19 sanction; 17-A no",
            "PCA-7 PCA-13(2) PCA-13(1)(d) PCA-20 PCA-19 PCA-17A",
        ),
        (
            "Sec 14A appeal; Sec 18 bar; 3(1)(r)(s), 3(2)(va) SC ST Act",
            "SCST-14A SCST-18 SCST-3(1)(r) SCST-3(1)(s) SCST-3(2)(va)",
        ),
        ("Sec 67 & 67-A IT Act with 354-D, 509 IPC", "ITECH-67 ITECH-67A IPC-354D IPC-509"),
        ("u/s 132(1)(b) & (c) r/w 132(5) CGST", "CGST-132(1)(b) CGST-132(1)(c) CGST-132(5)"),
        (
            "ED case: sec 3/4 PMLA, arrest u/s 19, bail s.45 twin, s.50 statement",
            "PMLA-3 PMLA-4 PMLA-19 PMLA-45 PMLA-50",
        ),
        ("IBC s.7 by bank; s.9; moratorium u/s 14; 10A bar", "IBC-7 IBC-9 IBC-14 IBC-10A"),
        ("Order XXXIX Rule 1 and 2 CPC, 151", "CPC-O39R1 CPC-O39R2 CPC-151"),
        ("MCOCA 21(4), 3(1)(ii), 3(4)", "MCOCA-21(4) MCOCA-3(1)(ii) MCOCA-3(4)"),
        ("dhara 302,34 bhadavi", "IPC-302 IPC-34"),
        ("BNS kalam 118(1)", "BNS-118(1)"),
        ("s. 8 of Hindu Succ. Act & s.6 HSA", "HSA-8 HSA-6"),
        ("filed 482 BNSS for AB", "BNSS-482"),
        ("BNSS 173(3) PE not done; 175(3) appln", "BNSS-173(3) BNSS-175(3)"),
        ("63(4)(c) BSA cert. part A, B", "BSA-63(4)(c)"),
        ("313 CrPC statement mein ye sawal nahi", "CrPC-313"),
        ("no 41-A notice, Arnesh Kumar", "CrPC-41A"),
        ("bns 103, 3(5) laga hai", "BNS-103 BNS-3(5)"),
        ("BNS u/s 103(1)", "BNS-103(1)"),
        ("BNS section 64, 65(1)", "BNS-64 BNS-65(1)"),
        ("IPC ki dhara 302", "IPC-302"),
        ("IPC ke 302 mein", "IPC-302"),
        ("under sec 64(2)(m), 351(3) BNS & sec 6 pocso", "BNS-64(2)(m) BNS-351(3) POCSO-6"),
        ("Cr PC 125", "CrPC-125"),
        ("POCSO Act S.6", "POCSO-6"),
        ("Arms Act - 25(1B)(a)", "ARMS-25(1B)(a)"),
        ("Evidence Act - 106", "IEA-106"),
        ("Limitation Act (S.5)", "LIM-5"),
        ("HMA-13(1)(ia)", "HMA-13(1)(ia)"),
        ("DV Act 12 petition", "DVA-12"),
        ("PC Act, 1988: 7, 13(2)", "PCA-7 PCA-13(2)"),
        ("MV Act 166 claim", "MVA-166"),
        ("N.I. 138 case", "NIA-138"),
        ("138 of NI", "NIA-138"),
        ("138 N.I.", "NIA-138"),
        ("CGST 73", "CGST-73"),
        ("JJ 94(2)", "JJA-94(2)"),
        ("CPC O7 R11, S.151", "CPC-O7R11 CPC-151"),
        ("CPC s.100", "CPC-100"),
        ("226 Constitution", "CONST-226"),
        ("Article 226 of COI", "CONST-226"),
        ("Art 14 & 16(1)", "CONST-14 CONST-16(1)"),
        ("Gangsters act 2/3", "UPGA-2 UPGA-3"),
        ("3/4 DP", "DPA-3 DPA-4"),
        ("25/27 Arms Act & 3/5 Explosive Sub. Act", "ARMS-25 ARMS-27 EXPL-3 EXPL-5"),
        ("30(a) Bihar Excise", "BIPE-30(a)"),
        ("u/s 30(a) B.P.E. Act", "BIPE-30(a)"),
        ("7 EC Act", "ECA-7"),
        ("302 BNS? no 103 BNS", "BNS-302 BNS-103"),
        ("sections 302 and/or 304", "IPC-302 IPC-304"),
        ("S.420 rw 34", "IPC-420 IPC-34"),
        ("sec 302 alongwith 34 IPC", "IPC-302 IPC-34"),
        ("u/ss 302, 34", "IPC-302 IPC-34"),
        ("u/s- 302", "IPC-302"),
        ("under Secs. 302", "IPC-302"),
        ("sec= 302 IPC", "IPC-302"),
        ("Offences: 302, 201, 120B.", "IPC-302 IPC-201 IPC-120B"),
        ("Sections are 302 and 201", "IPC-302 IPC-201"),
        ("S-302/34", "IPC-302 IPC-34"),
        ("s302 IPC", "IPC-302"),
        ("Section(s) 302, 201 IPC", "IPC-302 IPC-201"),
        ("Sec. 3(1) (r) & (s) SC/ST", "SCST-3(1)(r) SCST-3(1)(s)"),
        ("3(2)(v-a) SC/ST Act", "SCST-3(2)(va)"),
        ("13(1)d PC Act", "PCA-13(1)(d)"),
        ("20(b)(ii)C NDPS", "NDPS-20(b)(ii)(C)"),
        ("7 r/w 8 of POCSO", "POCSO-7 POCSO-8"),
    ],
)
def test_notations_of_notes(text: str, provisions: str) -> None:
    assert " ".join(provisions_in(text)) == provisions


@pytest.mark.parametrize(
    "text",
    [
        "He is 34 and works at shop no 125, house no 302, 41st street.",
        "Appeal 125 of 2019, revision 397 of 2022, execution 45.",
        "POCSO matter; that she was below 18 was not proved.",
        "BP 140 and pulse 108, sugar 302 after food.",
        "In 302 injured and 161 killed by the blast.",
        "section 5 of the Special Act and section 5 of the Punjab Regn Act",
    ],
)
def test_numbers_of_notes_that_are_not_law(text: str) -> None:
    assert provisions_in(text) == ()


def test_a_long_text_marks_its_sections() -> None:
    note = "He was booked for 302 and section 34 of the Penal Code. "
    assert provisions_in(note) == ("IPC-302", "IPC-34")
    assert provisions_in(note * 300) == ("IPC-34",)


@pytest.mark.parametrize(
    ("text", "provisions"),
    [
        ("Charges 64(1), 137(2) BNS plus S 4 POCSO.", {"BNS-64(1)", "BNS-137(2)", "POCSO-4"}),
        ("At most 105 BNS and not 103 (old 302).", {"BNS-105", "BNS-103", "IPC-302"}),
        ("318(4) BNS case hai, old wale 420, 406.", {"BNS-318(4)", "IPC-420", "IPC-406"}),
        ("FIR 352 BNS. Kya 528 me FIR khatam hogi?", {"BNS-352", "BNSS-528"}),
        ("Article 226 writ. Main 32 ka hu.", {"CONST-226"}),
        ("Licence under CLRA s.12?", {"CLRA-12"}),
    ],
)
def test_numbers_as_juniors_write_them(text: str, provisions: set[str]) -> None:
    assert {citation.provision for citation in find_citations(text)} == provisions


@pytest.mark.parametrize(
    ("text", "provision"),
    [
        ("FIR u/s 21(b) NDPS, bail u/s 439 CrPC. S.50 notice given.", "NDPS-50"),
        ("She says so in her 180 stmt (old 161). FIR u/s 103(1) BNS.", "CrPC-161"),
        ("The limitation of 3 years is by Art 65.", "LIM-65"),
        (
            "Revolver .32 seized. Sanction u/s 39 was given by the DC; appeal u/s 374 CrPC.",
            "ARMS-39",
        ),
        ("Police ne 115(2) aur 352 BNS lagayi, 117 nahi jodi.", "BNS-117"),
    ],
)
def test_the_act_of_a_number_by_its_neighbours(text: str, provision: str) -> None:
    assert provision in provisions_in(text)


def test_an_age_then_and_now_is_no_section() -> None:
    assert "ARMS-27" not in provisions_in("Arms Act, revolver. Sonu then 24 now 27.")
