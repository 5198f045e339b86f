"""Sections: the provisions that a case cites.

The neighbouring provision that a court would weigh against the one that is cited.

The neighbours and what decides between them are in `law/data/neighbours.jsonl`, for the codes of
1860, 1872 and 1973 and the special Acts. For the codes of 2023 they are derived through the
correspondences. A change between the tiers of the NDPS Act takes the quantity along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from countercase.fact_types import cumulative
from countercase.fact_types.argued import says_the_law, without_points
from countercase.fact_types.base import FactType
from countercase.fact_types.citation_rewriting import (
    alone_in_its_list,
    cite_instead,
    renamed_offence,
    restyle,
    said_otherwise,
    uncite,
)
from countercase.fact_types.consequences import (
    WordingError,
    consequences_of_clause,
    consequences_of_neighbour,
    in_sheet_order,
    reason_of_following,
    with_consequences,
)
from countercase.fact_types.lines import reading_date
from countercase.fact_types.neighbours import (
    NEW_ACTS,
    Neighbour,
    act_of,
    neighbours,
    possible,
    says_more,
)
from countercase.fact_types.rewriting import in_order, null_edit
from countercase.fact_types.through_figures import changed_through_figures
from countercase.facts.area_of_law import cites, names_of, provisions, widened
from countercase.facts.edits import Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, SectionValue
from countercase.law.citations import find_citations
from countercase.law.in_force import code_in_force, in_force
from countercase.law.provision_ids import citation
from countercase.law.provisions import describe, predecessors, provision_name, same_law, successors
from countercase.text.spans import Span

_OLD_YEAR: Final = re.compile(r"\b(?:19\d\d|20[01]\d|202[0-3])\b(?! *-? *(?:sq|kg))")


_ASKED_FOR: Final = re.compile(
    r"(?i)\b(?:(?:down|reduced?|altered?|converted?) (?:in)?to|asks? for|prays? for|pleads? for"
    r"|fight is for)\b[^.;]{0,40}\Z"
)


def propose(sheet: FactSheet) -> list[Edit]:
    """Each provision cited, changed into each of its neighbours that is not cited already.

    A provision named in both codes (`103(1) BNS (old 302)`) is changed once: the new number, and
    the old one beside it as its consequence. An old one without its new number (`old 302/34`) has
    neighbours of its own code. Where the law leaves no neighbour, a provision changes through the
    figure that it rests on. Last, one of several charges or grounds is left out.
    """
    edits = _by_neighbours(sheet)
    changed = {edit.fact_id for edit in edits}
    rest = (fact for fact in sheet.of_type("Section") if fact.fact_id not in changed)
    through = (edit for fact in rest for edit in changed_through_figures(sheet, fact))
    edits += [edit for edit in through if not _has_row(edit)]
    without = {edit.fact_id for edit in edits if not edit.perturbed_value}
    rest = (fact for fact in sheet.of_type("Section") if fact.fact_id not in without)
    edits += [edit for fact in rest if (edit := cumulative.left_out(sheet, fact))]
    argued = {fact.fact_id for fact in sheet.of_type("Section") if says_the_law(sheet, fact)}
    return [without_points(sheet, edit) for edit in edits if edit.fact_id not in argued]


def _has_row(edit: Edit) -> bool:
    """Whether the two are neighbours, so that the narrative has left no room for the change."""
    rows = neighbours(edit.original_value, edit.perturbed_value.startswith("BN"))
    return any(row.neighbour == edit.perturbed_value for row in rows if row.neighbour)


def _by_neighbours(sheet: FactSheet) -> list[Edit]:
    cited = provisions(sheet)
    named = {c.provision for c in find_citations(sheet.narrative)} | set(cited)
    named_in_part = {wider for provision in cited for wider in widened(provision)}
    when = reading_date(sheet)
    new_law = code_in_force("IPC", when, cited) == "BNS"
    return [
        edit
        for fact, value in sheet.valued(SectionValue)
        if not (new_law and _named_in_the_new_code(sheet, fact, value.provision, named_in_part))
        for row in neighbours(value.provision, new_law and act_of(value.provision) not in NEW_ACTS)
        if (not _is_named(row.neighbour, named - {value.provision}) or _moves_on(sheet, row))
        and (not row.neighbour or in_force(row.neighbour, when, cited))
        and when.meets("", row.until)
        and possible(sheet, row)
        and not cites(sheet, row.barred)
        and not says_more(sheet, fact, row)
        if (edit := _edit(sheet, fact, row)) is not None
    ]


_OF_OLD: Final = re.compile(
    r"(?i)\b(?:old|earlier|erstwhile|former(?:ly)?|corresponding|equivalents?)\b[^.;]{0,40}\Z"
)


def _named_in_the_new_code(sheet: FactSheet, fact: Fact, provision: str, named: set[str]) -> bool:
    """Whether what replaced an old provision is cited too, or it is given only as the old number."""
    new = successors(provision)
    if {wider for each in new for wider in widened(each) if "-" in wider} & named:
        return True
    return bool(new) and any(
        _OF_OLD.search(sheet.narrative, max(0, span.start - 60), span.start) for span in fact.spans
    )


def _moves_on(sheet: FactSheet, row: Neighbour) -> bool:
    """Whether the neighbour is cited only as what is asked for, and has a lesser one itself."""
    asked = next((f for f, v in sheet.valued(SectionValue) if v.provision == row.neighbour), None)
    lesser = {cited for cited, becomes in row.takes if becomes} & set(names_of(row.neighbour))
    return (
        asked is not None
        and bool(asked.spans and lesser)
        and all(
            _ASKED_FOR.search(sheet.narrative, max(0, span.start - 60), span.start)
            for span in asked.spans
        )
    )


def _old_names(row: Neighbour) -> Iterator[tuple[str, str]]:
    """What the new code's provision replaced, and what its neighbour did: `103 BNS (old 302)`."""
    for old in predecessors(row.provision):
        own = [
            r.neighbour
            for r in neighbours(old)
            if r.neighbour and row.neighbour in successors(r.neighbour)[:1]
        ]
        yield from ((old, new) for new in (own or predecessors(row.neighbour))[:1])


