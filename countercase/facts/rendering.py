"""Facts as sentences: what a fact sheet says where its narrative does not.

Each sentence is short, so that it makes one segment, and uses the words of pleadings.
"""

from __future__ import annotations

from typing import Final

from countercase.facts.model import EvidenceValue, Fact, NumericalValue, PartyValue, SectionValue
from countercase.law.provisions import citation, describe
from countercase.text.numbers import format_amount, format_number

_EVIDENCE_NAMES: Final = (
    ("eyewitness", "the account of an eyewitness"),
    ("victim_testimony", "the testimony of the victim"),
    ("dying_declaration", "a dying declaration"),
    ("confession", "a confession"),
    ("extrajudicial_confession", "an extra-judicial confession"),
    ("recovery", "a recovery"),
    ("medical", "medical evidence"),
    ("forensic", "forensic evidence"),
    ("electronic_record", "an electronic record"),
    ("documentary", "a document"),
    ("test_identification", "a test identification parade"),
    ("last_seen", "the fact that they were last seen together"),
    ("motive", "a motive"),
    ("expert_opinion", "the opinion of an expert"),
)
_PARTY_NAMES: Final = (
    ("Individual", "a private individual"),
    ("Minor", "a minor"),
    ("Corporation", "a corporation"),
    ("State", "the State"),
    ("Union of India", "the Union of India"),
    ("Public servant", "a public servant"),
    ("Employee", "an employee"),
    ("Contractor", "a contractor"),
    ("Tenant", "a tenant"),
    ("Licensee", "a licensee"),
)
_UNIT_WORDS: Final = (
    ("mg", "milligrams"),
    ("g", "grams"),
    ("kg", "kilograms"),
    ("ml", "millilitres"),
    ("l", "litres"),
    ("m", "metres"),
    ("km", "kilometres"),
    ("sq_m", "square metres"),
    ("hectare", "hectares"),
    ("acre", "acres"),
    ("bigha", "bighas"),
)


def render_fact(fact: Fact) -> str:
    """One sentence that states `fact`.

    >>> render_fact(Fact("party:petitioner", "PartyType", PartyValue("petitioner", "Minor")))
    'The petitioner is a minor.'
    """
    value = fact.value
    if isinstance(value, SectionValue):
        return _section(value)
    if isinstance(value, PartyValue):
        return f"The {value.side} is {party_phrase(value.party_type)}."
    if isinstance(value, EvidenceValue):
        return _evidence(value)
    return f"{_figure_of(value)} is {figure_phrase(value)}{_of_what(value)}."


def evidence_phrase(evidence_type: str) -> str:
    """An evidence type in words with its article: `a dying declaration`, `medical evidence`."""
    return dict(_EVIDENCE_NAMES).get(evidence_type, evidence_type.replace("_", " "))


def party_phrase(party_type: str) -> str:
    """A party type in words with its article: `a public servant`, `the Union of India`."""
    return dict(_PARTY_NAMES).get(party_type, party_type)


def figure_phrase(value: NumericalValue) -> str:
    """A figure with its unit in words: `Rs. 5,00,000`, `16 years`, `1.25 kilograms`, `1 day`."""
    if value.kind == "amount":
        return format_amount(value.value)
    unit = dict(_UNIT_WORDS).get(value.unit, value.unit)
    return f"{format_number(value.value)} {unit[:-1] if value.value == 1 else unit}"


def _section(value: SectionValue) -> str:
    _, opening, title = describe(value.provision).partition(" (")
    name = citation(value.provision, "long")
    return f"The offence or provision in question is {name}{opening}{title}."


def _evidence(value: EvidenceValue) -> str:
    weak = ", which is of little weight" if value.strength == "weakened" else ""
    description = " ".join(value.description.split()).rstrip(" .;:,")
    told = f": {description}" if description else ""
    return f"The evidence includes {evidence_phrase(value.evidence_type)}{weak}{told}."


def _figure_of(value: NumericalValue) -> str:
    names = {"amount": "amount in question", "age": "age in question"}
    names |= {"duration": "length of time", "quantity": "quantity in question"}
    return f"The {names[value.kind]}"


def _of_what(value: NumericalValue) -> str:
    return f" ({' '.join(value.context.split())})" if value.context.strip() else ""
