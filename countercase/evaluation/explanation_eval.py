"""Does the passage bear out what an explanation says of it?

Faithfulness is the share of an explanation's sentences that their passage bears out, in three
forms, each stricter than the one before:

- `overlap`: at least 40% of the sentence's content words stand in one source chunk;
- `strict`: and every figure, provision, name and negation of the sentence stands in the passage;
- `relations`: and so do its outcomes, it says nothing of one party, provision or date that the
  passage says of another, and it adds no clause to a passage that it otherwise repeats.

Chunks count with their text alone: no title, date or other metadata bears anything out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from countercase.evaluation.faithfulness.faults import Check, Fault, faults
from countercase.evaluation.sets import ErrorKind, ExplanationPair, SourceChunk
from countercase.evaluation.statistics import Rate
from countercase.text.content_words import overlap
from countercase.text.sentences import sentence_spans

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
    """How one sentence stands to its sources.

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
        return self.overlap >= ENOUGH and not any(one.check in FORMS[form] for one in self.faults)


def score_sentences(text: str, sources: Sequence[SourceChunk]) -> tuple[SentenceScore, ...]:
    """The sentences of an explanation against the chunks that it rests on.

    Args:
        text: the explanation.
        sources: the overlap is that with the best one of them; a figure, provision, name or
            negation may stand in any. Without a source no sentence is borne out.
    """
    passage = "\n\n".join(chunk.text for chunk in sources)
    found = faults(text, passage)
    scores = []
    for at, (start, end) in enumerate(sentence_spans(text)):
        sentence = text[start:end]
        shares = [overlap(sentence, chunk.text) for chunk in sources]
        best = shares.index(max(shares)) if shares else -1
        scores.append(
            SentenceScore(
                sentence,
                sources[best].chunk_id if sources else "",
                shares[best] if sources else 0.0,
                tuple(one for one in found if one.sentence == at),
            )
        )
    return tuple(scores)


def faithfulness(sentences: Sequence[SentenceScore], form: Form) -> float | None:
    """The share of the sentences that are borne out, 0 to 1; None of no sentence."""
    return Rate(sum(one.faithful(form) for one in sentences), len(sentences)).value


@dataclass(frozen=True)
class PairScore:
    """A labelled pair and its sentences' scores."""

    pair: ExplanationPair
    sentences: tuple[SentenceScore, ...]

    def told(self, form: Form) -> Label:
        """The label that the form gives: faithful where every sentence is borne out."""
        return "faithful" if faithfulness(self.sentences, form) == 1.0 else "unfaithful"


def score_pairs(
    pairs: Sequence[ExplanationPair], progress: Callable[[str, int, int], None] | None = None
) -> tuple[PairScore, ...]:
    """Score labelled pairs; `progress` is called with `pairs`, how many are done, of how many."""
    scores = []
    for at, pair in enumerate(pairs, start=1):
        scores.append(PairScore(pair, score_sentences(pair.explanation, pair.source)))
        if progress:
            progress("pairs", at, len(pairs))
    return tuple(scores)


@dataclass(frozen=True)
class Detection:
    """How well a form tells one label.

    Args:
        precision: of the pairs that it gives the label, those that have it.
        recall: of the pairs that have the label, those that it gives it to.
        f1_interval: 95% percentile interval over pairs drawn again; None of fewer than two.
    """

    precision: Rate
    recall: Rate
    f1_interval: tuple[float, float] | None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None where no pair has the label."""
        return _f1(self.recall.count, self.precision.of, self.recall.of)


def detection(scores: Sequence[PairScore], form: Form, label: Label, seed: int = 0) -> Detection:
    """Precision, recall and F1 of telling `label`, with `seed` for the interval of F1."""
    given = [one.told(form) == label for one in scores]
    true = [one.pair.label == label for one in scores]
    hits = sum(gave and is_so for gave, is_so in zip(given, true, strict=True))
    return Detection(Rate(hits, sum(given)), Rate(hits, sum(true)), _f1_interval(given, true, seed))


def recall_by_error(scores: Sequence[PairScore], form: Form) -> dict[ErrorKind, Rate]:
    """Of the pairs with each kind of error, those that the form calls unfaithful; by name."""
    kinds = sorted({one.pair.error for one in scores if one.pair.error is not None})
    found = {}
    for kind in kinds:
        told = [one.told(form) == "unfaithful" for one in scores if one.pair.error == kind]
        found[kind] = Rate(sum(told), len(told))
    return found


def raised_by(scores: Sequence[PairScore], checks: Collection[Check], label: Label) -> Rate:
    """Of the pairs with this label, those in which one of the checks finds a fault."""
    found = [
        any(fault.check in checks for sentence in one.sentences for fault in sentence.faults)
        for one in scores
        if one.pair.label == label
    ]
    return Rate(sum(found), len(found))


def _f1(hits: int, given: int, true: int) -> float | None:
    return 2 * hits / (given + true) if true else None


def _f1_interval(
    given: Sequence[bool], true: Sequence[bool], seed: int, resamples: int = 10_000
) -> tuple[float, float] | None:
    """Percentile interval (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993)."""
    if len(given) < 2 or not any(true):
        return None
    import numpy as np

    gave, is_so = np.asarray(given), np.asarray(true)
    draw = np.random.default_rng(seed).integers(0, len(gave), size=(resamples, len(gave)))
    hits = (gave & is_so)[draw].sum(axis=1)
    total = gave[draw].sum(axis=1) + is_so[draw].sum(axis=1)
    values = np.divide(2 * hits, total, out=np.ones(resamples), where=total > 0)
    low, high = np.percentile(values, (2.5, 97.5))
    return float(low), float(high)
