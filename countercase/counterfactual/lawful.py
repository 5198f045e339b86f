"""The one place that refuses an edit: rules of law on the sheet, after its consequences.

A rule speaks against a state only where the edits brought the contradiction in: a case that is odd
from the beginning is the user's own. Nothing reads the narrative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from countercase.counterfactual.validators import Verdict
from countercase.fact_types.catalogue import ages_of, matter_of
from countercase.fact_types.lines import charged_offences, is_sentence, quantity_tier
from countercase.fact_types.roles import role_of
from countercase.facts.area_of_law import cites, names_of, provisions
from countercase.facts.edits import Edit, apply_edits, compatible
from countercase.facts.model import FactSheet, NumericalValue, PartyValue, SectionValue
from countercase.io import read_table
from countercase.law.in_force import in_force
from countercase.law.offences import term_bounds
from countercase.law.provisions import provision_name, tier_of
from countercase.text.units import convert

_OLDEST: Final = 110
_FULL_AGE: Final = 18


@dataclass(frozen=True)
class Exclusive:
    """Offences that cannot both be charged for one act, and why."""

    provisions: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Objection:
    """What the law says against a sheet: a sentence, and the provision behind it."""

    reason: str
    provision: str


Rule = Callable[[FactSheet, FactSheet], Objection | None]
"""What the law says against a sheet, given the case as it is."""


def _figures_are_possible(sheet: FactSheet, _: FactSheet) -> Objection | None:
    for _, value in sheet.valued(NumericalValue):
        if value.kind == "age" and not 0 <= value.value <= _OLDEST:
            return Objection(f"Nobody is {value.value:g} years old.", "IEA-35")
        if value.kind != "age" and value.value <= 0:
            return Objection(f"Nothing measures {value.value:g} {value.unit}.", "IEA-3")
    return None


def _clauses_fit_quantities(sheet: FactSheet, _: FactSheet) -> Objection | None:
    tiers = {quantity_tier(sheet, v) for _, v in sheet.valued(NumericalValue)} - {None}
    for _, value in sheet.valued(SectionValue):
        tier = tier_of(value.provision)
        if tier is not None and tiers and tier not in tiers:
            name = provision_name(value.provision)
            [other, *_] = sorted(filter(None, tiers))
            return Objection(
                f"{name} is for a quantity that is {tier}, and the quantity is {other}.",
                value.provision,
            )
    return None


def _minors_are_tried_as_such(sheet: FactSheet, _: FactSheet) -> Objection | None:
    offices = ("PCA", "PCA47", "IPC-161", "IPC-409")
    for _, party in sheet.valued(PartyValue):
        if party.party_type != "Minor":
            continue
        if role_of(sheet, party) == "accused" and cites(sheet, offices):
            return Objection(
                "A person under eighteen holds no office, and is not tried for an offence of "
                "public servants.", "JJA-2(12)",
            )  # fmt: skip
        if any(age >= _FULL_AGE for age in ages_of(sheet, party)):
            return Objection(
                "One of eighteen or more is no minor.", "Indian Majority Act, 1875, s. 3"
            )
    return None


def _law_stands_on_the_day(sheet: FactSheet, root: FactSheet) -> Objection | None:
    if not sheet.occurred_on:
        return None
    matter, stood = matter_of(sheet), {*provisions(root)}
    for provision in (p for p in provisions(sheet) if p not in stood):
        others = tuple(p for p in matter.provisions if p != provision)
        if not in_force(provision, matter.when, others):
            name = provision_name(provision)
            return Objection(f"{name} was not law on {sheet.occurred_on}.", provision)
    return None


def _sentences_fit_offences(sheet: FactSheet, _: FactSheet) -> Objection | None:
    bounds = term_bounds(charged_offences(sheet))
    for _, value in sheet.valued(NumericalValue):
        months = convert(value.value, value.unit, "months") if is_sentence(value) else None
        if bounds and months is not None and not bounds[0] <= round(months, 1) <= bounds[1]:
            law = provisions(sheet)[0]
            return Objection(f"No court could pass a sentence of {value}.", law)
    return None


def _charges_exclude_nothing(sheet: FactSheet, _: FactSheet) -> Objection | None:
    held = [{*names_of(provision)} for provision in provisions(sheet)]
    for row in read_table("law/exclusive", Exclusive):
        if all(any(name in names for names in held) for name in row.provisions):
            return Objection(row.reason, row.provisions[0])
    return None


RULES: Final[tuple[tuple[str, Rule], ...]] = (
    ("figure.possible", _figures_are_possible),
    ("quantity.clause", _clauses_fit_quantities),
    ("minor.tried", _minors_are_tried_as_such),
    ("law.in_force", _law_stands_on_the_day),
    ("sentence.terms", _sentences_fit_offences),
    ("charges.exclusive", _charges_exclude_nothing),
)
"""The rules, in their order."""


class LawfulValidator:
    """The rules of this module, in their order."""

    def judge(self, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
        """Return the first rule that speaks against the state, or that none does."""
        if not compatible(edits):
            return Verdict(
                False, "Two of the edits change the same fact, so they cannot hold at once.",
                "edits.compatible",
            )  # fmt: skip
        state = apply_edits(root, edits)
        for name, rule in RULES:
            objection = rule(state, root)
            if objection is not None and rule(root, root) is None:
                return Verdict(False, objection.reason, name, objection.provision)
        return Verdict(True, "No rule of law speaks against it.", "rules")
