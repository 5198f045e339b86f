"""A session: settings, models and one corpus, opened once and used for many cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypedDict, Unpack

from countercase.config import Settings
from countercase.corpus.casebook.records import CASEBOOK
from countercase.corpus.index.build import open_corpus
from countercase.corpus.index.snapshot import Manifest, Snapshot
from countercase.counterfactual import attribution as shares
from countercase.counterfactual import sensitivity
from countercase.counterfactual.analysis import Analysis, analyze_sheet, search_of
from countercase.counterfactual.displacement import DEPTHS
from countercase.counterfactual.lawful import Validator
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.counterfactual.tree import PerturbationTree
from countercase.encoders.base import ROLES, Encoders, open_encoders
from countercase.explanation.change import explain_changes
from countercase.explanation.model import ChangeExplanation, PrecedentExplanation
from countercase.explanation.precedent import explain_precedents
from countercase.explanation.quotes import Quoter
from countercase.facts.area_of_law import provisions
from countercase.facts.edits import Edit
from countercase.facts.extraction import extract, find_occurrence
from countercase.facts.model import FactSheet
from countercase.io import Progress
from countercase.retrieval.base import MOST_SEARCHED, Filters, Query, Ranking, Retriever, check_size
from countercase.retrieval.hybrid import HybridRetriever
from countercase.retrieval.strength import Coverage, coverage, is_weak
from countercase.salience.facts import Weighing, weigh_facts


@dataclass(frozen=True)
class Result:
    """An analysis with its explanations, and the corpus, models and settings it was made with.

    Attributes:
        manifest: the corpus; None where a foreign retriever ranked, of which the rest is empty too.
        models: fingerprint by role.
        titles: title by id, of the cases of every ranking of the tree.
        weak: whether the precedents are only the nearest that there were; see `is_weak`.
        coverage: how many decisions cite each provision of the case.
        left_out: what was asked for and not done, each with why.
    """

    analysis: Analysis
    precedents: tuple[PrecedentExplanation, ...]
    changes: tuple[ChangeExplanation, ...]
    manifest: Manifest | None
    models: dict[str, str]
    settings: Settings
    titles: dict[str, str] = field(default_factory=dict)
    weak: bool = False
    coverage: tuple[Coverage, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def facts(self) -> tuple[sensitivity.FactSensitivity, ...]:
        """What was measured of each fact, in sheet order; evidence that edits added is last."""
        return self.analysis.facts

    @property
    def sensitivity(self) -> dict[str, float | None]:
        """Sensitivity per fact type; None where nothing of the type was measured."""
        return self.analysis.sensitivity

    @property
    def tree(self) -> PerturbationTree:
        """The states of the case and the edits between them."""
        return self.analysis.tree


class CaseAttribution(NamedTuple):
    """How the movement of a case divides among its facts, and what else their changes do.

    `outcomes` are the balance of allowed and dismissed, and how each change shifts it; `panels` the
    moves of each fact at several K; `absent` why a decision is not listed, where that was asked.
    """

    attribution: shares.Attribution
    outcomes: tuple[sensitivity.Balance, tuple[sensitivity.OutcomeShift, ...]]
    panels: tuple[sensitivity.FactPanel, ...]
    absent: shares.WhyNot | None


class Asked(TypedDict, total=False):
    """What may be asked of an analysis; `analyze_sheet` says what each means and is without it."""

    types: Sequence[str] | None
    filters: Filters | None
    validator: Validator | str
    progress: Progress | None
    by_hand: Sequence[Edit]
    criterion: sensitivity.Criterion
    watch: Callable[[Callable[[], Analysis]], None] | None


class Analyst:
    """Analyses cases with one retriever, whichever it is.

    A `HybridRetriever` counts a segment's length in word pieces and gives passages to quote; for
    any other retriever the length is in words, and explanations say what they lack.
    """

    def __init__(self, settings: Settings, retriever: Retriever) -> None:
        self.settings, self.retriever = settings, retriever

    def renderer(self, sheet: FactSheet) -> Renderer:
        """Return what turns the states of a case into the queries that the retriever reads."""
        power, share = self.settings.STATEMENT_POWER, self.settings.STATEMENT_WEIGHT
        if not isinstance(self.retriever, HybridRetriever):
            return Renderer(sheet, weighing=Weighing(power=power, share=share))
        encoders = self.retriever.encoders
        weighing = weigh_facts(sheet, encoders, power, share)
        return Renderer(sheet, encoders.count, self.settings.SEGMENT_PIECES, weighing)

    def states(
        self, sheet: FactSheet, filters: Filters | None = None, progress: Progress | None = None
    ) -> StateSearch:
        """Return what ranks the states of a case."""
        top_k = self.settings.TOP_K
        return search_of(self.retriever, self.renderer(sheet), top_k, filters, progress)

    def measure(self, sheet: FactSheet, **asked: Unpack[Asked]) -> Analysis:
        """Measure which facts of a case move its precedents; see `analyze_sheet`."""
        settings, renderer = self.settings.tree(), self.renderer(sheet)
        return analyze_sheet(sheet, self.retriever, settings, renderer=renderer, **asked)

    def analyze(self, sheet: FactSheet, quoted: bool = True, **asked: Unpack[Asked]) -> Result:
        """Measure which facts of a case move its precedents, and `explain` it."""
        return self.explain(self.measure(sheet, **asked), quoted)

    def explain(self, analysis: Analysis, quoted: bool = True) -> Result:
        """Explain an analysis; where it is not `quoted`, without passages and what changes did."""
        if not isinstance(self.retriever, HybridRetriever):
            told = explain_precedents(analysis, None), explain_changes(analysis, None)
            return Result(analysis, *told, None, {}, self.settings)
        snapshot, encoders = self.retriever.snapshot, self.retriever.encoders
        quoter = Quoter(snapshot, encoders, analysis.sheet)
        ranked = {own for it in analysis.tree.nodes() if it.ranking for own in it.ranking.case_ids}
        return Result(
            analysis, explain_precedents(analysis, quoter, quoted),
            explain_changes(analysis, quoter) if quoted else (),
            snapshot.manifest, {role: encoders.fingerprint(role) for role in ROLES}, self.settings,
            titles={case_id: quoter.titles[case_id] for case_id in sorted(ranked)},
            weak=is_weak(analysis.precedents, snapshot, encoders),
            coverage=coverage(provisions(analysis.sheet), snapshot),
        )  # fmt: skip


class Session(Analyst):
    """Models and a corpus, opened."""

    retriever: HybridRetriever

    def __init__(
        self,
        settings: Settings,
        encoders: Encoders,
        snapshot: Snapshot,
        chroma_host: str | None = None,
    ) -> None:
        retriever = HybridRetriever(snapshot, encoders, settings.retrieval(), chroma_host)
        super().__init__(settings, retriever)
        self.encoders, self.snapshot = encoders, snapshot

    def attribute(
        self, analysis: Analysis, absent: str = "", progress: Progress | None = None
    ) -> CaseAttribution:
        """Divide the movement of an analysed case among its facts, exact to twelve of them.

        `absent` is the id of a decision, of which to say why it is not in the list; InputError where
        it is there, is the case itself, or is not in the corpus.
        """
        tree = analysis.tree
        chosen, left_out = shares.players(tree)
        game = shares.Game(chosen, self.states(analysis.sheet, progress=progress))
        names = zip(self.snapshot.case_ids, self.snapshot.metadata, strict=True)
        return CaseAttribution(
            shares.attribution_of(game, left_out),
            sensitivity.outcome_shifts(tree, {name: metadata.outcome for name, metadata in names}),
            sensitivity.fact_panels(tree, analysis.nulls, DEPTHS),
            shares.why_not(absent, game, self.retriever) if absent else None,
        )

    @property
    def models(self) -> dict[str, str]:
        """The fingerprint of the model of each role."""
        return {role: self.encoders.fingerprint(role) for role in ROLES}

    def query(self, text: str, most: int = MOST_SEARCHED) -> Query:
        """Return a text as an analysis reads it: its residue, and a statement for each fact.

        InputError where the text is blank, longer than `most`, or too long to read facts out of it.
        """
        check_size(text, most)
        sheet = extract(text, "the query", **self.settings.reading())
        return self.renderer(sheet).query(State())

    def search(
        self, text: str, filters: Filters | None = None, progress: Progress | None = None
    ) -> Ranking:
        """The precedents of a text."""
        query, top_k = self.query(text), self.settings.TOP_K
        filters = filters and filters.of_facts(find_occurrence(text))
        return self.retriever.retrieve([query], top_k=top_k, filters=filters, progress=progress)[0]


def open_session(
    settings: Settings,
    corpus: str = CASEBOOK,
    *,
    chroma_host: str | None = None,
    models: str = "embedded",
    progress: Progress | None = None,
) -> Session:
    """Open the models and an index; a casebook is indexed on first use and when it has changed.

    `models` is as in `open_encoders`. CorpusIndexError where the corpus has no finished index, a
    damaged one, or one of other models; a casebook's is made anew, with a `DamageWarning`.
    """
    encoders = open_encoders(models, **settings.encoding(), progress=progress)
    snapshot = open_corpus(corpus, encoders, settings.CHUNK_PIECES, chroma_host, progress)
    return Session(settings, encoders, snapshot, chroma_host)
