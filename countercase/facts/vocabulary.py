"""The closed vocabularies of a fact sheet: party types, evidence types, units and outcomes.

Every reader, rule and report uses these words, so a value that is not listed here is an
input error and never a new category.
"""

from __future__ import annotations

from typing import Final, Literal

from countercase import registry

FACT_TYPES: Final = ("Section", "PartyType", "Evidence", "Numerical")
"""The four fact types of this package, in the order in which every table lists them."""


def known_fact_type(name: str) -> str:
    """Return the name of a fact type; for any other a `ValueError` lists those that are known."""
    if name not in (names := registry.FACT_TYPES.names()):
        raise ValueError(f'"{name}" is no fact type (known: {", ".join(names)})')
    return name


PARTY_TYPES: Final = (
    "Individual", "Minor", "Corporation", "State", "Union of India", "Public servant", "Employee",
    "Contractor", "Tenant", "Licensee",
)  # fmt: skip
"""What a party is in law. `State` includes a State's departments and local authorities."""

SIDES: Final[tuple[Literal["petitioner", "respondent"], ...]] = ("petitioner", "respondent")
"""`petitioner` is whoever came to the court: appellant, petitioner, applicant, plaintiff."""

EVIDENCE_TYPES: Final = (
    "eyewitness", "victim_testimony", "dying_declaration", "confession",
    "extrajudicial_confession", "recovery", "medical", "forensic", "electronic_record",
    "documentary", "test_identification", "last_seen", "motive", "expert_opinion",
    "search_safeguard", "sanction", "electronic_certificate", "arrest_grounds", "injury_grade",
    "weapon", "sudden_quarrel", "report_delay", "hostile_witness", "related_witness", "settlement",
    "antecedents", "circumstance",
)  # fmt: skip
"""Kinds of evidence, and of procedure and circumstance, that courts weigh by rules of their own."""

ROLES: Final = (
    "accused", "complainant", "victim", "deceased", "prosecution", "employer", "employee",
    "claimant", "insurer", "tenant", "landlord", "detenu", "detaining authority", "assessee",
    "tax department", "plaintiff", "defendant", "husband", "wife", "witness",
)  # fmt: skip
"""What a person is in the matter; ages and parties have one where the text says so."""
OWNERS: Final = (
    *ROLES, "injured", "child", "parent", "relative", "consumer", "service provider", "creditor",
    "debtor", "public authority",
)  # fmt: skip
MOST: Final = 1e15
"""Whose a figure may be, and the largest that there is."""

DURATION_UNITS: Final = ("minutes", "hours", "days", "weeks", "months", "years")
QUANTITY_UNITS: Final = (
    "mg", "g", "kg", "ml", "l", "m", "km", "sq_m", "sq_ft", "sq_yd", "hectare", "acre", "bigha",
    "cent", "guntha", "kanal", "marla", "biswa", "katha", "dhur", "ground", "tola", "sovereign", "cm",
    "kVA", "kW", "hp", "tablet", "bottle",
)  # fmt: skip
COUNT_UNITS: Final = ("accused", "blows", "injuries", "witnesses", "victims", "children", "workers")
UNITS: Final = {
    "amount": ("INR",), "age": ("years", "months"), "duration": DURATION_UNITS,
    "quantity": QUANTITY_UNITS, "count": COUNT_UNITS,
}  # fmt: skip
"""The units of each kind of figure; what is counted bears on the law by its number."""

OUTCOMES: Final = ("allowed", "partly allowed", "dismissed", "remanded", "disposed of")
"""How a court disposed of the matter before it. Never part of a query."""
