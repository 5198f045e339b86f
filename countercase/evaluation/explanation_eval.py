"""Does the passage bear out what an explanation says of it?

Faithfulness is the share of an explanation's sentences that their passage bears out, in three
forms, each stricter than the one before:

- `overlap`: at least 40% of the sentence's content words stand in one source chunk;
- `strict`: and every figure, provision, name and negation of the sentence stands in the passage;
- `relations`: and so do its outcomes, it says nothing of one party, provision or date that the
  passage says of another, and it adds no clause to a passage that it otherwise repeats.

Chunks count with their text alone. The checks read no meaning: a false statement in the passage's
own words, each in its place, passes them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, Literal, TypeAlias

from countercase.evaluation.experiment import counted
from countercase.evaluation.faithfulness import clause_checks, mentions
from countercase.evaluation.sets import ExplanationPair, SourceChunk
from countercase.evaluation.statistics import Estimate, Rate, bootstrap_interval, share
from countercase.io import Progress
from countercase.text.sentences import Clause, sentence_spans
from countercase.text.words import overlap

Check: TypeAlias = Literal[
    "figure", "provision", "name", "negation", "outcome", "binding", "addition"
]
Form: TypeAlias = Literal["overlap", "strict", "relations"]
Label: TypeAlias = Literal["faithful", "unfaithful"]

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

FORMS: Final[dict[Form, tuple[Check, ...]]] = {
    "overlap": (),
    "strict": ("figure", "provision", "name", "negation"),
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
    """List everything in `text` that `passage` does not bear out, sentence by sentence.

    Args:
        passage: of several chunks, their texts with blank lines between.
    """
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

    Args:
        sources: the overlap is that with the best one of them; a figure, provision, name or
            negation may stand in any. Without a source no sentence is borne out.
    """
    all_faults = faults(text, "\n\n".join(chunk.text for chunk in sources))
    scores = []
    for at, (start, end) in enumerate(sentence_spans(text)):
        sentence = text[start:end]
        shares = [(overlap(sentence, chunk.text), chunk.chunk_id) for chunk in sources]
        best, chunk_id = max(shares, key=itemgetter(0), default=(0.0, ""))
        own = tuple(fault for fault in all_faults if fault.sentence == at)
        scores.append(SentenceScore(sentence, chunk_id, best, own))
    return tuple(scores)


def faithfulness(sentences: Sequence[SentenceScore], form: Form) -> float | None:
    """Compute the share of the sentences that are borne out, 0 to 1; None of no sentence."""
    return share(sentence.faithful(form) for sentence in sentences).value


@dataclass(frozen=True)
class PairScore:
    """A labelled pair and its sentences' scores."""

    pair: ExplanationPair
    sentences: tuple[SentenceScore, ...]

    def verdict(self, form: Form) -> Label:
        """Return the label that the form gives: faithful where every sentence is borne out."""
        return "faithful" if faithfulness(self.sentences, form) == 1.0 else "unfaithful"


def score_pairs(
    pairs: Sequence[ExplanationPair], progress: Progress | None = None
) -> tuple[PairScore, ...]:
    """Score labelled pairs."""
    return tuple(
        PairScore(pair, score_sentences(pair.explanation, pair.source))
        for pair in counted(pairs, "pairs", progress)
    )


@dataclass(frozen=True)
class Detection:
    """How well a form detects one label.

    Args:
        precision: of the pairs that it gives the label, those that have it.
        recall: of the pairs that have the label, those that it gives it to.
        f1: their harmonic mean, over pairs drawn again; None where no pair has the label.
    """

    precision: Rate
    recall: Rate
    f1: Estimate


def detection(scores: Sequence[PairScore], form: Form, label: Label, seed: int = 0) -> Detection:
    """Compute precision, recall and F1 of detecting `label`, `seed` for the interval of F1."""
    outcomes = [
        2 * (score.verdict(form) == label) + (score.pair.label == label) for score in scores
    ]
    hits, given, true = outcomes.count(3), outcomes.count(2), outcomes.count(1)
    f1 = Estimate(None, len(scores))
    if hits + true:
        ends = bootstrap_interval(outcomes, seed, statistic=_f1) or (None, None)
        f1 = Estimate(2 * hits / (2 * hits + given + true), len(scores), *ends)
    return Detection(Rate(hits, hits + given), Rate(hits, hits + true), f1)


def _f1(outcomes: Any, axis: int) -> Any:
    """Compute F1 of resamples of pairs: 3 given and true, 2 given, 1 true alone; 1 of all 0."""
    import numpy as np

    hits = (outcomes == 3).sum(axis=axis)
    total = 2 * hits + (outcomes == 2).sum(axis=axis) + (outcomes == 1).sum(axis=axis)
    return np.where(total > 0, 2 * hits / np.maximum(total, 1), 1.0)
