"""Civil fields: public service and tenancy."""

from __future__ import annotations

from typing import Final

from countercase.evaluation.planted.model import Area, Slot
from countercase.facts.model import EvidenceValue, NumericalValue, PartyValue, SectionValue

_SERVICE: Final = Area(
    "service",
    "the incident",
    "We are instructed by {name}, who lost a post after an inquiry.",
    ("This appeal is about the loss of a post.", "A post was lost, and this appeal followed."),
    (
        Slot(
            SectionValue("CONST-16"),
            ("The order is attacked under {what}.", "Our first ground is {what}."),
        ),
        Slot(
            SectionValue("CONST-226"),
            ("The petition was brought under {what}.", "The High Court was moved under {what}."),
        ),
        Slot(
            PartyValue("petitioner", "Employee"),
            ("The appellant, {name}, is an employee.",),
        ),
        Slot(
            PartyValue("respondent", "State"),
            ("The respondent is the {name}.", "The {name} is the respondent."),
        ),
        Slot(
            EvidenceValue("documentary", "Attendance register of the office"),
            ("The attendance register was exhibited.",),
            (
                "The attendance register was exhibited.",
                "Absence was sought to be shown from the attendance register.",
                "We have looked at the attendance register page by page.",
            ),
        ),
        Slot(
            EvidenceValue("expert_opinion", "Handwriting expert on the initials"),
            ("A handwriting expert compared the initials.",),
            (
                "A handwriting expert compared the initials.",
                "The initials were sent to a handwriting expert.",
                "On the initials the handwriting expert was definite.",
            ),
        ),
        Slot(
            NumericalValue("duration", 14, "years", "service"),
            ("The length of service was {what}.", "There had been {what} of service."),
            (
                "The length of service was {what}.",
                "The career had run for {what} of service.",
                "Behind the appellant lay {what} of service.",
            ),
        ),
        Slot(
            NumericalValue("amount", 38000, "INR", "shortage"),
            ("The shortage was put at {what}.", "The stores were short by {what}."),
            (
                "The shortage was put at {what}.",
                "The stores were said to be short by {what}.",
                "A shortage of {what} was worked out.",
            ),
        ),
    ),
)

_TENANCY: Final = Area(
    "tenancy",
    "the dispute",
    "We are instructed by {name}, who is to give up a shop.",
    ("This appeal is about the possession of a shop.", "Possession of a shop is in question."),
    (
        Slot(
            SectionValue("TPA-106"),
            ("The suit failed to heed {what}, we say.", "Our first ground is {what}."),
        ),
        Slot(
            SectionValue("CPC-100"),
            ("The High Court was moved under {what}.", "The second appeal lay under {what}."),
        ),
        Slot(
            PartyValue("petitioner", "Tenant"),
            ("The appellant, {name}, is a tenant.",),
        ),
        Slot(
            PartyValue("respondent", "Individual"),
            ("The respondent, {name}, is an individual known in his town.",),
        ),
        Slot(
            EvidenceValue("documentary", "Rent receipts"),
            ("Rent receipts were exhibited.",),
            (
                "Rent receipts were exhibited.",
                "A bundle of rent receipts was put in.",
                "We have gone through the rent receipts.",
            ),
        ),
        Slot(
            EvidenceValue("expert_opinion", "Report of a valuer on the roof"),
            ("A valuer reported on the state of the roof.",),
            (
                "A valuer reported on the state of the roof.",
                "The roof had been inspected by a valuer.",
                "What the valuer wrote about the roof was read to us.",
            ),
        ),
        Slot(
            NumericalValue("duration", 20, "days", "notice"),
            ("The notice gave {what} to leave.", "The notice allowed {what}."),
            (
                "The notice gave {what} to leave.",
                "By the notice {what} were allowed.",
                "Not more than {what} had been given by the notice.",
            ),
        ),
        Slot(
            NumericalValue("amount", 4700, "INR", "monthly rent"),
            ("The monthly rent is {what}.", "The rent stands at {what} a month."),
            (
                "The monthly rent was {what}.",
                "Rent ran at {what} a month.",
                "For the shop {what} a month was paid as rent.",
            ),
        ),
    ),
)

CIVIL: Final = (_SERVICE, _TENANCY)
