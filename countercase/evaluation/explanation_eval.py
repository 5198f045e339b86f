"""Does the passage bear out what an explanation says of it?

Faithfulness is the share of an explanation's sentences that their passage bears out, in three
forms, each stricter than the one before:

- `overlap`: at least 40% of the sentence's content words stand in one source chunk;
- `strict`: and every figure, provision, name and negation of the sentence stands in the passage;
- `relations`: and so do its outcomes, it says nothing of one party, provision or date that the
  passage says of another, and it adds no clause to a passage that it otherwise repeats.

Chunks count with their text alone: no title, date or other metadata bears anything out.

The share of content words cannot tell `not complete` from `complete`, or the husband from his
parents. The checks can, as far as the words go: each names what it found and where. They read no
meaning: a false statement in the passage's own words, each in its place, passes them all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from countercase.evaluation.faithfulness.clause_checks import (
    added_clauses,
    crossed_bindings,
    missing_outcomes,
    unsupported_negations,
)
from countercase.evaluation.faithfulness.mentions import (
    missing_figures,
    missing_names,
    missing_provisions,
)
from countercase.evaluation.sets import ErrorKind, ExplanationPair, SourceChunk
from countercase.evaluation.statistics import Interval, Rate, bootstrap_interval
from countercase.io import Progress
from countercase.text.clauses import clauses_of
from countercase.text.sentences import sentence_spans
from countercase.text.words import overlap

Check: TypeAlias = Literal[
    "figure", "provision", "name", "negation", "outcome", "binding", "addition"
]

CHECKS: Final[dict[Check, str]] = {
    "figure": "a figure or date that the passage does not state",
    "provision": "a provision that the passage does not cite",
    "name": "a name that the passage does not give",
    "negation": "a denial of what the passage asserts, or the reverse",
    "outcome": "an outcome that the passage does not tell",
    "binding": "words that the passage says of another party, provision or date",
    "addition": "a clause that is not of the passage, where the others are",
}
"""Every check with what it finds, in words."""

_Finders: TypeAlias = dict[Check, Callable[[str, str], list[str]]]
_BY_SENTENCE: Final[_Finders] = {
    "figure": missing_figures,
    "provision": missing_provisions,
    "name": missing_names,
    "outcome": missing_outcomes,
}
_BY_TEXT: Final[_Finders] = {
    "negation": unsupported_negations,
    "binding": crossed_bindings,
    "addition": added_clauses,
}


@dataclass(frozen=True)
class Fault:
    """Words that a check objects to.

    Args:
        sentence: which sentence of the text, from 0.
        words: the words at fault, as written.
    """

    check: Check
    sentence: int
    words: str


def faults(text: str, passage: str) -> tuple[Fault, ...]:
    """Everything in `text` that `passage` does not bear out, sentence by sentence.

    Args:
        text: an explanation of one or more sentences.
        passage: the text that it rests on; of several chunks, their texts with blank lines between.
    """
    raised = [
        Fault(check, at, words)
        for at, (start, end) in enumerate(sentence_spans(text))
        for check, find in _BY_SENTENCE.items()
        for words in find(text[start:end], passage)
    ]
    place = {clause.text.strip(): clause.sentence for clause in clauses_of(text)}
    for check, find in _BY_TEXT.items():
        raised += [Fault(check, place[words], words) for words in find(text, passage)]
    return tuple(sorted(raised, key=lambda fault: fault.sentence))


Form: TypeAlias = Literal["overlap", "strict", "relations"]
Label: TypeAlias = Literal["faithful", "unfaithful"]

ENOUGH: Final = 0.4
"""Share of a sentence's content words that must stand in one source chunk."""

FORMS: Final[dict[Form, tuple[Check, ...]]] = {
    "overlap": (),
    "strict": ("figure", "provision", "name", "negation"),
    "relations": ("figure", "provision", "name", "negation", "outcome", "binding", "addition"),
}
"""The forms of faithfulness and the checks that each asks for beside the overlap."""


@dataclass(frozen=True)
class SentenceScore:
    """One sentence compared with its sources.

    Args:
        chunk_id: the chunk with most of its content words; "" where there is no source.
        overlap: the share of its content words that stand there, 0 to 1.
        faults: what the checks found in it.
    """

    text: str
    chunk_id: str
    overlap: float
    faults: tuple[Fault, ...]

    def faithful(self, form: Form) -> bool:
        """Whether the sources bear the sentence out."""
        raised = {fault.check for fault in self.faults}
        return self.overlap >= ENOUGH and raised.isdisjoint(FORMS[form])


