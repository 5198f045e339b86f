"""What an explanation says, before any format: from stored scores and chunk text, verbatim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from countercase.corpus.judgment.attribution import ANOTHER
from countercase.corpus.judgment.treatment import Treatment

_LABELS: Final = {"arguments": "argued", "analysis": "reasoning"}
"""What a section is called beside a quote, where that is not its own name."""


@dataclass(frozen=True)
class Quote:
    """A sentence of a judgment, verbatim, with where it stands.

    Args:
        section: of the sentence: facts, arguments, analysis, holding, order; empty if not known.
        paragraph, page: 0 where the judgment does not number them.
        finding: the court below whose finding the sentence only reports, with what became of it
            (`High Court, reversed here`), or empty.
    """

    chunk_id: str
    text: str
    section: str
    paragraph: int
    page: int
    finding: str = ""

    @property
    def place(self) -> str:
        """Where it stands, in words: `holding, paragraph 12`, `finding of the trial court`."""
        article = "" if self.finding == ANOTHER else "the "
        own = _LABELS.get(self.section, self.section)
        parts = (
            f"finding of {article}{self.finding}" if self.finding else own,
            f"paragraph {self.paragraph}" if self.paragraph else "",
            f"page {self.page}" if self.page else "",
        )
        return ", ".join(filter(None, parts)) or "unnumbered"


@dataclass(frozen=True)
class Reason:
    """One segment of the case and the passage of the precedent that answers it.

    Args:
        facts: labels of the facts that the segment states (`IPC-302`, `16 years (prosecutrix)`);
            empty where it states none.
        shared: those of them of which the quoted sentence speaks; empty where it is only like it.
        weight: what the pair adds to the precedent's score.
        share: that as a share of the precedent's whole score, 0 to 1.
    """

    fact_ids: tuple[str, ...]
    facts: tuple[str, ...]
    shared: tuple[str, ...]
    segment: str
    quote: Quote
    weight: float
    share: float


@dataclass(frozen=True)
class PrecedentExplanation:
    """Why a precedent is in the ranking: the strongest reason for each fact it answers to.

    Args:
        turned_on: what the decision turned on, where its record says so (the casebook's does).
        treatment, later: what later decisions and statutes did to it; the same in sentences.
        standing: `overruled` or `superseded` where it is bad law for the facts of the case.
    """

    case_id: str
    title: str
    date: str
    court: str
    docket: str
    outcome: str
    rank: int
    score: float
    reasons: tuple[Reason, ...]
    sentences: tuple[str, ...]
    turned_on: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    treatment: tuple[Treatment, ...] = ()
    standing: str = ""

    @property
    def text(self) -> str:
        """The explanation as prose."""
        return " ".join(self.sentences)


@dataclass(frozen=True)
class MovedCase:
    """A precedent that an edit moved, and the passage that made it move.

    Args:
        before, after: ranks; None where it is outside the top K.
        quote: the passage that gained (or lost) most with the edit; None where the precedent moved
            only because others did.
        names_change: whether it speaks of the fact as it was (where it lost) or is (where it gained).
        turned_on: what the decision turned on, where its record says so.
    """

    case_id: str
    title: str
    before: int | None
    after: int | None
    quote: Quote | None
    change: float
    names_change: bool = False
    turned_on: str = ""


@dataclass(frozen=True)
class ChangeExplanation:
    """What a what-if did to the list: what went out, what came in, what moved, and why."""

    source: str
    target: str
    edit_id: str
    fact_id: str
    supposition: str
    by_hand: bool
    mean_displacement: float
    left: tuple[MovedCase, ...]
    came: tuple[MovedCase, ...]
    moved: tuple[MovedCase, ...]
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The explanation as prose."""
        return " ".join(self.sentences)