def _is_named(provision: str, named: set[str]) -> bool:
    """Whether the case names the provision already, or what it is part of, or a part of it."""
    wider = {name for name in widened(provision) if "-" in name}
    return bool(wider & named) or any(provision in widened(name) for name in named)


def reason(edit: Edit) -> str:
    """What decides between the two provisions of the edit; "" for an unknown pair."""
    if edit.rule == "section.through_a_figure":
        return reason_of_following(edit.provision, edit.original_value, edit.perturbed_value)
    rows = neighbours(edit.original_value, new_law=edit.perturbed_value.startswith("BN"))
    other = "" if edit.perturbed_value else cumulative.REASON
    return next((row.reason for row in rows if row.neighbour == edit.perturbed_value), other)


def propose_nulls(sheet: FactSheet) -> list[Edit]:
    """Each citation in another style, and each provision as the new code numbers it.

    Not where the new code says less (section 304 Part II becomes section 105, without its Part) or
    other things (section 406 rises from three years to five), nor before it came into force (an
    undated case that speaks of an earlier year is one of the old code), nor where the case names
    both codes.
    """
    edits = []
    acts = {act_of(provision) for provision in provisions(sheet)}
    for fact in sheet.of_type("Section"):
        provision = str(fact.value)
        words, short = restyle(sheet, fact, provision), citation(provision, "short")
        edits += null_edit(sheet, fact, "null.citation_form", words, None, short)
        both = NEW_ACTS.get(act_of(provision)) in acts
        for new in successors(provision)[:1] if not both else ():
            dated = sheet.occurred_on or _OLD_YEAR.search(sheet.narrative)
            early = dated and not in_force(new, reading_date(sheet), ())
            if provision in predecessors(new) and same_law(provision, new) and not early:
                words, short = cite_instead(sheet, fact, new), citation(new, "short")
                edits += null_edit(sheet, fact, "null.successor", words, SectionValue(new), short)
    return edits


