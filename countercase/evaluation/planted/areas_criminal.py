"""Criminal fields: narcotics, homicide, suicide of a wife, dishonoured cheques."""

from __future__ import annotations

from typing import Final

from countercase.evaluation.planted.model import Area, Slot
from countercase.facts.model import EvidenceValue, NumericalValue, PartyValue, SectionValue

_INDIVIDUAL: Final = Slot(
    PartyValue("petitioner", "Individual"),
    ("The appellant, {name}, is an individual known in his village.",),
)
_STATE: Final = Slot(
    PartyValue("respondent", "State"),
    ("The respondent is the {name}.", "The {name} is the respondent."),
)

_NARCOTICS: Final = Area(
    "narcotics",
    "the search",
    "We are instructed by {name}, who was found guilty of carrying a drug.",
    ("This appeal is about a drug.", "The matter before us concerns a seized drug."),
    (
        Slot(
            SectionValue("NDPS-42"),
            ("The defence is that {what} was not followed.", "We rely on {what}."),
        ),
        Slot(
            SectionValue("NDPS-37"),
            ("Liberty pending appeal was refused under {what}.", "Release was refused by {what}."),
        ),
        _INDIVIDUAL,
        _STATE,
        Slot(
            EvidenceValue("recovery", "Charas recovered from a gunny bag"),
            ("The charas was recovered from a gunny bag on the back seat.",),
            (
                "The charas was recovered from a gunny bag lying in the vehicle.",
                "A gunny bag was opened and the charas was recovered out of it.",
                "That the gunny bag held what was recovered has been established.",
            ),
        ),
        Slot(
            EvidenceValue("forensic", "Report of the chemical examiner on the sample"),
            ("The chemical examiner found resin of cannabis in the sample.",),
            (
                "The chemical examiner tested the sample and found resin of cannabis.",
                "Resin of cannabis in the sample was confirmed by the chemical examiner.",
                "We see no flaw in what the chemical examiner found about the resin.",
            ),
        ),
        Slot(
            NumericalValue("quantity", 1350, "g", "charas"),
            ("The charas weighed {what}.", "In all {what} of charas was put on the scales."),
            (
                "On the scales the charas came to {what}.",
                "The weight of the charas was {what}.",
                "It was {what} of charas that the prosecution spoke of.",
            ),
        ),
        Slot(
            NumericalValue("amount", 7600, "INR", "fine"),
            ("A fine of {what} was imposed.", "He was also fined {what}."),
            (
                "A fine of {what} was imposed.",
                "The trial judge added a fine of {what}.",
                "The fine stood at {what}.",
            ),
        ),
    ),
)

_HOMICIDE: Final = Area(
    "homicide",
    "the quarrel",
    "We are instructed by {name}, who was found guilty of a killing.",
    ("This appeal is about a killing.", "A life was lost, and this appeal is the result."),
    (
        Slot(
            SectionValue("IPC-302"),
            ("The conviction was under {what}.", "The trial ended in a conviction under {what}."),
        ),
        Slot(
            SectionValue("IPC-34"),
            ("His brother was joined with the aid of {what}.", "He was joined by way of {what}."),
        ),
        _INDIVIDUAL,
        _STATE,
        Slot(
            EvidenceValue("dying_declaration", "Dying declaration to the tehsildar"),
            ("A dying declaration was taken down by the tehsildar in the ward.",),
            (
                "The tehsildar took down a dying declaration in the ward.",
                "Much was said before us about the dying declaration of the man.",
                "The dying declaration was read out in full at the hearing.",
            ),
        ),
        Slot(
            EvidenceValue("eyewitness", "A milkman saw the blows"),
            ("An eyewitness, a milkman, saw the blows from the lane.",),
            (
                "A milkman spoke as an eyewitness of the blows.",
                "The eyewitness was a milkman standing in the lane.",
                "We have weighed what the eyewitness said of the blows.",
            ),
        ),
        Slot(
            NumericalValue("age", 23, "years", "appellant"),
            ("The appellant was aged {what} then.", "On that day the appellant was aged {what}."),
            (
                "The appellant was aged {what} on that day.",
                "He was then {what} of age.",
                "The school entry makes the appellant {what} old.",
            ),
        ),
        Slot(
            NumericalValue("amount", 26000, "INR", "compensation"),
            ("He was told to pay {what} as compensation.", "Compensation of {what} was ordered."),
            (
                "Compensation of {what} was ordered.",
                "The family was to receive compensation of {what}.",
                "The sum of {what} was fixed as compensation.",
            ),
        ),
    ),
)