def score_sentences(text: str, sources: Sequence[SourceChunk]) -> tuple[SentenceScore, ...]:
    """The sentences of an explanation against the chunks that it rests on.

    Args:
        text: the explanation.
        sources: the overlap is that with the best one of them; a figure, provision, name or
            negation may stand in any. Without a source no sentence is borne out.
    """
    passage = "\n\n".join(chunk.text for chunk in sources)
    all_faults = faults(text, passage)
    scores = []
    for at, (start, end) in enumerate(sentence_spans(text)):
        sentence, chunk_id, best = text[start:end], "", -1.0
        for chunk in sources:
            if (part := overlap(sentence, chunk.text)) > best:
                chunk_id, best = chunk.chunk_id, part
        own = tuple(fault for fault in all_faults if fault.sentence == at)
        scores.append(SentenceScore(sentence, chunk_id, max(best, 0.0), own))
    return tuple(scores)


def faithfulness(sentences: Sequence[SentenceScore], form: Form) -> float | None:
    """The share of the sentences that are borne out, 0 to 1; None of no sentence."""
    return Rate(sum(sentence.faithful(form) for sentence in sentences), len(sentences)).value


@dataclass(frozen=True)
class PairScore:
    """A labelled pair and its sentences' scores."""

    pair: ExplanationPair
    sentences: tuple[SentenceScore, ...]

    def verdict(self, form: Form) -> Label:
        """The label that the form gives: faithful where every sentence is borne out."""
        return "faithful" if faithfulness(self.sentences, form) == 1.0 else "unfaithful"


def score_pairs(
    pairs: Sequence[ExplanationPair], progress: Progress | None = None
) -> tuple[PairScore, ...]:
    """Score labelled pairs."""
    scores = []
    for at, pair in enumerate(pairs, start=1):
        scores.append(PairScore(pair, score_sentences(pair.explanation, pair.source)))
        if progress:
            progress("pairs", at, len(pairs))
    return tuple(scores)


@dataclass(frozen=True)
class Detection:
    """How well a form detects one label.

    Args:
        precision: of the pairs that it gives the label, those that have it.
        recall: of the pairs that have the label, those that it gives it to.
        f1_interval: 95% percentile interval over pairs drawn again; None of fewer than two.
    """

    precision: Rate
    recall: Rate
    f1_interval: Interval | None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None where no pair has the label."""
        given, true = self.precision.of, self.recall.of
        return 2 * self.recall.count / (given + true) if true else None


def detection(scores: Sequence[PairScore], form: Form, label: Label, seed: int = 0) -> Detection:
    """Precision, recall and F1 of detecting `label`, with `seed` for the interval of F1."""
    outcomes = [
        2 * (score.verdict(form) == label) + (score.pair.label == label) for score in scores
    ]
    hits, given, true = outcomes.count(3), outcomes.count(2), outcomes.count(1)
    interval = bootstrap_interval(outcomes, seed, statistic=_f1) if hits + true else None
    return Detection(Rate(hits, hits + given), Rate(hits, hits + true), interval)


def _f1(outcomes: Any, axis: int) -> Any:
    """F1 of resamples of pairs: 3 given and true, 2 given alone, 1 true alone; 1 of all 0."""
    import numpy as np

    hits = (outcomes == 3).sum(axis=axis)
    total = 2 * hits + (outcomes == 2).sum(axis=axis) + (outcomes == 1).sum(axis=axis)
    return np.where(total > 0, 2 * hits / np.maximum(total, 1), 1.0)


def recall_by_error(scores: Sequence[PairScore], form: Form) -> dict[ErrorKind, Rate]:
    """Of the pairs with each kind of error, those that the form calls unfaithful; by name."""
    verdicts: dict[ErrorKind, list[bool]] = {}
    for score in scores:
        if score.pair.error is not None:
            unfaithful = score.verdict(form) == "unfaithful"
            verdicts.setdefault(score.pair.error, []).append(unfaithful)
    return {error: Rate(sum(row), len(row)) for error, row in sorted(verdicts.items())}


def raised_by(scores: Sequence[PairScore], checks: Collection[Check], label: Label) -> Rate:
    """Of the pairs with this label, those in which one of the checks finds a fault."""
    labelled = [score for score in scores if score.pair.label == label]
    raised = ({fault.check for it in score.sentences for fault in it.faults} for score in labelled)
    return Rate(sum(not found.isdisjoint(checks) for found in raised), len(labelled))
