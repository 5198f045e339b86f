"""Edits and what they do to a fact sheet.

All edits of a case are written in the coordinates of its own narrative, so a set of edits means
the same in whatever order it is applied: a state is that set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from countercase.facts.model import Fact, FactSheet, FactTypeName, FactValue
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span, one_line


@dataclass(frozen=True, order=True)
class Replacement:
    """Put `text` in place of `narrative[start:end]` of the root case."""

    start: int
    end: int
    text: str

    @property
    def span(self) -> Span:
        """The range of the root narrative that is replaced."""
        return Span(self.start, self.end)


@dataclass(frozen=True)
class Consequence:
    """Another fact that the law changes along with an edit.

    From 225 g of heroin no charge of a commercial quantity follows. The change is part of its
    edit: it is proposed, applied and undone with it, and is no edit of its own.

    Args:
        fact_id: a fact of the sheet, other than the one edited.
        original_value, perturbed_value: as a lawyer would read them.
        provision: the law that draws it.
        new_value: what the fact becomes.
        replacements: the words that change, in the root's coordinates.
    """

    fact_id: str
    fact_type: FactTypeName
    original_value: str
    perturbed_value: str
    provision: str
    new_value: FactValue
    replacements: tuple[Replacement, ...] = ()


@dataclass(frozen=True)
class Edit:
    """One change of one fact, with its consequences in law.

    Args:
        fact_id: the fact that changes; for added evidence, the id of the new fact.
        original_value, perturbed_value: as a lawyer would read them; "" for absent.
        rule: the name of the rule that proposed it (`section.neighbour`, `null.citation_form`).
        provision: the law that the rule rests on, in normal form or as a citation.
        new_value: what the fact becomes; None where it is taken away.
        replacements: the words that change, in the root's coordinates; may be empty where the
            fact is not in the narrative (its rendered sentence changes instead).
        null: whether the edit changes the words and not the law.
        consequences: other facts that change with it, in sheet order; mostly none.
    """

    fact_id: str
    fact_type: FactTypeName
    original_value: str
    perturbed_value: str
    rule: str
    provision: str
    new_value: FactValue | None
    replacements: tuple[Replacement, ...] = ()
    null: bool = False
    consequences: tuple[Consequence, ...] = ()

    @property
    def changes(self) -> tuple[Replacement, ...]:
        """All words that change, those of the consequences among them, in order."""
        following = (r for c in self.consequences for r in c.replacements)
        return tuple(sorted((*self.replacements, *following)))

    @property
    def fact_ids(self) -> tuple[str, ...]:
        """The facts that change: the one edited, then those of the consequences."""
        return (self.fact_id, *(c.fact_id for c in self.consequences))

    @cached_property
    def edit_id(self) -> str:
        """A short name that depends on the content alone: the same edit, the same id."""
        parts = [self.fact_id, self.rule, self.original_value, self.perturbed_value]
        parts.append(repr([(r.start, r.end, r.text) for r in self.changes]))
        parts += (f"{c.fact_id} {c.perturbed_value}" for c in self.consequences)
        return "e" + hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:10]


def sentences_changed(narrative: str, edit: Edit) -> tuple[str, str]:
    """The sentences of the narrative that an edit touches, as they are and as it makes them.

    Sentences apart from each other are joined by an ellipsis. Both are empty where the narrative
    does not state the fact.
    """
    before, after = [], []
    for start, end in sentence_spans(narrative):
        touching = [
            change
            for change in edit.changes
            if (change.start < end and start < change.end)
            or (change.start == change.end and start < change.start <= end)
        ]
        if not touching:
            continue
        text, at = "", start
        for change in touching:
            begins_here = change.start >= start
            text += narrative[at : max(at, change.start)] + (change.text if begins_here else "")
            at = max(at, change.end)
        before.append(one_line(narrative[start:end]))
        after.append(one_line(text + narrative[at : max(at, end)]))
    return " … ".join(before), " … ".join(filter(None, after))


def compatible(edits: Iterable[Edit]) -> bool:
    """Whether the edits can hold at once: one per fact, no two touching the same words."""
    chosen = list(edits)
    changed = [fact_id for edit in chosen for fact_id in edit.fact_ids]
    if len(set(changed)) != len(changed):
        return False
    spans = sorted((r.start, r.end) for edit in chosen for r in edit.changes)
    return all(left[1] <= right[0] and left != right for left, right in pairwise(spans))


def apply_edits(sheet: FactSheet, edits: Sequence[Edit]) -> FactSheet:
    """The fact sheet with `edits` made in its narrative and its facts alike.

    The spans of an edited fact follow its new words. The spans of every other fact keep to the
    words they had; a mention that another fact's edit cut or overwrote is no longer a span.

    Raises:
        ValueError: the edits contradict each other (`compatible` is False), or one of them
            lies outside the narrative.
    """
    applied = _applied(sheet, tuple(edits))
    same = applied.outcome == sheet.outcome  # by which sheets are not compared
    return applied if same else replace(applied, outcome=sheet.outcome)


@lru_cache(maxsize=64)
def _applied(sheet: FactSheet, edits: tuple[Edit, ...]) -> FactSheet:
    if not compatible(edits):
        raise ValueError("edits of one fact or of the same words cannot hold at once")
    changes = sorted(r for edit in edits for r in edit.changes)
    if changes and changes[-1].end > len(sheet.narrative):
        raise ValueError(
            f"an edit of {sheet.case_id} ends at {changes[-1].end}, beyond its narrative of "
            f"{len(sheet.narrative)} characters; edits are written for the root narrative"
        )
    by_fact: dict[str, Edit | Consequence] = {edit.fact_id: edit for edit in edits}
    by_fact |= {c.fact_id: c for edit in edits for c in edit.consequences}
    facts: list[Fact] = []
    for fact in sheet.facts:
        edit = by_fact.pop(fact.fact_id, None)
        value = fact.value if edit is None else edit.new_value
        if value is not None:
            own = frozenset(edit.replacements if edit else ())
            moved = [_moved(span, changes, own) for span in fact.spans]
            facts.append(replace(fact, value=value, spans=tuple(s for s in moved if s)))
    for edit in sorted(edits, key=lambda e: e.edit_id):
        if edit.fact_id in by_fact and edit.new_value is not None:
            own = frozenset(edit.replacements)
            added = (_moved(r.span, changes, own) for r in edit.replacements)
            spans = tuple(s for s in added if s)
            facts.append(Fact(edit.fact_id, edit.fact_type, edit.new_value, spans))
    return replace(sheet, narrative=_rewrite(sheet.narrative, changes), facts=tuple(facts))


def _moved(span: Span, changes: Sequence[Replacement], own: frozenset[Replacement]) -> Span | None:
    """Where `span` of the old text lies in the new one; None where its words are gone.

    A change inside the span grows or shrinks it. One of its own changes that reaches beyond it
    takes it along; another fact's change that does so, or that overwrites it, ends it.
    """
    start, end = span.start, span.end
    if start < end and (not changes or end < changes[0].start):
        return span
    touching = [c for c in changes if _touches(c, span, c in own)]
    for change in touching:
        inside = span.start <= change.start and change.end <= span.end and change.span != span
        if change not in own and not inside:
            return None
        start, end = min(start, change.start), max(end, change.end)
    before = sum(_growth(c) for c in changes if c.end <= start and c not in touching)
    grown = sum(_growth(c) for c in touching)
    moved = Span(start + before, end + before + grown)
    return moved if moved.start < moved.end else None


def _touches(change: Replacement, span: Span, own: bool) -> bool:
    # Also where both are empty: text that an edit adds is its fact's mention.
    return (own and change.span == span) or change.span.overlaps(span)


def _growth(change: Replacement) -> int:
    return len(change.text) - (change.end - change.start)


def _rewrite(text: str, changes: Sequence[Replacement]) -> str:
    parts, at = [], 0
    for change in changes:
        parts += [text[at : change.start], change.text]
        at = change.end
    return "".join([*parts, text[at:]])
