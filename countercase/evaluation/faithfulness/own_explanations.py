"""CounterCase's own explanations as sentences with the passages that they rest on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from countercase.evaluation.explanation_eval import Form, SentenceScore, faithfulness
from countercase.evaluation.faithfulness.faults import faults
from countercase.evaluation.result_store import ResultStore, fingerprint
from countercase.evaluation.sets import CounterfactualCase
from countercase.explanation.model import ChangeExplanation, PrecedentExplanation, Quote
from countercase.text.content_words import overlap

Kind = Literal["precedent", "change"]
Explained = tuple[Sequence[PrecedentExplanation], Sequence[ChangeExplanation]]
"""The explanations of one analysis."""

CODE: Final = ("facts", "counterfactual", "retrieval", "encoders", "explanation")
"""The packages whose program text decides what an explanation says."""


class OwnSentence(BaseModel):
    """A sentence of an explanation.

    The words that only say where a quote stands (`(holding, paragraph 12)`) are left out.

    Args:
        chunk_id, passage: the chunk quoted and its text; both empty for a statement of
            measurement (`The mean rank displacement is 2.40`), which rests on no passage.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    chunk_id: str
    passage: str


class OwnExplanation(BaseModel):
    """One explanation that CounterCase gave.

    Args:
        explanation_id: the case and the precedent or state that is explained.
        kind: why a precedent is there, or why a change moved the ranking.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    explanation_id: str
    kind: Kind
    sentences: Annotated[tuple[OwnSentence, ...], Field(min_length=1)]

    @property
    def text(self) -> str:
        """The explanation as prose."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def scores(self) -> tuple[SentenceScore, ...]:
        """Its sentences that rest on a passage, scored against that passage alone."""
        return tuple(
            SentenceScore(
                one.text,
                one.chunk_id,
                overlap(one.text, one.passage),
                faults(one.text, one.passage),
            )
            for one in self.sentences
            if one.passage
        )


Explain = Callable[[CounterfactualCase], Explained]
Passage = Callable[[str], str]
_LIST: Final = TypeAdapter(tuple[OwnExplanation, ...])


def own_explanations(
    case_id: str, explained: Explained, passage: Passage
) -> tuple[OwnExplanation, ...]:
    """The explanations of one analysis, sentence by sentence.

    Args:
        passage: the text of a chunk, by its id.
    """
    precedents, changes = explained
    found = [
        OwnExplanation(
            explanation_id=f"{case_id}/{one.case_id}",
            kind="precedent",
            sentences=_sentences(one.sentences, [reason.quote for reason in one.reasons], passage),
        )
        for one in precedents
        if one.sentences
    ]
    for change in changes:
        moved = (*change.left, *change.came, *change.moved)
        quotes = [case.quote for case in moved if case.quote is not None]
        found.append(
            OwnExplanation(
                explanation_id=f"{case_id}/{change.source}-{change.target}",
                kind="change",
                sentences=_sentences(change.sentences, quotes, passage),
            )
        )
    return tuple(found)


def _sentences(
    sentences: Sequence[str], quotes: Sequence[Quote], passage: Passage
) -> tuple[OwnSentence, ...]:
    found = []
    for text in sentences:
        quote = next((one for one in quotes if f"“{one.text}” ({one.place})" in text), None)
        if quote is None:
            found.append(OwnSentence(text=text, chunk_id="", passage=""))
            continue
        found.append(
            OwnSentence(
                text=text.replace(f"” ({quote.place})", "”"),
                chunk_id=quote.chunk_id,
                passage=passage(quote.chunk_id),
            )
        )
    return tuple(found)


def collect_own(
    cases: Sequence[CounterfactualCase],
    explain: Explain,
    passage: Passage,
    store: ResultStore | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[OwnExplanation, ...]:
    """The explanations that CounterCase gives for the cases, or that an earlier run stored.

    Args:
        explain: analyses a case and explains it.
        store: made with the settings, models, corpus and program (`CODE`) of the analyses.
        progress: called with `cases explained`, how many are done, and of how many.
    """
    found: list[OwnExplanation] = []
    for at, case in enumerate(cases):
        if progress:
            progress("cases explained", at, len(cases))
        key = fingerprint(case.case_file.model_dump(mode="json"))
        stored = store.get(key) if store else None
        if stored is not None:
            own = _LIST.validate_python(stored, strict=False)
        else:
            own = own_explanations(case.case_id, explain(case), passage)
            if store:
                store.put(key, _LIST.dump_python(own, mode="json"))
        found.extend(own)
    if progress:
        progress("cases explained", len(cases), len(cases))
    return tuple(found)


def own_faithfulness(explanations: Sequence[OwnExplanation], form: Form) -> tuple[float, ...]:
    """The faithfulness of each explanation that says something of a passage."""
    values = (faithfulness(one.scores, form) for one in explanations)
    return tuple(value for value in values if value is not None)
