"""Does the passage bear out what an explanation says of it? Explanations, sentence by sentence.

Faithfulness is the share of an explanation's sentences that their passage bears out, in three
forms, each stricter than the one before:

- `overlap`: at least 40% of the sentence's content words stand in one source chunk;
- `strict`: and every figure, provision, name and negation of the sentence stands in the passage;
- `relations`: and so do its outcomes, it says nothing of one party, provision or date that the
  passage says of another, and it adds no clause to a passage that it otherwise repeats.

The checks read no meaning: a false statement in the passage's own words passes them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from countercase.evaluation.experiment import ANALYSIS_CODE, ResultStore, run_cases
from countercase.evaluation.faithfulness import clause_checks, mentions
from countercase.evaluation.sets import SourceChunk
from countercase.evaluation.statistics import group_by, mean_of
from countercase.explanation.model import ChangeExplanation, PrecedentExplanation, Quote
from countercase.facts.model import FactSheet
from countercase.io import Progress, read_table
from countercase.text.sentences import Clause, sentence_spans
from countercase.text.words import overlap

if TYPE_CHECKING:
    from countercase.session import Session

Check: TypeAlias = Literal[
    "figure", "provision", "name", "negation", "outcome", "binding", "addition"
]
Form: TypeAlias = Literal["overlap", "strict", "relations"]

_ROWS: Final = read_table("evaluation/checks", dict)
CHECKS: Final[dict[Check, str]] = {row["check"]: row["finds"] for row in _ROWS}
"""Every check with what it finds, in words."""

FORMS: Final[dict[Form, tuple[Check, ...]]] = {
    "overlap": (),
    "strict": tuple(row["check"] for row in _ROWS if row["form"] == "strict"),
    "relations": tuple(CHECKS),
}
"""The forms of faithfulness and the checks that each asks for beside the overlap."""

ENOUGH: Final = 0.4
"""Share of a sentence's content words that must stand in one source chunk."""

_BY_SENTENCE: Final[dict[Check, Callable[[str, str], list[str]]]] = {
    "figure": mentions.missing_figures,
    "provision": mentions.missing_provisions,
    "name": mentions.missing_names,
    "outcome": clause_checks.missing_outcomes,
}
_BY_TEXT: Final[dict[Check, Callable[[str, str], list[Clause]]]] = {
    "negation": clause_checks.unsupported_negations,
    "binding": clause_checks.crossed_bindings,
    "addition": clause_checks.added_clauses,
}


@dataclass(frozen=True)
class Fault:
    """Words that a check objects to, as written, in the sentence of this number, from 0."""

    check: Check
    sentence: int
    words: str


def faults(text: str, passage: str) -> tuple[Fault, ...]:
    """List everything in `text` that `passage` does not bear out, sentence by sentence."""
    raised = [
        Fault(check, at, words)
        for at, (start, end) in enumerate(sentence_spans(text))
        for check, find in _BY_SENTENCE.items()
        for words in find(text[start:end], passage)
    ]
    raised += [
        Fault(check, clause.sentence, clause.text.strip())
        for check, find_clauses in _BY_TEXT.items()
        for clause in find_clauses(text, passage)
    ]
    return tuple(sorted(raised, key=lambda fault: fault.sentence))


@dataclass(frozen=True)
class SentenceScore:
    """One sentence, the chunk with most of its content words, their share there, and its faults."""

    text: str
    chunk_id: str
    overlap: float
    faults: tuple[Fault, ...]

    def faithful(self, form: Form) -> bool:
        """Tell whether the sources bear the sentence out."""
        raised = {fault.check for fault in self.faults}
        return self.overlap >= ENOUGH and raised.isdisjoint(FORMS[form])


def score_sentences(text: str, sources: Sequence[SourceChunk]) -> tuple[SentenceScore, ...]:
    """Score the sentences of an explanation against the chunks that it rests on.

    The overlap is that with the best of them; a figure, provision, name or negation may stand in
    any. Without a source no sentence is borne out.
    """
    raised = group_by(faults(text, "\n\n".join(it.text for it in sources)), lambda it: it.sentence)
    scores = []
    for at, (start, end) in enumerate(sentence_spans(text)):
        shares = [(overlap(text[start:end], chunk.text), chunk.chunk_id) for chunk in sources]
        best, chunk_id = max(shares, key=itemgetter(0), default=(0.0, ""))
        scores.append(SentenceScore(text[start:end], chunk_id, best, tuple(raised.get(at, ()))))
    return tuple(scores)


