"""Extract the fact sheet of a narrative.

From mentions to facts: what is said twice is one fact with two spans.

Ids depend on nothing but the narrative: `section:IPC-302`, `party:petitioner`,
`evidence:recovery:1`, `numerical:age:1`, numbered by first mention.

Plain text in, fact sheet out.

What a court did with the matter is never a fact of it: neither the appeal's dismissal nor an
acquittal is extracted, so that no outcome can reach a query.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from countercase.errors import InputError
from countercase.fact_types.evidence.recognise import EvidenceItem, evidence_items
from countercase.fact_types.numerical.ages import find_ages
from countercase.fact_types.numerical.amounts import find_amounts
from countercase.fact_types.numerical.durations import find_durations
from countercase.fact_types.numerical.quantities import find_quantities
from countercase.fact_types.party.recognise import PartyFound, find_parties
from countercase.facts.mentions import Found, free_of
from countercase.facts.model import Fact, FactSheet, NumericalKind, NumericalValue, SectionValue
from countercase.law.citations import find_citations
from countercase.text.spans import Span

if TYPE_CHECKING:
    from spacy.language import Language


KINDS: Final[tuple[NumericalKind, ...]] = ("amount", "age", "duration", "quantity")


"""The numerical kinds, in sheet order."""


_YOUNG: Final = frozenset(
    {"prosecutrix", "girl", "daughter", "child", "minor", "student", "deceased", "niece", "woman"}
)


@dataclass(frozen=True)
class Mentions:
    """All that a narrative says, before mentions are merged into facts."""

    sections: tuple[Found, ...]
    parties: tuple[PartyFound, ...]
    evidence: tuple[EvidenceItem, ...]
    figures: tuple[Found, ...]


def find_sections(text: str) -> list[Found]:
    """Every provision that `text` cites, in order."""
    return [Found(SectionValue(c.provision), c.span) for c in find_citations(text)]


def find_figures(text: str, taken: Sequence[Span] = ()) -> list[Found]:
    """Every amount, age, duration and quantity of `text` outside `taken`; no two overlap."""
    found: list[Found] = []
    for recognise in (find_amounts, find_ages, find_durations, find_quantities):
        found += free_of(recognise(text), (*taken, *(item.span for item in found)))
    return sorted(found, key=lambda item: item.span)


def find_mentions(text: str, petitioner_name: str = "", respondent_name: str = "") -> Mentions:
    """Run every recogniser over `text`. Pure Python: nothing heavy is imported."""
    sections = find_sections(text)
    return Mentions(
        sections=tuple(sections),
        parties=tuple(find_parties(text, petitioner_name, respondent_name)),
        evidence=tuple(evidence_items(text)),
        figures=tuple(find_figures(text, [item.span for item in sections])),
    )


def merge(mentions: Mentions) -> tuple[Fact, ...]:
    """The facts of the mentions: sections, parties, evidence, then figures by kind."""
    return (
        *_sections(mentions.sections),
        *_parties(mentions.parties),
        *_evidence(mentions.evidence),
        *number_figures(merge_figures(mentions.figures)),
    )


def merge_figures(figures: Iterable[Found]) -> list[tuple[NumericalValue, tuple[Span, ...]]]:
    """One entry per figure, by kind and then by first mention, with all its mentions.

    Amounts and quantities of one value and unit are one fact, since a sum named twice is nearly
    always the same sum; ages and durations must also be of the same thing, as far as the text
    says what they are of.
    """
    groups: list[tuple[NumericalValue, list[Span]]] = []
    for found in sorted(figures, key=lambda item: item.span):
        value = found.value
        if not isinstance(value, NumericalValue):
            continue
        for index, (known, spans) in enumerate(groups):
            if _same(known, value):
                spans.append(found.span)
                groups[index] = (replace(known, context=known.context or value.context), spans)
                break
        else:
            groups.append((value, [found.span]))
    return [
        (value, tuple(spans)) for kind in KINDS for value, spans in groups if value.kind == kind
    ]


def number_figures(
    figures: Iterable[tuple[NumericalValue, tuple[Span, ...]]],
) -> tuple[Fact, ...]:
    """Facts with ids `numerical:<kind>:<n>`, numbered per kind in the order given."""
    counts = dict.fromkeys(KINDS, 0)
    facts = []
    for value, spans in figures:
        counts[value.kind] += 1
        fact_id = f"numerical:{value.kind}:{counts[value.kind]}"
        facts.append(Fact(fact_id, "Numerical", value, spans))
    return tuple(facts)


def _same(known: NumericalValue, new: NumericalValue) -> bool:
    if (known.kind, known.value, known.unit) != (new.kind, new.value, new.unit):
        return False
    if known.kind in ("amount", "quantity"):
        return True
    contexts = {known.context, new.context}
    return len(contexts) == 1 or "" in contexts or (known.kind == "age" and contexts <= _YOUNG)


def _sections(found: Iterable[Found]) -> list[Fact]:
    spans: dict[str, list[Span]] = {}
    for item in found:
        if isinstance(item.value, SectionValue):
            spans.setdefault(item.value.provision, []).append(item.span)
    return [
        Fact(f"section:{provision}", "Section", SectionValue(provision), tuple(places))
        for provision, places in spans.items()
    ]


def _parties(found: Iterable[PartyFound]) -> list[Fact]:
    return [
        Fact(f"party:{party.value.side}", "PartyType", party.value, party.spans) for party in found
    ]


def _evidence(items: Iterable[EvidenceItem]) -> list[Fact]:
    counts: dict[str, int] = {}
    facts = []
    for item in items:
        kind = item.value.evidence_type
        counts[kind] = counts.get(kind, 0) + 1
        facts.append(Fact(f"evidence:{kind}:{counts[kind]}", "Evidence", item.value, item.spans))
    return facts


def extract(
    text: str,
    case_id: str,
    title: str = "",
    outcome: str | None = None,
    nlp: Language | None = None,
) -> FactSheet:
    """The fact sheet of a narrative: its facts, typed, each with every place that states it.

    Args:
        text: the narrative; it becomes the sheet's narrative unchanged.
        title: `A v. B`; it names the parties, whose types follow from the names.
        outcome: carried on the sheet, never read.
        nlp: a pipeline of `countercase.facts.pipeline`; built where none is given (spaCy takes
            about two seconds to load, so pass one for many texts), with the fact tagger as the
            setting FACT_TAGGER has it.

    Raises:
        InputError: the text is blank.
        ConfigError: the settings cannot be read.
        ModelError: the fact tagger is wanted, and missing or damaged.
    """
    from countercase.config import load_settings
    from countercase.facts.pipeline import build_pipeline, read_doc

    if not text.strip():
        raise InputError(f"{case_id}: the narrative is empty; give the facts of the case as text")
    nlp = nlp or build_pipeline(load_settings().FACT_TAGGER)
    mentions = read_doc(nlp, text, title)
    return FactSheet(case_id, text, merge(mentions), title=title, outcome=outcome)
