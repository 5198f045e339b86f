"""The parties of notes as juniors and clients write them: who stands on which side, as what.

Each note has its answer worked out by hand. The client stands as the petitioner unless the note
calls the client a respondent, an opposite party or a defendant whom another has brought to court;
the accused stands as the petitioner against the prosecution.
"""

from __future__ import annotations

import pytest

from countercase.fact_types.party.recognise import names_in_title, party_type_of
from countercase.facts.extraction import extract
from countercase.facts.model import PartyValue

_TYPES = {
    "Ind": "Individual", "Min": "Minor", "Cor": "Corporation", "State": "State",
    "Union": "Union of India", "Pub": "Public servant", "Emp": "Employee", "Con": "Contractor",
    "Ten": "Tenant", "Lic": "Licensee",
}  # fmt: skip
_SIDES = {"P": "petitioner", "R": "respondent"}

_NOTES = [
    # murder and hurt
    ("I am father of late Suresh. Those two men, Kallu and Bhura, beat him with rods, he died in "
     "hospital. Court has acquitted both, 302 IPC. Can I appeal?", "P Ind, R Ind"),
    ("My brother Rakesh is in jail from 8 months in 103 BNS case, police caught him only on doubt.",
     "P Ind"),
    ("Bail appln for A-3 Mohan Lal, S. 109(1) BNS, PS Kotwali. State of Haryana has filed reply.",
     "P Ind, R State"),
    ("For the accused, jail appeal, 302/34 IPC, life. APP for State argues last seen.",
     "P Ind, R State"),
    ("Appearing for complainant in cancellation of bail. Accused Sumit threatened witnesses, 307 "
     "IPC.", "P Ind, R Ind"),
    ("Clt is injured in 326 IPC, wants to oppose the bail of accused Vinod.", "P Ind, R Ind"),
    ("I am the widow of Harpal who was shot on 4 May. Police is protecting the accused Jagga, "
     "FIR u/s 302 lodged late.", "P Ind, R Ind"),
    ("State appeal against acquittal, 302 IPC. We are for the State of Kerala; accused was "
     "acquitted for want of motive.", "P State, R Ind"),
    # dowry and cruelty
    ("My daughter was burnt by her husband and in-laws within 2 yrs of marriage. 304B, 498A. They "
     "got bail yesterday.", "P Ind, R Ind"),
    ("Anticipatory bail for mother in law, aged 63, FIR u/s 85 BNS by the bahu. State opposing.",
     "P Ind, R State"),
    ("We act for husband Nikhil and his parents, quash 498A FIR. Wife is R-2, State is R-1.",
     "P Ind, R State, R Ind"),
    ("My wife has put false 498A and 406 case on me and my old parents in Jaipur.", "P Ind, R Ind"),
    # sexual offences
    ("POCSO appeal, accused Ramu 24 convicted u/s 6, victim 15. State of Bihar resp.",
     "P Ind, R State"),
    ("My daughter of 13 yrs was touched badly by tuition teacher. Police not writing POCSO FIR.",
     "P Min, R Ind"),
    ("Client is prosecutrix, 27 yrs, opposes quashing of 376 FIR. Accused Deepak is a colleague.",
     "P Ind, R Ind"),
    ("I m 22, boy from Indore, girl's father filed 137(2), 64 BNS on me though we are married.",
     "P Ind, R Ind"),
    # narcotics
    ("NCB Bangalore, bail u/s 37 for client Ajay, 1.2 kg charas in parcel. NDPS 20(b)(ii)(C).",
     "P Ind, R Union"),
    ("Truck driver Gurnam, 400 kg poppy husk u/s 15(c) NDPS, regular bail. State of Punjab says "
     "conscious possession.", "P Ind, R State"),
    ("DRI seized 8 kg gold; client is carrier, customs case sec 135, bail.", "P Ind, R Union"),
    ("My bhai has medical shop, drug inspector put 22(c) NDPS on him for tramadol.", "P Ind"),
    # corruption
    ("Trap case, client is head clerk in Zila Parishad, PC Act s. 7, ACB Pune.", "P Pub, R State"),
    ("CBI DA case agst income tax inspector, 13(1)(b) PC Act; we are for him.", "P Pub, R State"),
    ("Client is a private person, a tout acc. to ACB Nagpur, s. 7A PC Act, bail.", "P Ind, R State"),
    ("I gave complaint to vigilance that patwari Suraj asked 5000 bribe for mutation, now I am "
     "threatened.", "P Ind, R Pub"),
    # cheating, trust, forgery
    ("Quash 420 IPC FIR. Petitioners are directors of Blue Leaf Infra Pvt Ltd; R2 is the flat "
     "buyer, Mr Sethi. State of UP R1.", "P Ind, R State, R Ind"),
    ("Company M/s Northline Agro Ltd is accused no. 1 in 420, 406 case; complainant is a bank.",
     "P Cor, R Cor"),
    ("My business partner Imran ran away with 12 lakhs of our firm, police says civil matter. I want "
     "FIR u/s 316(2), 318(4).", "P Ind, R Ind"),
    ("Bail for cashier of co-op bank, 409 IPC, embezzlement; State counsel opposes.",
     "P Ind, R State"),
    ("EOW Delhi FIR, 420/467/468. AB for chartered accountant Mr. Rao.", "P Ind, R State"),
    ("ED has attached flat of my client Sunita under PMLA, appeal to tribunal.", "P Ind, R Union"),
    # cheque
    ("138 NI, we are for complainant M/s Kaveri Traders, a partnership firm. Accused Pvt Ltd co. "
     "gave two chqs.", "P Cor, R Cor"),
    ("138 complaint: my friend Tarun took 4 lakh hand loan and his cheque bounced.", "P Ind, R Ind"),
    ("Appearing for accused Shobha in cheque case by Muthoot Finance Ltd.", "P Ind, R Cor"),
    ("Clt gave security chq to chit fund company, now 138 summons has come to him.", "P Ind, R Cor"),
    ("Cheque bounce. Client: proprietor of Sai Steels. Drawer is M/s Apex Fabricators LLP.",
     "P Ind, R Cor"),
    ("Bank has put 138 case on me for EMI cheque of car loan.", "P Ind, R Cor"),
    ("HUF through karta Mr Jain lent 9 lakhs; cheque of borrower Ritesh returned, 138 notice sent.",
     "P Ind, R Ind"),
    # motor accident
    ("MACT: for claimants, parents of deceased bachelor 24. Insurer says driver had no licence.",
     "P Ind, R Cor"),
    ("We act for the insurance company in MACT appeal. Claimants are widow and 2 minor sons.",
     "P Cor, R Ind, R Min"),
    ("My husband died in accident by roadways bus. MACT case to be filed on UPSRTC.",
     "P Ind, R Cor"),
    ("Appeal by owner of truck; tribunal gave recovery rights to insurer, s. 149 MV Act.",
     "P Ind, R Cor"),
    ("My son 9 yrs lost leg in school bus accident, MACT claim, bus owner is the school trust.",
     "P Min, R Cor"),
    ("Injured claimant is govt teacher, 35% disability, MACT. New India Assurance contests.",
     "P Ind, R Cor"),
    # service
    ("I am peon in Collector office, removed from service without enquiry. State of Gujarat says "
     "temporary.", "P Pub, R State"),
    ("OA before CAT: client LDC in Ministry of Defence, denied MACP by Union of India.",
     "P Pub, R Union"),
    ("WP by lecturer in govt college, transfer malafide. State Govt has filed counter.",
     "P Pub, R State"),
    ("My father was constable, died on duty; department refused me compassionate job.",
     "P Ind, R State"),
    ("Railways removed client, a gangman, for absence. CAT OA against UOI.", "P Pub, R Union"),
    ("We are for State in the appeal; respondent teacher got regularisation from single judge.",
     "P State, R Pub"),
    ("Bank clerk of SBI dismissed after domestic enquiry, wants reinstatement; bank says loss of "
     "confidence.", "P Emp, R Cor"),
    # labour
    ("25F ID Act, workman removed after 6 yrs, labour court. Management of Zenith Mills says "
     "contractor's man.", "P Emp, R Cor"),
    ("My company terminated me by one email, 11 yrs service, no gratuity paid.", "P Emp, R Cor"),
    ("For management in gratuity appeal. Employee resigned after 4 yrs 10 months.", "P Cor, R Emp"),
    ("I am driver in a private transport company, they are not giving 3 months wages.",
     "P Emp, R Cor"),
    ("Maid servant not paid by Mr Kapoor, minimum wages claim before labour commissioner.",
     "P Emp, R Ind"),
    # land
    ("LA ref u/s 18, claimants 4 brothers, farmers. SLAO gave Rs 40 per sq ft. State in appeal.",
     "P Ind, R State"),
    ("NHAI took my land for highway and gave very less compensation.", "P Ind, R State"),
    ("Land acquired for railway line, Union of India is requiring body, farmers want 28A.",
     "P Ind, R Union"),
    ("Gram panchayat is claiming my bada as its land, stay wanted.", "P Ind, R State"),
    # civil
    ("Suit for specific performance, we are for plaintiff buyer; defendant seller Mr. Naidu sold to "
     "third party.", "P Ind, R Ind"),
    ("Partition: my brothers are not giving me share in father's house at Nagpur.", "P Ind, R Ind"),
    ("For defendant society in injunction suit by a member for parking.", "P Ind, R Cor"),
    ("Builder M/s Skyline Homes not giving possession, suit for refund by client.", "P Ind, R Cor"),
    ("Temple trust sues the encroacher Ramaiah for possession of its land, we act for trust.",
     "P Cor, R Ind"),
    ("O. 37 summary suit, client Gupta Textiles (sole prop. Anil Gupta) v. buyer co. Orient Ltd.",
     "P Ind, R Cor"),
    ("Money suit by bank on my client, guarantor. Leave to defend.", "P Ind, R Cor"),
    ("My uncle made false will of dadaji and took all property, probate case.", "P Ind, R Ind"),
    ("Suit agst municipal corporation to stop demolition of client's shop.", "P Ind, R State"),
    # tenancy
    ("Landlord wants me out of shop where I am paying rent since 1998.", "P Ten, R Ind"),
    ("We act for landlady, 71. Tenant sublet to his nephew. Eviction petn.", "P Ind, R Ten"),
    ("Tenant is a bank, lease over 2 yrs ago; owner is our client, mesne profits.", "P Ind, R Ten"),
    ("Leave and licence ended, licensee not vacating my flat at Thane.", "P Ind, R Lic"),
    ("Waqf board wants to evict client, tenant of 40 yrs.", "P Ten, R Cor"),
    # tax and GST
    ("Client M/s Om Steels Pvt Ltd, ITC blocked u/r 86A; State GST officer gave no reasons.",
     "P Cor, R State"),
    ("Assessee is individual doctor, s. 148 notice, ITO Ward 3.", "P Ind, R Union"),
    ("CGST Commissionerate cancelled registration of my proprietor client.", "P Ind, R Union"),
    ("Appeal of Commr of Income Tax agst ITAT order; we are for respondent assessee co.",
     "P Union, R Cor"),
    ("Customs seized goods of importer firm, bill of entry, SAD refund.", "P Cor, R Union"),
    # writs and others
    ("Passport office refused renewal as 1 FIR is pending on me.", "P Ind, R Union"),
    ("University not declaring my result for less attendance, WP.", "P Ind, R Cor"),
    ("HCP: wife says husband detained under NSA by DM, grounds not supplied. State of MP.",
     "P Ind, R State"),
    ("Writ by widow for family pension, Govt of Odisha delaying 3 years.", "P Ind, R State"),
    ("WP by private unaided school society agst fee order of State.", "P Cor, R State"),
    ("Appearing for R-3 Municipality in WP filed by shopkeeper for licence.", "P Ind, R State"),
    ("Electricity board gave 4 lakh theft bill to my atta chakki.", "P Ind, R Cor"),
    ("SARFAESI: bank took possession of client's house, DRT appeal for borrower.", "P Ind, R Cor"),
    # family
    ("I am Rubina, husband gave talaq by phone and left me with 2 kids, need maintenance 144 BNSS.",
     "P Ind, R Ind"),
    ("Husband's petition for divorce 13(1)(ia) HMA on cruelty; we appear for the wife, respondent.",
     "P Ind, R Ind"),
    ("Custody of son 6 yrs, mother is client, father took him to Dubai.", "P Ind, R Ind"),
    ("My son and bahu have thrown me out of my own house, I am 74, senior citizen tribunal.",
     "P Ind, R Ind"),
    ("Maintenance revision for husband, army jawan; wife and minor daughter got 12k.",
     "P Ind, R Ind"),
    # consumer
    ("My mediclaim was rejected by Star Health, complaint before district commission.", "P Ind, R Cor"),
    ("OP hospital is our client, complainant says wrong operation of his mother.", "P Ind, R Cor"),
    ("I bought a car, engine seized in 2 months, dealer not listening. Consumer case.",
     "P Ind, R Cor"),
    ("Builder's appeal before NCDRC, allottee got refund with 12%.", "P Cor, R Ind"),
    # arbitration and contracts
    ("S. 34 by PWD agst award for contractor M/s Shree Infra, escalation.", "P State, R Con"),
    ("Contractor client, road work, deptt. not paying final bill, wants arbitrator.",
     "P Con, R State"),
    ("S. 11 petn, client is a company, supply contract with NTPC Ltd.", "P Cor, R Cor"),
    # juvenile, cyber, defamation
    ("My nephew, 16 yr, is in observation home in 103 BNS case.", "P Min"),
    ("CICL aged 17, heinous offence, JJB sent to children's court. State opposes.",
     "P Min, R State"),
    ("Cyber police Hyderabad froze my current a/c, I sell mobile covers.", "P Ind, R State"),
    ("News channel defamed our client, a cooperative bank; complaint 356 BNS.", "P Cor, R Cor"),
    ("Someone made my fake insta id and posted morphed photos, I am girl 19.", "P Ind"),
    # who comes to this court
    ("Convict u/s 376 IPC has appealed; there is no State appeal. HC enhanced the sentence.",
     "P Ind, R State"),
    ("District and State Commission ordered my mediclaim to be paid. Now the insurance company has "
     "gone to the Supreme Court.", "P Cor, R Ind"),
    ("High Court acquitted my uncle u/s 304B IPC and now State has filed SLP in Supreme Court.",
     "P State, R Ind"),
    ("Labour court put me, a fitter, back in work. Now management has gone to High Court.",
     "P Cor, R Emp"),
    ("We act for the insured, mediclaim. The insurer has now gone to the National Commission.",
     "P Cor, R Ind"),
    ("My father had two shops and paid income tax. In insurer's appeal the High Court cut the "
     "compensation for his death.", "P Ind"),
    ("I am accused u/s 420 IPC. State has taken time in High Court.", "P Ind, R State"),
    # precedents are no parties
    ("Award set aside u/s 34, following Ssangyong Engineering and Asha Builders. Claimant's appeal "
     "u/s 37 against NHAI.", "R State"),
    ("Bail for accused Deepu, 420 IPC; relied on State of Haryana v. Bhajan Lal.", "P Ind"),
    # offences of public servants
    ("Ss. 7 and 13(1)(d) PC Act 1988, trap. Accused convicted, demand not proved.", "P Pub"),
    ("State appeal, s. 161 IPC and 5(2) PC Act 1947; accused acquitted of taking 50 rupees.",
     "P State, R Pub"),
    ("S. 7 PC Act. Accused is a private person, middleman of the tehsildar; trap money on him.",
     "P Ind"),
    ("Appellant abetted a bribe, s. 12 PC Act.", "P Ind"),
    # companies, lessees of goods, officers of a State
    ("We act for complainant, 138 NI Act; drawer co.'s manager got an FIR for theft of the cheque.",
     "P Ind, R Cor"),
    ("My husband, an engineer, worked for a private hospital, rules of hospital applied. He died in "
     "its van.", "P Ind"),
    ("NCLT admitted s. 7 IBC petition without notice to corporate debtor; respondent bank sent an "
     "e-mail.", "P Cor, R Cor"),
    ("Agricultural income-tax officer of State reopened assessment of the assessee company, a "
     "planter.", "P Cor, R State"),
    ("Hire purchase of an excavator, lessee in default, FIR u/s 406 IPC. Bail for accused Gopal.",
     "P Ind"),
    # contractors, tenants, the prosecution
    ("We ply tankers for an oil company at fixed rates; arbitrator gave escalation, HC set it aside.",
     "P Con, R Cor"),
    ("Eviction for sub-letting; tenant's nephew runs the shop. HC under Art. 227 remanded.", "R Ten"),
    ("My cousin is convicted, 302 IPC. Can the prosecution use his phone record?", "P Ind, R State"),
    # of full age at the time
    ("Juvenility plea in 302 IPC appeal: school paper makes appellant 19 years on that day.",
     "P Ind"),
    ("Juvenility plea: my nephew was 16 at the time of the murder, he is 24 years now.", "P Min"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parties"), _NOTES)
def test_a_note_names_its_parties(text: str, parties: str) -> None:
    read = [f.value for f in extract(text, tagger=False).of_type("PartyType")]
    found = {(v.side, v.party_type) for v in read if isinstance(v, PartyValue)}
    wanted = (party.split() for party in parties.split(", "))
    assert found == {(_SIDES[side], _TYPES[kind]) for side, kind in wanted}


@pytest.mark.parametrize(
    ("title", "petitioner", "respondent"),
    [
        ("Ram Singh & Ors. v. State of M.P. & Anr.", "Individual", "State"),
        ("Smt. Kamla Devi (D) thr LRs v. Union of India", "Individual", "Union of India"),
        ("M/s Om Steels v. Commr of CGST", "Corporation", "Union of India"),
        ("M/s Gupta Stores thr. its prop. Anil Gupta v. UOI", "Individual", "Union of India"),
        ("Asha Builders Pvt. Ltd. v. NHAI", "Corporation", "State"),
        (
            "New India Assurance Co. Ltd. through its Manager v. Smt. Rekha",
            "Corporation",
            "Individual",
        ),
        ("Mahesh Jain (HUF) through Karta v. ITO, Ward 3", "Individual", "Union of India"),
        ("Shri Ram Mandir Trust v. Ramaiah", "Corporation", "Individual"),
        ("Sai Co-op. Housing Society Ltd vs Municipal Commissioner", "Corporation", "State"),
        (
            "M/s A.B. Traders, a partnership firm, through its partner Mohan v. HDFC Bank",
            "Corporation",
            "Corporation",
        ),
        ("UOI & Ors. v. Ex-Hav Surjit Singh", "Union of India", "Individual"),
        ("Pr. CIT v. Orient Ltd.", "Union of India", "Corporation"),
        ("State (NCT of Delhi) v. Mohd. Afzal", "State", "Individual"),
        ("X (minor) thr. her father v. State of Kerala", "Minor", "State"),
        ("Director, Sky Infra Pvt Ltd v. State of UP", "Individual", "State"),
        ("Commr of Police, Delhi v. Ct. Ramesh", "State", "Individual"),
        ("UPSRTC v. Kamla", "Corporation", "Individual"),
        ("DGGI v. Rakesh", "Union of India", "Individual"),
        ("M/S. Kavya Exports LLP v. Collector of Customs", "Corporation", "Union of India"),
        ("Kolkata Municipal Corporation v. M/s Ganga Hotels", "State", "Corporation"),
        ("PWD v. Sharma Constructions", "State", "Corporation"),
        ("Gram Panchayat Rampur through Sarpanch v. Bhola", "State", "Individual"),
        ("The Managing Director, KSRTC v. Lakshmi", "Corporation", "Individual"),
    ],
)
def test_a_title_says_what_either_side_is(title: str, petitioner: str, respondent: str) -> None:
    names = names_in_title(title)
    assert tuple(party_type_of(name) for name in names) == (petitioner, respondent)
