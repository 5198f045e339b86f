"""What follows in law where a number crosses a line.

At 225 g of heroin the charge cannot stay one of a commercial quantity, nor can a charge of dowry
death after eight years of marriage; at nineteen nobody is assessed by a Juvenile Justice Board. Such
a change takes the provision along, within the same edit: it is a consequence. The tiers of the NDPS
Act are in `law/data/ndps_tiers.jsonl`, the rest in `law/data/consequences.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final, Literal

from countercase.errors import InputError
from countercase.fact_types.citation_rewriting import cite_instead, renamed_offence, uncite
from countercase.fact_types.dependent_words import weighed_reasons, without_guardian
from countercase.fact_types.lines import (
    Line,
    across,
    beyond_the_terms,
    charged_offences,
    is_above,
    is_sentence,
    lines_for,
    lines_of,
    parts,
    quantity_tier,
    reading_date,
)
from countercase.fact_types.party_wording import ages_of, retype
from countercase.fact_types.rewriting import in_order, restate, sentences_around
from countercase.fact_types.roles import owner_of
from countercase.facts.area_of_law import cites, names_of, provisions
from countercase.facts.edits import Consequence, Edit, Replacement
from countercase.facts.model import (
    Fact,
    FactSheet,
    FactValue,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.io import read_table
from countercase.law.in_force import code_in_force
from countercase.law.offences import offence, offences, term_bounds
from countercase.law.provisions import clause_for, predecessors, successors, tier_of
from countercase.text.units import convert

_FULL_AGE: Final = 18
_OF_FULL_AGE: Final = "Indian Majority Act, 1875, s. 3"


class WordingError(InputError):
    """A provision no longer applies, and the narrative cannot be made to leave it out."""


@dataclass(frozen=True)
class Following:
    """A provision that another replaces once a value is on one side of a line.

    Args:
        line: the provision that draws the line.
        side: where the value is after the edit.
        cited: what the case cites; `becomes` takes its place unless it is cited already. Where no
            row gives it another place and `becomes` is empty, the citation goes.
        words: pattern that the narrative must match; "" for any.
        with_clause: whether the clause or sentence that cites it may go with the citation.
    """

    line: str
    side: Literal["above", "below"]
    cited: str
    becomes: str
    reason: str
    words: str = ""
    with_clause: bool = False


def consequences_of_value(
    sheet: FactSheet, fact: Fact, after: NumericalValue, row: Line
) -> tuple[Consequence, ...]:
    """What follows where a value of the sheet becomes `after`, across `row` and other lines.

    Raises:
        WordingError: a provision no longer applies, and its citation cannot be cut out.
    """
    before = fact.value
    assert isinstance(before, NumericalValue)
    if after.kind == "age" and _aged_otherwise(sheet, before):
        return ()
    order = [fact.fact_id for fact in sheet.facts]
    clauses, minors = _new_clauses(sheet, fact, after), _no_longer_minors(sheet, fact, after)
    crossed = [
        line for line in lines_of(sheet, before) if line == row or parts(line, before, after)
    ]
    cited = [*clauses, *_new_provisions(sheet, after, crossed)]
    becomes = {c.fact_id: c.new_value for c in cited}
    left = [str(v) for f, v in sheet.valued(SectionValue) if f.fact_id not in becomes]
    left += [str(v) for v in becomes.values() if v is not None]
    consequences = (*cited, *minors, *(_fitting_sentences(sheet, left, "") if cited else ()))
    return tuple(sorted(consequences, key=lambda consequence: order.index(consequence.fact_id)))


def _aged_otherwise(sheet: FactSheet, age: NumericalValue) -> bool:
    """Whether another item of evidence gives the same person another age below eighteen."""
    owner = owner_of(sheet, age)
    others = (value for _, value in sheet.valued(NumericalValue) if value != age)
    return any(
        v.kind == "age" and v.value < _FULL_AGE and owner and owner_of(sheet, v) == owner
        for v in others
    )


def consequences_of_clause(sheet: FactSheet, before: str, after: str) -> tuple[Consequence, ...]:
    """The quantities that follow where the clause of one tier becomes that of another."""
    tier, wanted = tier_of(before), tier_of(after)
    if tier is None or wanted is None or clause_for(before, wanted) != after:
        return ()
    consequences = []
    for fact, value in sheet.valued(NumericalValue):
        if quantity_tier(sheet, value) == tier:
            beyond = (across(row, value) for row in lines_for(sheet, value))
            options = (replace(value, value=number) for number in beyond if number is not None)
            changed = next((v for v in options if quantity_tier(sheet, v) == wanted), None)
            if changed is not None:
                words = [*restate(sheet, fact, value, changed), *weighed_reasons(sheet, fact)]
                consequences.append(_consequence(fact, changed, after, words))
                crossed = [line for line in lines_for(sheet, value) if parts(line, value, changed)]
                consequences += _new_provisions(sheet, changed, crossed)
    order = [fact.fact_id for fact in sheet.facts]
    return tuple(sorted(consequences, key=lambda c: order.index(c.fact_id)))


def consequences_of_neighbour(
    sheet: FactSheet, fact: Fact, new: str, takes: Sequence[tuple[str, str]]
) -> tuple[Consequence, ...]:
    """What follows where the offence cited becomes `new`: presumptions, and the sentence passed.

    Args:
        takes: (provision, what it becomes) of others cited; "" where it is no longer cited.

    Raises:
        WordingError: a citation cannot be cut out, or a sentence of life cannot become a term.
    """
    consequences = []
    for other, section in sheet.valued(SectionValue):
        for cited, becomes in takes:
            if other is not fact and cited in names_of(section.provision):
                if cited in predecessors(str(fact.value)) and not _beside(sheet, fact, other):
                    raise WordingError(f"{cited} may be of another case")
                old = section.provision.startswith(becomes.partition("-")[0] + "-")
                named = becomes if old or not becomes else in_the_code_of(sheet, becomes)
                if named in provisions(sheet):
                    raise WordingError(f"{named} is cited already")
                consequences.append(
                    _cited_instead(sheet, other, named)
                    if named
                    else _no_longer_cited(sheet, other, new, with_clause=True)
                )
    left = [c for c in provisions(sheet) if c != str(fact.value)]
    consequences += _fitting_sentences(sheet, [*left, new], new)
    return in_sheet_order(sheet, consequences)


def in_sheet_order(
    sheet: FactSheet, consequences: Sequence[Consequence]
) -> tuple[Consequence, ...]:
    """The consequences in the order of the facts that they change."""
    order = [fact.fact_id for fact in sheet.facts]
    return tuple(sorted(consequences, key=lambda c: order.index(c.fact_id)))


def _fitting_sentences(sheet: FactSheet, left: Sequence[str], new: str) -> Iterator[Consequence]:
    """The sentences passed, brought within what the provisions that are left allow.

    Raises:
        WordingError: a sentence of life cannot become a term.
    """
    when = reading_date(sheet)
    before, after = term_bounds(charged_offences(sheet)), term_bounds(offences(left, when))
    changed = offence(new, when) if new else None
    if before is None or after is None or (new and changed is None):
        return
    if not _SENTENCED.search(sheet.narrative):
        return
    sentences = [(f, v) for f, v in sheet.valued(NumericalValue) if is_sentence(v)]
    low, high = after
    if len(sentences) == 1:  # for all the offences together, so no less than the gravest asks for
        low = max(row.least for row in offences(left, when))
    if low == inf and sentences and before[0] < inf:
        raise WordingError(f"no term of years can be passed under {', '.join(left)}")
    if high < inf and before[1] == inf and _FOR_LIFE.search(sheet.narrative):
        raise WordingError(f"nobody is sent to prison for life under {', '.join(left)}")
    for other, value in sentences:
        if not beyond_the_terms(sheet, value):
            months = convert(value.value, value.unit, "months") or low
            allowed = min(max(months, low), high)
            number = convert(allowed, "months", value.unit)
            if changed is not None and changed.least <= months < allowed:
                continue  # what asks for more is charged already
            if number is not None and allowed != months:
                fitting = replace(value, value=round(number, 1))
                words = restate(sheet, other, value, fitting)
                yield _consequence(other, fitting, new or left[0], words)


def _beside(sheet: FactSheet, fact: Fact, other: Fact) -> bool:
    """Whether every mention of the other fact stands in a sentence that mentions the fact."""
    sentences = sentences_around(sheet.narrative, fact.spans)
    return all(any(span.overlaps(place) for place in sentences) for span in other.spans)


_SENTENCED: Final = re.compile(
    r"(?i)sentence[ds]?\b|\bgave\b|\bgiven\b|imprison|\bgot\b|rigorous|\bR\.?I\b"
)
_FOR_LIFE: Final = re.compile(
    r"(?i)imprison\w* for life|life (?:imprison|sentence|term|convict)|sentence[ds]? (?:him |her )?(?:to|of)"
    r" (?:life|death)|got life|,\s*life(?=\s*[.;,]|\Z)|death (?:sentence|penalty)|capital punishment"
)


def with_consequences(edit: Edit, consequences: tuple[Consequence, ...], rule: str) -> Edit:
    """The edit with its consequences, under the name `rule`.

    Without them where there are none, or where their words collide with its own.
    """
    whole = replace(edit, rule=rule, consequences=consequences)
    return whole if consequences and in_order(whole.changes) is not None else edit


def _new_clauses(sheet: FactSheet, fact: Fact, after: NumericalValue) -> Iterator[Consequence]:
    """The clause of the new tier, where no other quantity of the old tier is left."""
    tiers = {f.fact_id: quantity_tier(sheet, value) for f, value in sheet.valued(NumericalValue)}
    before, now = tiers[fact.fact_id], quantity_tier(sheet, after)
    if before is None or now is None or before == now or [*tiers.values()].count(before) > 1:
        return
    for cited, section in sheet.valued(SectionValue):
        if tier_of(section.provision) == before:
            clause = clause_for(section.provision, now)
            if clause is not None and clause not in provisions(sheet):
                yield _cited_instead(sheet, cited, clause)


def _new_provisions(
    sheet: FactSheet, after: NumericalValue, crossed: list[Line]
) -> Iterator[Consequence]:
    sides = {(line.provision, "above" if is_above(line, after) else "below") for line in crossed}
    rows = [
        following
        for following in read_table("law/consequences", Following)
        if (following.line, following.side) in sides
        and not (after.kind == "quantity" and _still_commercial(sheet))
        and re.search(following.words, sheet.narrative, re.IGNORECASE)
    ]
    held = {name for provision in provisions(sheet) for name in names_of(provision)}
    for fact, section in sheet.valued(SectionValue):
        names = names_of(section.provision)
        fitting = [row for row in rows if row.cited in names]
        chosen = next((row for row in fitting if row.becomes and row.becomes not in held), None)
        if chosen is not None:
            held |= set(names_of(chosen.becomes))
            yield _cited_instead(sheet, fact, in_the_code_of(sheet, chosen.becomes))
        elif gone := next((row for row in fitting if not row.becomes), None):
            yield _no_longer_cited(sheet, fact, gone.line, gone.with_clause)


def reason_of_following(line: str, cited: str, becomes: str) -> str:
    """Why a provision becomes another, or none, where a figure crosses a line of `line`."""
    rows = [
        row
        for row in read_table("law/consequences", Following)
        if row.line == line and row.cited in names_of(cited)
    ]
    names = (becomes, *predecessors(becomes)) if becomes else ("",)
    fitting = [row for row in rows if row.becomes in names]
    return next((row.reason for row in fitting or rows), "")


def in_the_code_of(sheet: FactSheet, provision: str) -> str:
    """The provision as the code numbers it under which the case is read: of 1860 or of 2023."""
    old = provision.partition("-")[0]
    code = code_in_force(old, reading_date(sheet), provisions(sheet))
    return (successors(provision)[:1] or (provision,))[0] if code != old else provision


def _still_commercial(sheet: FactSheet) -> bool:
    """Whether section 37 applies though one commercial quantity is none any more."""
    figures = sheet.valued(NumericalValue)
    commercial = sum(quantity_tier(sheet, value) == "commercial" for _, value in figures)
    return commercial > 1 or cites(sheet, ("NDPS-19", "NDPS-24", "NDPS-27A"))


def _no_longer_minors(sheet: FactSheet, fact: Fact, after: NumericalValue) -> Iterator[Consequence]:
    """A party whose age passes eighteen is not a minor any more."""
    before = fact.value
    assert isinstance(before, NumericalValue)
    if after.kind != "age" or not before.value < _FULL_AGE <= after.value:
        return
    for party, value in sheet.valued(PartyValue):
        if value.party_type == "Minor" and before.value in ages_of(sheet, value):
            adult = replace(value, party_type="Individual")
            words = retype(sheet, party, value, "Individual", "person of full age")
            words += without_guardian(sheet, party)
            yield _consequence(party, adult, _OF_FULL_AGE, words)


def _cited_instead(sheet: FactSheet, fact: Fact, new: str) -> Consequence:
    words = [*cite_instead(sheet, fact, new), *(renamed_offence(sheet, fact, new) or ())]
    return _consequence(fact, SectionValue(new), new, words)


def _no_longer_cited(sheet: FactSheet, fact: Fact, line: str, with_clause: bool) -> Consequence:
    words = uncite(sheet, fact, with_clause)
    if words is None:
        raise WordingError(f"{fact.value} cannot be cut out of the narrative")
    removed = tuple(sorted(set(words)))
    return Consequence(
        fact.fact_id, fact.fact_type, str(fact.value), "no longer cited", line, None, removed
    )


def _consequence(
    fact: Fact, value: FactValue, provision: str, words: list[Replacement]
) -> Consequence:
    before, after = str(fact.value), str(value)
    replacements = tuple(sorted(set(words)))
    return Consequence(fact.fact_id, fact.fact_type, before, after, provision, value, replacements)