_SUICIDE: Final = Area(
    "suicide",
    "the death",
    "We are instructed by {name}, whose wife died by suicide at her matrimonial home.",
    ("This appeal is about the suicide of a wife.", "A wife took her own life by hanging."),
    (
        Slot(
            SectionValue("IPC-306"),
            ("The conviction was under {what}.", "He stands convicted under {what}."),
        ),
        Slot(
            SectionValue("IEA-113A"),
            ("The trial judge leaned on {what}.", "A presumption was drawn under {what}."),
        ),
        _INDIVIDUAL,
        _STATE,
        Slot(
            EvidenceValue("documentary", "Letters that the wife wrote to her sister"),
            ("Letters written to her sister were exhibited.",),
            (
                "Letters written to her sister were exhibited.",
                "The letters to her sister were put on the record as exhibits.",
                "We have gone through the letters that her sister had kept.",
            ),
        ),
        Slot(
            EvidenceValue("medical", "Post-mortem report on the cause of death"),
            ("The post-mortem report gave asphyxia as the cause.",),
            (
                "The post-mortem report spoke of asphyxia.",
                "According to the post-mortem report the cause was asphyxia.",
                "Asphyxia, in the words of the post-mortem report, was the cause.",
            ),
        ),
        Slot(
            NumericalValue("duration", 5, "years", "since marriage"),
            ("She died {what} after the marriage.", "The marriage had lasted {what}."),
            (
                "The marriage had lasted {what} by then.",
                "She had been married for {what}.",
                "From marriage to death there were {what}.",
            ),
        ),
        Slot(
            NumericalValue("amount", 340000, "INR", "money asked for"),
            ("The sum asked for was {what}.", "It is said that {what} was asked for."),
            (
                "The sum asked for was {what}.",
                "Money to the tune of {what} had been asked for.",
                "The talk at home was of {what}.",
            ),
        ),
    ),
)

_CHEQUE: Final = Area(
    "cheque",
    "the return of the cheque",
    "We are instructed by {name}, who was found guilty over a cheque.",
    ("This appeal is about a cheque that was not honoured.", "A cheque came back unpaid."),
    (
        Slot(
            SectionValue("NIA-138"),
            ("The complaint was under {what}.", "He was tried under {what}."),
        ),
        Slot(
            SectionValue("NIA-118"),
            ("The trial judge leaned on {what}.", "The other side leans on {what}."),
        ),
        Slot(
            PartyValue("petitioner", "Contractor"),
            ("The appellant, {name}, is a contractor.",),
        ),
        Slot(
            PartyValue("respondent", "Corporation"),
            ("The respondent is a private company.", "A private company is the respondent."),
        ),
        Slot(
            EvidenceValue("documentary", "Written agreement of loan"),
            ("A written agreement of loan was exhibited.",),
            (
                "A written agreement of loan was exhibited.",
                "The loan rested on a written agreement that both had put their names to.",
                "We were taken through the written agreement clause by clause.",
            ),
        ),
        Slot(
            EvidenceValue("electronic_record", "WhatsApp messages about repayment"),
            ("WhatsApp messages about repayment were produced.",),
            (
                "WhatsApp messages about repayment were produced.",
                "Repayment had been spoken of in WhatsApp messages.",
                "The trial judge read the WhatsApp messages as a promise.",
            ),
        ),
        Slot(
            NumericalValue("amount", 460000, "INR", "cheque"),
            ("The cheque was for {what}.", "The cheque was drawn for {what}."),
            (
                "The cheque was for {what}.",
                "It was drawn in the sum of {what}.",
                "What the drawer was to pay came to {what}.",
            ),
        ),
        Slot(
            NumericalValue("duration", 22, "days", "from return of the cheque to notice"),
            ("Notice was sent {what} after the return of the cheque.",),
            (
                "Notice went out {what} after the return of the cheque.",
                "Between the memo of return and the notice lay {what}.",
                "It took {what} before notice was sent.",
            ),
        ),
    ),
)

CRIMINAL: Final = (_NARCOTICS, _HOMICIDE, _SUICIDE, _CHEQUE)
