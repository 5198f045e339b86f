"""Sections: the provisions that a case cites.

Counsel exchange a provision for the one that a court would weigh instead (`law/data/what_ifs.jsonl`),
leave it out, or add one. For the codes of 2023 the rows of the codes that they replaced are asked,
through the correspondences.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from countercase.fact_types.base import FactType, capital, template_of
from countercase.fact_types.catalogue import WhatIf, matter_of, rows_for, rows_that_add
from countercase.fact_types.suppositions import suppose, suppose_added
from countercase.facts.area_of_law import is_last_charge, names_of, provisions, provisions_of
from countercase.facts.edits import Change, Edit, apply_edits
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, SectionValue
from countercase.law.citations import find_citations
from countercase.law.in_force import NEW_CODES
from countercase.law.offences import is_charged
from countercase.law.provision_ids import citation, widened
from countercase.law.provisions import describe, other_number, provision_name, twins
from countercase.text.spans import Span

_BY_ITSELF: Final = "What is charged is proved, and fails, by itself."
_NO_CASE: Final = "No charge would be left, and with it no case to try."
_LEFT_OUT: Final = "Left out, it shows how much of the matter rests on it."


class Section(FactType):
    """A provision, in normal form, with every citation of it; both codes of one provision are one."""

    name = "Section"
    heading = "provision"
    after = ()

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """Return every provision that the text cites, by first citation."""
        merged = _merge_codes(_find_places(narrative.text))
        return [_fact(SectionValue(provision), places) for provision, places in merged.items()]

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """Return the stated provisions with their citations, in either code, in the order given."""
        cited = _find_places(narrative.text)
        stated = {str(value) for value in values}
        facts = []
        for value in values:
            own = str(value)
            named = {own, *twins(own)} - stated | {own}
            spans = sorted({span for name in named for span in cited.get(name, ())})
            facts.append(_fact(value, spans))
        return facts

    def state(self, sheet: FactSheet, fact: Fact, template: int = 0) -> str:
        """Return `The charge is under section 302 of the Indian Penal Code: punishment for murder.`"""
        provision = str(fact.value)
        _, opening, title = describe(provision).partition(" (")
        long, short = citation(provision, "long"), provision_name(provision)
        return template_of("charge" if is_charged(provision) else "provision", template).format(
            long=long, short=short, Long=capital(long), Short=capital(short),
            other=citation(other_number(provision), "long"), title=f" ({title}" if opening else "",
        )  # fmt: skip

    def what_ifs(self, sheet: FactSheet, fact: Fact) -> list[Edit]:
        """Return the provision exchanged for each that a court would weigh instead, then left out."""
        edits = [edit for row in rows_for(sheet, fact) for edit in _exchange(sheet, fact, row)]
        return [*{edit.edit_id: edit for edit in edits}.values(), _leave_out(sheet, fact)]

    def additions(self, sheet: FactSheet) -> list[Edit]:
        """Return the charges that counsel would see added."""
        return [
            suppose_added(sheet, row, new, SectionValue(new))
            for row in rows_that_add(sheet, self.name)
            for new in [matter_of(sheet).on_the_day(row.becomes)]
        ]

    def label(self, fact: Fact) -> str:
        """Return `section 302 IPC (punishment for murder)`."""
        return describe(str(fact.value))

    def noun(self, fact: Fact) -> str:
        """Return `section 302 IPC`."""
        return provision_name(str(fact.value))

    def becomes(self, sheet: FactSheet, before: Fact | None, after: Fact | None) -> str:
        """Return `section 304B IPC would give way to section 306 IPC`, and in the other code would be."""
        if before and after:
            same = str(after.value) in twins(str(before.value))
            change = "be" if same else "give way to"
            return f"{self.noun(before)} would {change} {self.noun(after)}"
        if before:
            return f"{self.noun(before)} no longer applies"
        assert after is not None
        return f"{self.noun(after)} applies"

    def like(self, fact: Fact, other: Fact) -> bool:
        """Return whether both are one provision, in either code, or one is a part of the other."""
        own, cited = str(fact.value), str(other.value)
        names = {own, *twins(own)}
        wider = {name for each in names for name in widened(each) if "-" in name}
        return cited in wider or bool(names & set(widened(cited)))

    def features(self, fact: Fact) -> tuple[str, ...]:
        """Return `provision:IPC-302`: the provision, what it is a part of, and what it replaced."""
        return tuple(f"provision:{name}" for name in names_of(str(fact.value)) if "-" in name)


def _find_places(text: str) -> dict[str, list[Span]]:
    places = defaultdict[str, list[Span]](list)
    for cited in find_citations(text):
        places[cited.provision].append(cited.span)
    return places


def _merge_codes(spans: dict[str, list[Span]]) -> dict[str, list[Span]]:
    """Provisions with their places; one named in both codes is that of the code named first."""
    merged: dict[str, list[Span]] = {}
    for provision, places in spans.items():
        twin = next((p for p in merged if p in twins(provision)), provision)
        acts = {name.partition("-")[0] for name in (provision, twin)}
        name = twin if any(acts == {*codes} for codes in NEW_CODES.items()) else provision
        merged[name] = sorted([*merged.get(name, ()), *places])
    return merged


def _exchange(sheet: FactSheet, fact: Fact, row: WhatIf) -> Iterator[Edit]:
    matter, before = matter_of(sheet), str(fact.value)
    new = matter.on_the_day(row.becomes, before)
    names = {name for name in names_of(new) if "-" in name} - {*names_of(before)}
    is_cited = new in matter.provisions or not names.isdisjoint(matter.cited)
    is_part = not {*matter.provisions}.isdisjoint(names_of(before)[1:])  # it goes with the whole
    if new == before or is_cited or is_part or not matter.stands(new):
        return
    verb = "were charged" if is_charged(new) else "applied"
    clause = f"{provision_name(new)} {verb} in place of {provision_name(before)}"
    change = Change(fact.fact_id, "Section", "replace", fact.value, SectionValue(new))
    supposed = matter.name_law(row.suppose, before) or clause
    yield suppose(sheet, change, supposed, row.name, new, row.reason)


def _leave_out(sheet: FactSheet, fact: Fact) -> Edit:
    provision, matter = str(fact.value), matter_of(sheet)
    trial = matter.area == "criminal" and not matter.cited & provisions_of("no trial")
    why, own = _LEFT_OUT, {*names_of(provision)}
    pleaded = own & provisions_of("lesser homicide") and matter.cited & provisions_of("murder")
    charged = is_charged(provision) and trial and not pleaded
    shared = [p for p in provisions(sheet) if provisions_of("shared") & {*names_of(p)}]
    if trial and own & provisions_of("joint") and shared == [provision]:
        why = "Without it each of the accused answers for his own act alone."
    change = Change(fact.fact_id, "Section", "remove", fact.value, None)
    done = "not charged" if charged else "left out of account"
    clause = f"{provision_name(provision)} were {done}"
    edit = suppose(sheet, change, clause, "section left out", provision, why)
    if not charged or own & provisions_of("beside an offence"):
        return edit
    alone = is_last_charge(provision, provisions(apply_edits(sheet, [edit])))
    return replace(edit, reason=_NO_CASE if alone else _BY_ITSELF)


def _fact(value: FactValue, spans: Sequence[Span]) -> Fact:
    return Fact(f"section:{value}", "Section", value, tuple(spans))


FACT_TYPE = Section()
