"""Plain text in, fact sheet out.

What a court did with the matter is never a fact of it: neither the appeal's dismissal nor an
acquittal is extracted, so that no outcome can reach a query.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.errors import InputError, takes
from countercase.facts.documents import check_characters
from countercase.facts.entities import Entity
from countercase.facts.model import Fact, FactSheet, FactTypeName
from countercase.registry import FACT_TYPES
from countercase.text.dates import date_of_occurrence
from countercase.text.sentences import bounded_runs, sentence_spans
from countercase.text.spans import Span

LONGEST: Final = (300_000, 3_000)
"""Characters and sentences of a narrative, at most, unless the caller says otherwise."""


def check_length(text: str, source: str, longest: tuple[int, int] = LONGEST) -> None:
    """Refuse a text over `longest` characters or sentences, by an `InputError` about `source`."""
    within = text[: longest[0] + 1]
    counts = (("characters", len(text)), ("sentences", len(sentence_spans(within))))
    for most, (what, n) in zip(longest, counts, strict=True):
        if n > most:
            raise InputError(
                f"{source}: a narrative of {n:,} {what}, more than the {most:,} that are read; "
                f"give the facts of the case alone, or raise MAX_{what.upper()} in settings.py"
            )


@dataclass(frozen=True)
class Narrative:
    """What a fact type reads."""

    text: str
    title: str = ""  # `A v. B`, or empty.
    entities: tuple[Entity, ...] = ()  # what the fact tagger found; empty without it
    facts: tuple[Fact, ...] = ()  # the facts of the fact types that were asked before
    learnt: bool = False  # whether the learnt reader is asked

    def spans_of(self, fact_type: FactTypeName) -> list[Span]:
        """The mentions of all facts of one type that was asked before."""
        return [s for fact in self.facts if fact.fact_type == fact_type for s in fact.spans]


def recognise(
    text: str,
    title: str = "",
    entities: Sequence[Entity] = (),
    types: Collection[FactTypeName] | None = None,
    learnt: bool = False,
) -> tuple[Fact, ...]:
    """Return the facts of `text`: what each fact type recognises, in the order of the registry.

    A value that is stated twice is one fact with two spans. Ids depend on nothing but the narrative,
    numbered by first mention. Of `types`, if given, those are asked, with the types whose facts they
    look at; the learnt reader is asked where `learnt`.
    """
    names = FACT_TYPES.names()
    wanted = set(names if types is None else types)
    for at in reversed(range(len(names))):
        if names[at] in wanted:
            after = FACT_TYPES.get(names[at]).after
            wanted.update(names[:at] if after is None else after)
    narrative = Narrative(bounded_runs(text), bounded_runs(title), tuple(entities), (), learnt)
    for name in filter(wanted.__contains__, names):
        facts = FACT_TYPES.get(name).recognise(narrative)
        narrative = replace(narrative, facts=(*narrative.facts, *facts))
    return narrative.facts


@takes(text=str, case_id=str, title=str, longest=tuple)
def extract(
    text: str,
    case_id: str = "case",
    title: str = "",
    *,
    tagger: bool = True,
    longest: tuple[int, int] = LONGEST,
) -> FactSheet:
    """Return the fact sheet of a narrative: its facts, typed, each with every place that states it.

    Rules and a trained reader tell whose a figure is and when the matter happened. The title (`A v.
    B`) names the parties; the fact tagger, where it is asked, names those that it leaves out, and
    loads spaCy in about two seconds. A text that is blank, over `longest` characters and sentences, or
    has control characters is an `InputError`; a model that is missing or damaged a `ModelError`.

    >>> extract("He was convicted under Section 302 IPC.", tagger=False).facts[0].fact_id
    'section:IPC-302'
    """
    text, title = check_characters(text, case_id), check_characters(title, f"{case_id}: the title")
    if not text.strip():
        raise InputError(f"{case_id}: the narrative is empty; give the facts of the case as text")
    check_length(text, case_id, longest)
    entities = list[Entity]()
    if tagger:
        from countercase.facts.tagger.reading import find_entities

        entities = find_entities(bounded_runs(text))
    facts = recognise(text, title, entities, learnt=True)
    sheet = FactSheet(case_id, text, facts, title, None, find_occurrence(text))
    settled = (FACT_TYPES.get(fact.fact_type).settle(sheet, fact) for fact in facts)
    return replace(sheet, facts=tuple(settled))


def find_occurrence(text: str) -> str:
    """Return the date of the occurrence as `read_date` gives it; "" where the text does not tell.

    The words beside the dates decide where one date is far ahead, and elsewhere with the reader.
    """
    text = bounded_runs(text)

    def weigh(spans: Sequence[Span]) -> Sequence[float]:
        from countercase.facts.reader import weigh_dates

        return weigh_dates(text, spans)

    return date_of_occurrence(text, weigh)