def _edit(sheet: FactSheet, fact: Fact, row: Neighbour) -> Edit | None:
    old, new = row.provision, row.neighbour
    if not new:
        words = uncite(sheet, fact, with_clause=True)
        if not words:
            return None
        rule, removed = "section.without", tuple(sorted(set(words)))
        return Edit(fact.fact_id, "Section", old, "", rule, old, None, removed)
    renamed = renamed_offence(sheet, fact, new)
    if renamed is None:
        return None
    leaves = [] if act_of(old) == act_of(new) else alone_in_its_list(sheet, fact)
    replacements = in_order(
        [*leaves, *cite_instead(sheet, fact, new), *renamed, *said_otherwise(sheet, fact, row.said)]
    )
    if replacements is None:
        return None
    edit = Edit(
        fact.fact_id, "Section", old, new, "section.neighbour", new, SectionValue(new), replacements
    )
    try:
        following = consequences_of_neighbour(sheet, fact, new, (*row.takes, *_old_names(row)))
        quantities = consequences_of_clause(sheet, old, new)
    except WordingError:
        return None
    if not following:
        return with_consequences(edit, quantities, "section.neighbour_and_quantity")
    changed = {consequence.fact_id for consequence in following}
    both = [*following, *(c for c in quantities if c.fact_id not in changed)]
    rule = "section.neighbour_and_what_follows"
    whole = replace(edit, rule=rule, consequences=in_sheet_order(sheet, both))
    return whole if in_order(whole.changes) is not None else None


class Section(FactType):
    """A provision, in normal form, with every citation of it."""

    name = "Section"
    heading = "provision"
    after = ()

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """Every provision that the text cites, by first citation."""
        spans: dict[str, list[Span]] = {}
        for cited in find_citations(narrative.text):
            spans.setdefault(cited.provision, []).append(cited.span)
        return [_fact(SectionValue(provision), places) for provision, places in spans.items()]

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """The stated provisions with their citations, in the order given."""
        cited = {fact.value: fact.spans for fact in self.recognise(narrative)}
        return [_fact(value, cited.get(value, ())) for value in values]

    def render(self, fact: Fact) -> str:
        """`The offence or provision in question is section 302 of the Indian Penal Code (...).`"""
        provision = str(fact.value)
        _, opening, title = describe(provision).partition(" (")
        name = citation(provision, "long")
        return f"The offence or provision in question is {name}{opening}{title}."

    def label(self, fact: Fact) -> str:
        """`section 302 IPC (punishment for murder)`."""
        return describe(str(fact.value))

    def value_label(self, value: str) -> str:
        """`section 302 IPC`."""
        return provision_name(value)

    def like(self, fact: Fact, other: Fact) -> bool:
        """Whether both are one provision, in either code, or one is a part of the other."""
        own, cited = str(fact.value), str(other.value)
        names = {own, *predecessors(own), *successors(own)}
        wider = {name for each in names for name in widened(each) if "-" in name}
        return cited in wider or bool(names & set(widened(cited)))

    def features(self, fact: Fact, sheet: FactSheet | None = None) -> tuple[str, ...]:
        """`provision:IPC-302`: the provision, what it is a part of, and what it replaced.

        Of a case a provision of 2023 is only what it replaced, so that a change of code changes
        nothing.
        """
        own = str(fact.value)
        replaced = () if sheet is None else predecessors(own)
        names = [name for old in replaced for name in widened(old)] or names_of(own)
        return tuple(f"provision:{name}" for name in dict.fromkeys(names) if "-" in name)

    edits = staticmethod(propose)
    null_edits = staticmethod(propose_nulls)
    reason = staticmethod(reason)


def _fact(value: FactValue, spans: Sequence[Span]) -> Fact:
    return Fact(f"section:{value}", "Section", value, tuple(spans))


FACT_TYPE = Section()
