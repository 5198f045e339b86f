"""What judges whether a set of edits makes a case that could come before a court: rules of law.

They are the one place that refuses an edit, on the sheet after its consequences. A rule speaks
against a state only where the edits brought the contradiction in: a case that is odd from the
beginning is the user's own. Nothing reads the narrative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, runtime_checkable

from countercase.errors import InputError, call
from countercase.fact_types import lines
from countercase.fact_types.catalogue import ages_of, matter_of
from countercase.fact_types.consequences import FULL_AGE, MAJORITY, Following
from countercase.fact_types.roles import role_of
from countercase.facts.area_of_law import cites, names_of, provisions, provisions_of
from countercase.facts.edits import Edit, apply_edits, compatible
from countercase.facts.model import FactSheet, NumericalValue, PartyValue
from countercase.io import read_table, shown
from countercase.law.in_force import PROCEDURE, in_force
from countercase.law.offences import is_charged
from countercase.law.provisions import provision_name, tier_of
from countercase.registry import VALIDATORS

_OLDEST: Final = 110


@dataclass(frozen=True)
class Verdict:
    """Whether a state is plausible, why, the rule that decided, and the law against it, if any."""

    plausible: bool
    reason: str
    rule: str
    provision: str = ""


@runtime_checkable
class Validator(Protocol):
    """Judges whole states: the root's sheet and the set of edits applied to it."""

    def judge(self, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
        """Return the verdict on `root` with all of `edits`."""


def open_validator(validator: Validator | str = "rules") -> Validator:
    """Return a validator that is open, or open it by its name; ConfigError where it has none."""
    if not isinstance(validator, str) and hasattr(validator, "judge"):
        return validator
    opened: Validator = VALIDATORS.make(str(validator))
    return opened


def judged(validator: Validator, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
    """Return a validator's verdict; InputError where one of a user fails or gives something else."""
    name = f"the validator {type(validator).__name__}"
    verdict = call(name, validator.judge, root, edits)
    if not isinstance(verdict, Verdict):
        raise InputError(f"{name} returned {shown(verdict)} in place of a Verdict")
    return verdict


Objection: TypeAlias = tuple[str, str]
"""What the law says against a sheet: a sentence, "" where it may not, and the provision behind it."""


def _figures_are_possible(sheet: FactSheet) -> Iterator[Objection]:
    for _, value in sheet.valued(NumericalValue):
        if value.kind == "age" and not 0 <= value.value <= _OLDEST:
            yield f"Nobody is {value.value:g} years old.", "IEA-35"
        if value.kind != "age" and value.value <= 0:
            yield f"Nothing measures {value.value:g} {value.unit}.", "IEA-3"


def _clauses_fit_quantities(sheet: FactSheet) -> Iterator[Objection]:
    tiers = {lines.quantity_tier(sheet, v) for _, v in sheet.valued(NumericalValue)} - {None}
    for provision in provisions(sheet):
        tier = tier_of(provision)
        if tier is not None and tiers and tier not in tiers:
            other = min(filter(None, tiers))
            reason = f"is for a quantity that is {tier}, and the quantity is {other}."
            yield f"{provision_name(provision)} {reason}", provision


def _minors_are_tried_as_such(sheet: FactSheet) -> Iterator[Objection]:
    for _, party in sheet.valued(PartyValue):
        if party.party_type != "Minor":
            continue
        if role_of(sheet, party) == "accused" and cites(sheet, provisions_of("office")):
            reason = "holds no office, and is not tried for an offence of public servants."
            yield f"A person under eighteen {reason}", "JJA-2(12)"
        if any(age >= FULL_AGE for age in ages_of(sheet, party)):
            yield "One of eighteen or more is no minor.", MAJORITY


def _law_stands_on_the_day(sheet: FactSheet) -> Iterator[Objection]:
    matter = matter_of(sheet)
    for provision in matter.provisions if sheet.occurred_on else ():
        others = tuple(p for p in matter.provisions if p != provision)
        if not in_force(provision, matter.when, others):
            yield f"{provision_name(provision)} was not law on {sheet.occurred_on}.", provision


def _punishments_fit_offences(sheet: FactSheet) -> Iterator[Objection]:
    charged = lines.charged_offences(sheet)
    known = len(charged) >= sum(map(is_charged, provisions(sheet)))
    for _, value in sheet.valued(NumericalValue):
        allowed = {offence.provision: lines.punishes(offence, value) for offence in charged}
        refused = next((name for name, allows in allowed.items() if allows is False), "")
        if refused and not any(allowed.values()):
            yield f"{provision_name(refused)} does not allow {value}." if known else "", refused


def _charges_fit_figures(sheet: FactSheet) -> Iterator[Objection]:
    """The other way round what follows where a figure crosses a line (`consequences_of`)."""
    sides: dict[str, set[str]] = {}
    for _, value in sheet.valued(NumericalValue):
        for line in lines.lines_of(sheet, value):
            side = "above" if lines.is_above(line, value) else "below"
            sides.setdefault(line.provision, set()).add(side)
    for row in read_table("law/consequences", Following):
        if row.excludes and sides.get(row.line) == {row.side}:
            for provision in provisions(sheet):
                if row.cited in names_of(provision):
                    yield matter_of(sheet).name_law(row.reason), provision


def _charges_exclude_nothing(sheet: FactSheet) -> Iterator[Objection]:
    held = [{*names_of(provision)} for provision in provisions(sheet)]
    for row in read_table("law/exclusive", dict):  # offences of which one act is not both
        if all(any(name in names for names in held) for name in row["provisions"]):
            yield row["reason"], row["provisions"][0]


RULES: Final[tuple[tuple[str, Callable[[FactSheet], Iterator[Objection]]], ...]] = (
    ("figure.possible", _figures_are_possible),
    ("quantity.clause", _clauses_fit_quantities),
    ("minor.tried", _minors_are_tried_as_such),
    ("law.in_force", _law_stands_on_the_day),
    ("sentence.terms", _punishments_fit_offences),
    ("figure.charge", _charges_fit_figures),
    ("charges.exclusive", _charges_exclude_nothing),
)
"""The rules, in their order: each gives what the law says against a sheet."""


class LawfulValidator:
    """The rules of this module, in their order."""

    def judge(self, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
        """Return the first rule that speaks against the state and not against the case as it is."""
        if not compatible(edits):
            reason = "Two of the edits change the same fact, so they cannot hold at once."
            return Verdict(False, reason, "edits.compatible")
        state = apply_edits(root, edits)
        for name, rule in RULES:
            if objections := [*rule(state)]:
                old = {provision for _, provision in rule(root)}
                if rule is _law_stands_on_the_day:  # also what is of a code that the case cites
                    own = {law for _, law in objections if matter_of(root).stands(law)}
                    day = any(edit.occurred_on for edit in edits)  # of which procedure may be later
                    old |= {it for it in own if not day or it.partition("-")[0] in PROCEDURE}
                for reason, provision in objections:
                    if reason and provision not in old:
                        return Verdict(False, reason, name, provision)
        return Verdict(True, "No rule of law speaks against it.", "rules")