def faithfulness(sentences: Sequence[SentenceScore], form: Form) -> float | None:
    """Compute the share of the sentences that are borne out, 0 to 1; None of no sentence."""
    return mean_of([sentence.faithful(form) for sentence in sentences])


# CounterCase's own explanations

Kind = Literal["precedent", "change"]
Explained = tuple[Sequence[PrecedentExplanation], Sequence[ChangeExplanation]]
"""The explanations of one analysis."""
Passage = Callable[[str], str]
"""Gives the text of a chunk by its id."""

CODE: Final = (*ANALYSIS_CODE, "explanation", "evaluation/faithfulness/sentences.py")
"""The parts of the program that decide what an explanation says."""


@dataclass(frozen=True)
class OwnSentence:
    """A sentence and the chunk that it quotes with its text; "" for a statement of measurement."""

    text: str
    chunk_id: str = ""
    passage: str = ""


@dataclass(frozen=True)
class OwnExplanation:
    """One explanation that CounterCase gave of a precedent or of how a change moved the ranking."""

    explanation_id: str
    kind: Kind
    sentences: tuple[OwnSentence, ...]

    @property
    def scores(self) -> tuple[SentenceScore, ...]:
        """Its sentences that rest on a passage, scored against that passage alone."""
        resting = ((it.chunk_id, it.text, it.passage) for it in self.sentences if it.passage)
        return tuple(
            SentenceScore(text, chunk_id, overlap(text, passage), faults(text, passage))
            for chunk_id, text, passage in resting
        )


def own_explanations(
    case_id: str, explained: Explained, passage: Passage
) -> tuple[OwnExplanation, ...]:
    """List the explanations of one analysis, sentence by sentence, with the chunks they quote."""

    def read(name: str, kind: Kind, said: Sequence[str], quotes: list[Quote]) -> OwnExplanation:
        sentences = []
        for text in said:
            quote = next((it for it in quotes if f"“{it.text}” ({it.place})" in text), None)
            if quote and quote.text.endswith((".", "?", "!", "…")):  # needs no second stop
                text = text.replace(f"” ({quote.place}).", "”")
            if quote:
                text = text.replace(f"” ({quote.place})", "”")
            resting = (quote.chunk_id, passage(quote.chunk_id)) if quote else ()
            sentences.append(OwnSentence(text, *resting))
        return OwnExplanation(f"{case_id}/{name}", kind, tuple(sentences))

    precedents, changes = explained
    told = [
        read(it.case_id, "precedent", it.sentences, [reason.quote for reason in it.reasons])
        for it in precedents
        if it.sentences
    ]
    for change in changes:
        moved = (*change.left, *change.came, *change.moved)
        quotes = [case.quote for case in moved if case.quote is not None]
        told.append(read(f"{change.source}-{change.target}", "change", change.sentences, quotes))
    return tuple(told)


def explain_cases(
    sheets: Sequence[FactSheet],
    session: Session,
    store: ResultStore | None = None,
    progress: Progress | None = None,
) -> list[OwnExplanation]:
    """Explain the cases, or read what an earlier run stored; KeyboardInterrupt if it is broken off."""
    passage = passages(session)

    def explain(sheet: FactSheet) -> tuple[OwnExplanation, ...]:
        result = session.analyze(sheet, progress=progress)
        if not result.analysis.complete:
            raise KeyboardInterrupt
        return own_explanations(sheet.case_id, (result.precedents, result.changes), passage)

    listed = run_cases(
        sheets, explain, lambda it: [asdict(it)], store, progress, "cases explained",
        form=tuple[OwnExplanation, ...],
    )  # fmt: skip
    return [it for own in listed for it in own]


def passages(session: Session) -> Passage:
    """Return a function from the id of a chunk of the session's corpus to its text."""
    snapshot = session.snapshot
    positions = {snapshot.chunk_id(at): at for at in range(snapshot.manifest.chunks)}
    return lambda chunk_id: snapshot.text(positions[chunk_id])


def own_faithfulness(explanations: Sequence[OwnExplanation], form: Form) -> tuple[float, ...]:
    """Return the faithfulness of each explanation that says something of a passage."""
    values = (faithfulness(explanation.scores, form) for explanation in explanations)
    return tuple(value for value in values if value is not None)
