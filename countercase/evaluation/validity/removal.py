"""Labelled sentences of cases, how far precedents move without each, and what that has to beat."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

from countercase.counterfactual.displacement import DEPTHS, Distances, panel
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.errors import InputError
from countercase.evaluation.experiment import ANALYSIS_CODE, ResultStore, run_cases
from countercase.evaluation.sets import read_set
from countercase.facts.edits import STATED, Edit
from countercase.facts.model import Fact, FactSheet
from countercase.io import Progress, read_table
from countercase.law.provisions import Provision
from countercase.session import Session
from countercase.text.spans import Span, one_line
from countercase.text.words import words

CODE: Final = (*ANALYSIS_CODE, "evaluation/validity/removal.py")
"""The parts of the program that decide how far a sentence moves the precedents."""


class SentenceCase(BaseModel):
    """A case as sentences, each with whether people called it decisive."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    text: tuple[str, ...]
    labels: tuple[bool, ...]

    @model_validator(mode="after")
    def _checked(self) -> SentenceCase:
        if len(self.text) != len(self.labels):
            raise ValueError(f"{len(self.text)} sentences and {len(self.labels)} labels")
        return self

    @property
    def decides(self) -> bool:
        """Whether it has both labels, so that the order of its sentences can be right or wrong."""
        return len(set(self.labels)) == 2


def read_sentences(path: Path) -> list[SentenceCase]:
    """Read cases, `{"id", "text": [...], "labels": [...]}` a line; blank sentences are left out."""
    cases = []
    for case in read_set(path, SentenceCase):
        rows = [row for row in zip(case.text, case.labels, strict=True) if row[0].strip()]
        texts, labels = tuple(text for text, _ in rows), tuple(label for _, label in rows)
        cases.append(SentenceCase(id=case.id, text=texts, labels=labels))
    if not any(case.decides for case in cases):
        raise InputError(f"{path}: no case has sentences of both labels")
    return cases


@dataclass(frozen=True)
class MovedCase:
    """A case with the distances, per sentence and depth, of the list without that sentence."""

    case: SentenceCase
    panels: tuple[tuple[Distances, ...], ...]

    def values(self, measure: str, k: int) -> tuple[float | None, ...]:
        """Return one measure of the panel at one K, per sentence; None where it is not defined."""
        return tuple(getattr(d, measure) for row in self.panels for d in row if d.k == k)


def removals(case: SentenceCase) -> tuple[FactSheet, tuple[Edit, ...]]:
    """Return the case with each sentence as a statement, and for each the edit that leaves it out."""
    sentences = [one_line(text) for text in case.text]
    facts, edits, start = [], [], 0
    for at, sentence in enumerate(sentences, start=1):
        place = Span(start, start + len(sentence))
        start = place.end + 1
        facts.append(Fact(f"sentence:{at}", STATED, sentence, (place,)))
        edits.append(Edit(f"sentence:{at}", STATED, "remove", sentence, None, "", "removal"))
    return FactSheet(case.id, " ".join(sentences), tuple(facts)), tuple(edits)


def measure(
    cases: Sequence[SentenceCase],
    session: Session,
    store: ResultStore | None = None,
    progress: Progress | None = None,
) -> list[MovedCase]:
    """Take away each sentence of each case that has both labels, and rank again.

    A case that is stored is not ranked again.
    """
    cases = [case for case in cases if case.decides]
    pieces, top_k = session.settings.SEGMENT_PIECES, session.settings.TOP_K

    def move(case: SentenceCase) -> tuple[tuple[Distances, ...], ...]:
        sheet, edits = removals(case)
        renderer = Renderer(sheet, session.encoders.count, pieces)
        exclude = session.retriever.twins(renderer.query(State()), case.id)
        search = StateSearch(renderer, session.retriever, top_k, exclude)
        [root] = search.rank([State()])
        rankings = search.rank_many([State.of([it]) for it in edits], "sentences")
        panels = tuple(panel(root, it, depths(session)) for it in rankings)
        session.retriever.forget()
        return panels

    found = run_cases(
        cases, move, lambda case: [case.model_dump(mode="json", exclude={"labels"})], store,
        progress, form=tuple[tuple[Distances, ...], ...],
    )  # fmt: skip
    return list(map(MovedCase, cases, found))


def depths(session: Session) -> tuple[int, ...]:
    """Return the K at which moves are measured: those of the panel and the setting TOP_K."""
    return tuple(sorted({*DEPTHS, session.settings.TOP_K}))


# What movement has to beat: scores of sentences that need no change of the case

Baseline: TypeAlias = Callable[[SentenceCase, Session], Sequence[float]]
"""A score of each sentence of a case."""


def length(case: SentenceCase, _session: Session | None = None) -> list[float]:
    """Count the words of each sentence."""
    return [float(len(text.split())) for text in case.text]


def idf_mass(case: SentenceCase, session: Session) -> list[float]:
    """Sum the inverse document frequencies of the distinct words of each sentence."""
    idf = session.snapshot.lexicon.idf
    return [sum(idf(word) for word in sorted(set(words(text)))) for text in case.text]


def likeness_to_provisions(case: SentenceCase, session: Session) -> list[float]:
    """Return the largest cosine of each sentence with the heading of a known provision."""
    vectors = session.encoders.encode("sentence", list(case.text)).astype(np.float64)
    titles = dict.fromkeys(row.title for row in read_table("law/provisions", Provision))
    headings = session.encoders.encode("sentence", [*filter(None, titles)]).astype(np.float64)
    best: list[float] = np.einsum("ik,jk->ij", vectors, headings).max(axis=1).round(9).tolist()
    return best


def chance(case: SentenceCase, _session: Session) -> list[float]:
    """Draw a random number for each sentence, the same on every run."""
    drawn = random.Random(case.id)
    return [drawn.random() for _ in case.text]


BASELINES: Final[dict[str, Baseline]] = {
    "length": length,
    "position": lambda case, _session: [float(at) for at in range(len(case.text))],
    "IDF mass": idf_mass,
    "likeness to provisions": likeness_to_provisions,
    "random": chance,
}
"""Every baseline by the name that tables show; a further one is one function and one line here."""
