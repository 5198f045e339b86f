"""Rules that no case can break: each returns what is wrong with a fact sheet, or None.

What happened is read from the narrative of the case as it was: to take away the post-mortem report
does not bring the deceased to life.

The rules are about what cannot be, not about what a court would decide: a charge that the facts
defeat is a case like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from countercase.fact_types.lines import impossible, quantity_tier
from countercase.fact_types.party_wording import ages_of
from countercase.facts.area_of_law import cites, names_of, provisions
from countercase.facts.model import EvidenceValue, FactSheet, NumericalValue, PartyValue
from countercase.law.provision_ids import citation
from countercase.law.provisions import tier_of
from countercase.text.units import convert

_LEGAL_PERSONS: Final = frozenset({"Corporation", "State", "Union of India"})
_MARRIAGE: Final = re.compile(r"marri|wedding|wedlock", re.IGNORECASE)
DEATH: Final = re.compile(
    r"\b(?:die[sd]?|dead|deaths?|deceased|dying|kill(?:ed|ing)|murder\w*|suicide|succumbed|fatal\w*"
    r"|post[\s-]?mortem|autopsy|corpse|hang(?:ed|ing)|drowned|homicide"
    r"|lost (?:his|her|their) li(?:fe|ves))\b",
    re.IGNORECASE,
)
_OWN_HAND: Final = re.compile(
    r"\b(?:suicid\w*|hang(?:ed|ing)|poison\w*|burn\w*|drown\w*|jumped|kerosene|insecticide"
    r"|(?:took|ended|taken) (?:his|her) (?:own )?life|set (?:himself|herself))\b",
    re.IGNORECASE,
)
DEATHLY: Final = ("IPC-302", "IPC-304", "IPC-304A", "IPC-304B", "IPC-306", "IPC-396")
_BODILY: Final = (
    *("IPC-302", "IPC-304", "IPC-304B", "IPC-307", "IPC-323", "IPC-324", "IPC-325", "IPC-326"),
    *("IPC-354", "IPC-376", "POCSO"),
)
_EXCLUSIVE: Final = (
    ("IPC-302", "IPC-304-I", "IPC-304-II", "IPC-304", "IPC-304A"),
    ("IPC-379", "IPC-411"),
    ("NDPS-20(b)(ii)(A)", "NDPS-20(b)(ii)(B)", "NDPS-20(b)(ii)(C)"),
    ("NDPS-15(a)", "NDPS-15(b)", "NDPS-15(c)"),
    ("NDPS-18(a)", "NDPS-18(b)", "NDPS-18(c)"),
    ("NDPS-21(a)", "NDPS-21(b)", "NDPS-21(c)"),
    ("NDPS-22(a)", "NDPS-22(b)", "NDPS-22(c)"),
    ("CrPC-227", "CrPC-228"),
    ("CrPC-239", "CrPC-240"),
)
Objection = Callable[[FactSheet, str], str | None]
"""(a state, the narrative of the case as it was) to what is wrong with the state."""


def impossible_figure(sheet: FactSheet, _narrative: str) -> str | None:
    """Ages run from 0 to 110, a year has its days, and nothing measures 0."""
    return next((why for value in _figures(sheet) if (why := impossible(value))), None)


def age_of_a_minor(sheet: FactSheet, _narrative: str) -> str | None:
    """A minor is under eighteen, and a public servant is not."""
    for party in _parties(sheet):
        for age in ages_of(sheet, party):
            if party.party_type == "Minor" and age >= 18:
                return (
                    f"The {party.side} is {age:g} years old and of full age under section 3 of "
                    "the Indian Majority Act, 1875, so he cannot be a minor."
                )
            if party.party_type == "Public servant" and age < 18:
                return (
                    f"The {party.side} is {age:g} years old, a minor under section 3 of the Indian "
                    "Majority Act, 1875, and cannot hold a public office."
                )
    return None


def age_of_a_legal_person(sheet: FactSheet, _narrative: str) -> str | None:
    """A company, a State or the Union has no age."""
    for party in _parties(sheet):
        if party.party_type in _LEGAL_PERSONS and ages_of(sheet, party):
            kind = "company" if party.party_type == "Corporation" else "Government"
            return (
                f"The {party.side} has an age, and a {kind} is a legal person under "
                "section 3(42) of the General Clauses Act, 1897, that has none."
            )
    return None


def bodily_offence_of_a_company(sheet: FactSheet, _narrative: str) -> str | None:
    """An offence against the body is the act of a natural person."""
    sides = {party.side: party.party_type for party in _parties(sheet)}
    prosecuted = {"State", "Union of India"} & set(sides.values())
    if "Corporation" in sides.values() and prosecuted and cites(sheet, _BODILY):
        return (
            "Section 11 of the Penal Code counts a company as a person, but an offence against "
            "the body is the act of a natural person."
        )
    return None


def office_of_a_company(sheet: FactSheet, _narrative: str) -> str | None:
    """Article 311 protects persons, and a company holds no civil post."""
    types = {party.party_type for party in _parties(sheet)}
    if (
        "Corporation" in types
        and cites(sheet, ("CONST-311",))
        and not types
        & {
            *("Individual", "Public servant", "Employee", "Contractor"),
        }
    ):
        return (
            "Article 311 of the Constitution protects those who hold a civil post, and a company "
            "holds none."
        )
    return None


def union_against_itself(sheet: FactSheet, _narrative: str) -> str | None:
    """Nobody is both parties to one case."""
    if [party.party_type for party in _parties(sheet)].count("Union of India") > 1:
        return (
            "Article 300 of the Constitution makes the Union of India one person, and it "
            "cannot be both parties to a case."
        )
    return None


def late_dowry_death(sheet: FactSheet, _narrative: str) -> str | None:
    """A dowry death occurs within seven years of marriage."""
    if not cites(sheet, ("IPC-304B",)):
        return None
    for value in _figures(sheet):
        if value.kind == "duration" and _MARRIAGE.search(value.context):
            years = convert(value.value, value.unit, "years")
            if years is not None and years > 7:
                return (
                    "Section 304B of the Penal Code needs a death within seven years of "
                    f"marriage, and {years:g} years are stated."
                )
    return None


_YOUNGEST: Final = 14


def married_as_a_child(sheet: FactSheet, _narrative: str) -> str | None:
    """Nobody is long married at an age at which that makes a wedding of a small child."""
    married = [
        years
        for value in _figures(sheet)
        if value.kind == "duration" and _MARRIAGE.search(value.context)
        if (years := convert(value.value, value.unit, "years")) is not None
    ]
    for value in _figures(sheet):
        wife = value.kind == "age" and _WIFE.search(value.context)
        if wife and married and value.value - max(married) < _YOUNGEST:
            return (
                f"At {value.value:g} years of age, married for {max(married):g}, she would have "
                "been a child at her wedding, which the Prohibition of Child Marriage Act forbids."
            )
    return None


_WIFE: Final = re.compile(r"deceased|wife|bride|victim")


def homicide_without_death(sheet: FactSheet, narrative: str) -> str | None:
    """Murder, culpable homicide, dowry death and abetted suicide need that somebody died."""
    if not narrative.strip() or DEATH.search(narrative):
        return None
    named = next((p for p in provisions(sheet) if set(names_of(p)) & set(DEATHLY)), None)
    if named is None:
        return None
    return f"An offence under {citation(named)} needs a death, and the narrative speaks of none."


def suicide_without_own_hand(sheet: FactSheet, narrative: str) -> str | None:
    """Abetment of suicide needs a suicide."""
    if not cites(sheet, ("IPC-306",)) or not narrative.strip() or _OWN_HAND.search(narrative):
        return None
    return (
        "Section 306 of the Penal Code needs a suicide, and nothing in the narrative speaks of a "
        "death by one's own hand."
    )


def declaration_of_the_living(sheet: FactSheet, narrative: str) -> str | None:
    """A dying declaration is the statement of one who is dead."""
    kinds = {v.evidence_type for _, v in sheet.valued(EvidenceValue) if v.strength != "absent"}
    if "dying_declaration" in kinds and narrative.strip() and not DEATH.search(narrative):
        return (
            "Section 32(1) of the Evidence Act lets in the statement of a person who is dead, "
            "and the narrative speaks of no death."
        )
    return None


def tier_against_quantity(sheet: FactSheet, _narrative: str) -> str | None:
    """The tier of the NDPS Act that is charged agrees with the quantity that was seized."""
    charged = next((p for p in provisions(sheet) if tier_of(p)), None)
    if charged is None:
        return None
    seized = [(v, t) for v in _figures(sheet) if (t := quantity_tier(sheet, v)) is not None]
    if not seized or any(t == tier_of(charged) for _, t in seized):
        return None
    value, tier = seized[0]
    return (
        f"{value.value:g} {value.unit} of {value.context} is a quantity of the {tier} tier under "
        f"section 2 of the NDPS Act, and {citation(charged)} is for the {tier_of(charged)} tier."
    )


_TIER_WORDS: Final = {
    "commercial": r"\b(?:above|over|exceed(?:s|ed|ing)?) (?:the )?commercial\b"
    r"|(?<!non[ -])(?<!below )(?<!than )(?<!the )\bcommercial\b"
    r"(?! (?:starts|begins|from|is|upto|up|limit|mark))",
    "intermediate": r"\bintermediate\b|\bnon[ -]commercial\b",
    "small": r"\bsmall (?:quantity|qty)",
}


def tier_in_words(sheet: FactSheet, _narrative: str, tier: str) -> str | None:
    """The narrative calls what was seized by the tier that it has, and by no other `tier`."""
    if re.search(_TIER_WORDS[tier], sheet.narrative, re.IGNORECASE) is None:
        return None
    tiers = {t for p in provisions(sheet) if (t := tier_of(p)) is not None}
    tiers = tiers or {t for v in _figures(sheet) if (t := quantity_tier(sheet, v)) is not None}
    if not tiers or tier in tiers or (tier == "intermediate" and tiers == {"small"}):
        return None
    return (
        f"The narrative speaks of a quantity of the {tier} tier under section 2 of the "
        f"NDPS Act, and what was seized is of the {'/'.join(sorted(tiers))} tier."
    )


def cited_twice(sheet: FactSheet, _narrative: str) -> str | None:
    """One provision is one fact."""
    cited = provisions(sheet)
    twice = next((p for p in cited if cited.count(p) > 1), None)
    if twice is None:
        return None
    return (
        f"One act would stand twice under {citation(twice)}, and section 71 of the Penal Code "
        "allows one punishment for it."
    )


def exclusive_provisions(sheet: FactSheet, _narrative: str) -> str | None:
    """Some provisions cannot both apply to one act."""
    for group in _EXCLUSIVE:
        held = [p for p in provisions(sheet) if set(names_of(p)) & set(group)]
        if len(held) > 1:
            return (
                f"One act cannot fall both under {citation(held[0])} and under {citation(held[1])}."
            )
    return None


RULES: Final[tuple[tuple[str, Objection], ...]] = (
    ("figure.possible", impossible_figure),
    ("party.age", age_of_a_minor),
    ("party.no_age", age_of_a_legal_person),
    ("party.body", bodily_offence_of_a_company),
    ("party.office", office_of_a_company),
    ("party.one_union", union_against_itself),
    ("section.twice", cited_twice),
    ("section.exclusive", exclusive_provisions),
    ("section.dowry_death", late_dowry_death),
    ("section.death", homicide_without_death),
    ("section.suicide", suicide_without_own_hand),
    ("section.quantity", tier_against_quantity),
    *((f"figure.tier_{tier}", partial(tier_in_words, tier=tier)) for tier in _TIER_WORDS),
    ("figure.marriage", married_as_a_child),
    ("evidence.dying_declaration", declaration_of_the_living),
)
"""(name, rule), in the order in which they are checked."""


def _figures(sheet: FactSheet) -> Iterator[NumericalValue]:
    return (fact.value for fact in sheet.facts if isinstance(fact.value, NumericalValue))


def _parties(sheet: FactSheet) -> list[PartyValue]:
    return [fact.value for fact in sheet.facts if isinstance(fact.value, PartyValue)]
