"""CounterCase's own explanations as sentences with the passages that they rest on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from countercase.evaluation.experiment import ANALYSIS_CODE, ResultStore, run_cases
from countercase.evaluation.explanation_eval import Form, SentenceScore, faithfulness, faults
from countercase.explanation.model import ChangeExplanation, PrecedentExplanation, Quote
from countercase.facts.model import FactSheet
from countercase.io import Progress
from countercase.text.words import overlap

if TYPE_CHECKING:
    from countercase.session import Session

Kind = Literal["precedent", "change"]
Explained = tuple[Sequence[PrecedentExplanation], Sequence[ChangeExplanation]]
"""The explanations of one analysis."""

CODE: Final = (*ANALYSIS_CODE, "explanation", "evaluation/faithfulness/own_explanations.py")
"""The parts of the program that decide what an explanation says."""


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
    """One explanation that CounterCase gave of a precedent or of how a change moved the ranking."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    explanation_id: str
    kind: Kind
    sentences: Annotated[tuple[OwnSentence, ...], Field(min_length=1)]

    @property
    def scores(self) -> tuple[SentenceScore, ...]:
        """Its sentences that rest on a passage, scored against that passage alone."""
        return tuple(
            SentenceScore(
                it.text, it.chunk_id, overlap(it.text, it.passage), faults(it.text, it.passage)
            )
            for it in self.sentences
            if it.passage
        )


Passage = Callable[[str], str]
_LIST: Final = TypeAdapter(tuple[OwnExplanation, ...])


def own_explanations(
    case_id: str, explained: Explained, passage: Passage
) -> tuple[OwnExplanation, ...]:
    """List the explanations of one analysis, sentence by sentence, with the chunks they quote."""
    listed: list[tuple[str, Kind, Sequence[str], list[Quote]]] = []
    precedents, changes = explained
    for precedent in precedents:
        if precedent.sentences:
            quotes = [reason.quote for reason in precedent.reasons]
            listed.append((precedent.case_id, "precedent", precedent.sentences, quotes))
    for change in changes:
        moved = (*change.left, *change.came, *change.moved)
        quotes = [case.quote for case in moved if case.quote is not None]
        listed.append((f"{change.source}-{change.target}", "change", change.sentences, quotes))
    return tuple(
        OwnExplanation(
            explanation_id=f"{case_id}/{name}",
            kind=kind,
            sentences=tuple(_own_sentence(text, quotes, passage) for text in sentences),
        )
        for name, kind, sentences, quotes in listed
    )


def _own_sentence(text: str, quotes: Sequence[Quote], passage: Passage) -> OwnSentence:
    quote = next((it for it in quotes if f"“{it.text}” ({it.place})" in text), None)
    if quote is None:
        return OwnSentence(text=text, chunk_id="", passage="")
    if quote.text.endswith((".", "?", "!", "…")):  # needs no second stop
        text = text.replace(f"” ({quote.place}).", "”")
    text = text.replace(f"” ({quote.place})", "”")
    return OwnSentence(text=text, chunk_id=quote.chunk_id, passage=passage(quote.chunk_id))


def explain_cases(
    sheets: Sequence[FactSheet],
    session: Session,
    store: ResultStore | None = None,
    progress: Progress | None = None,
) -> list[OwnExplanation]:
    """Explain the cases, or read what an earlier run stored; KeyboardInterrupt if it is broken off.

    Args:
        store: made with the settings, models, corpus and program (`CODE`) of the analyses.
    """
    passage = passages(session)

    def explain(sheet: FactSheet) -> Any:
        result = session.analyze(sheet, progress=progress)
        if not result.analysis.complete:
            raise KeyboardInterrupt
        own = own_explanations(sheet.case_id, (result.precedents, result.changes), passage)
        return _LIST.dump_python(own, mode="json")

    listed = run_cases(sheets, explain, lambda it: [asdict(it)], store, progress, "cases explained")
    return [it for own in listed for it in _LIST.validate_python(own)]


def passages(session: Session) -> Passage:
    """Return a function from the id of a chunk of the session's corpus to its text."""
    snapshot = session.snapshot
    positions = {snapshot.chunk_id(at): at for at in range(snapshot.manifest.chunks)}
    return lambda chunk_id: snapshot.text(positions[chunk_id])


def own_faithfulness(explanations: Sequence[OwnExplanation], form: Form) -> tuple[float, ...]:
    """Return the faithfulness of each explanation that says something of a passage."""
    values = (faithfulness(explanation.scores, form) for explanation in explanations)
    return tuple(value for value in values if value is not None)
