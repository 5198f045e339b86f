"""Run the evaluations: open the corpus, rank and analyse, score, and return sections.

Nothing is printed or written, but results that took long are stored for the next run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from countercase import session as sessions
from countercase.config import Settings
from countercase.corpus.casebook.records import CASEBOOK
from countercase.corpus.index.build import index_corpus
from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.sensitivity import Criterion
from countercase.encoders.base import open_encoders
from countercase.engines.engine import PLAIN, Engine
from countercase.engines.pools import Sendable
from countercase.errors import InputError
from countercase.evaluation import pairs as minimal
from countercase.evaluation import validity as valid
from countercase.evaluation.agreement import agreement_section
from countercase.evaluation.counterfactual import labels as labelled
from countercase.evaluation.counterfactual.labels import sheet_of
from countercase.evaluation.counterfactual.section import counterfactual_section
from countercase.evaluation.experiment import open_store
from countercase.evaluation.faithfulness import sentences
from countercase.evaluation.faithfulness.section import explanation_section
from countercase.evaluation.planted.calibrate import calibrate_spec
from countercase.evaluation.reading import measure_reading
from countercase.evaluation.report import Section
from countercase.evaluation.retrieval import collection_files, systems
from countercase.evaluation.retrieval import section as retrieval_tables
from countercase.evaluation.sets import CounterfactualCase, ExplanationPair, kind_of, read_set
from countercase.facts.case_file import read_case
from countercase.facts.model import FactSheet
from countercase.io import Progress

SETS: Final = Path("eval_sets")
OWN: Final = 8
"""Cases that are analysed for CounterCase's own explanations."""


def evaluate_sets(
    sets: Path = SETS,
    *,
    settings: Settings,
    set_file: Path | None = None,
    threshold: float | None = None,
    **given: Any,
) -> list[Section]:
    """Measure the whole system: retrieval, counterfactual, explanations, agreement of the labels.

    `set_file` is measured alone, and its first line says its kind. A fact that moves more than the
    `threshold` (by default DISPOSITIVE_THRESHOLD) is dispositive. `given`: see `Evaluation`.
    """
    evaluation = Evaluation(settings, **given)
    limit, seed = evaluation.limit, evaluation.seed
    if (limit is not None and limit < 1) or seed < 0 or not (threshold is None or threshold >= 0):
        raise InputError("a limit is 1 or more, a seed and a threshold are 0 or more")
    own = min(OWN, limit or OWN) if set_file is None else 0
    cases = sets / "counterfactual.jsonl"
    measures: dict[str, Callable[[Path], Section]] = {
        "retrieval": evaluation.retrieval,
        "counterfactual": partial(evaluation.counterfactual, threshold=threshold),
        "explanations": partial(evaluation.explanations, cases=cases, own=own),
        "reading": partial(measure_reading, progress=evaluation.progress),
    }
    if set_file is not None:
        return [measures[kind_of(set_file)](set_file)]
    usual = ("retrieval", "counterfactual", "explanations")
    return [*(measures[name](sets / f"{name}.jsonl") for name in usual), agreement_section(sets)]


@dataclass(frozen=True)
class Evaluation(Sendable):
    """What evaluations share: models and corpus, opened when first needed, and what to measure.

    Args:
        models, chroma_host: see `open_session`.
        corpus: the name of an indexed corpus; for retrieval also the path of one, to be indexed.
        limit: at most this many items of each set.
        output: folder in which rankings are stored, to be found by the next run.
    """

    settings: Settings
    models: str = "embedded"
    corpus: str = CASEBOOK
    chroma_host: str | None = None
    limit: int | None = None
    seed: int = 0
    output: Path | None = None
    progress: Progress | None = None
    criterion: Criterion = "threshold"
    engine: Engine = PLAIN

    @cached_property
    def session(self) -> sessions.Session:
        """The models and the corpus, whose index is brought up to date where it is a path."""
        settings, corpus, progress = self.settings, self.corpus, self.progress
        if corpus != CASEBOOK and Path(corpus).exists():
            encoders = open_encoders(self.models, **settings.encoding(), progress=progress)
            corpus = collection_files.index_name(Path(self.corpus))
            index_corpus(
                Path(self.corpus), corpus, encoders, chunk_pieces=settings.CHUNK_PIECES,
                chroma_host=self.chroma_host, strict=True, progress=progress,
            )  # fmt: skip
        return sessions.open_session(
            settings, corpus, chroma_host=self.chroma_host, models=self.models, progress=progress
        )

    def made_with(self) -> dict[str, Any]:
        """Return everything that a result depends on beside its item and the program."""
        return {
            "settings": self.session.settings.fingerprint(),
            "models": self.session.models,
            "corpus": self.session.snapshot.manifest.checksum,
        }

    def retrieval(
        self,
        set_file: Path | None = None,
        *,
        queries: Path | None = None,
        qrels: Path | None = None,
        runs: Sequence[Path] = (),
        stages: Sequence[str] = (),
        relevant_from: int = 1,
    ) -> Section:
        """Measure how well each stage finds the judged precedents; K is the setting TOP_K.

        Args:
            set_file: an evaluation set; the shipped one where neither it nor `qrels` is given.
            runs: TREC runs to be scored; with any, nothing is retrieved.
            stages: which rankings; all by default.
        """
        labels = collection_files.read_labels(set_file, queries, qrels, texts=not runs)
        labels, top_k = labels.first(self.limit), self.settings.TOP_K
        how: Any = {"k": top_k, "relevant_from": relevant_from, "seed": self.seed}
        if runs:
            if stages:
                raise InputError("stages are rankings of our own; leave them out with runs")
            given = collection_files.read_runs(runs, labels.judged)
            comparison = retrieval_tables.run_comparison(list(given))
            return retrieval_tables.evaluate_runs(labels, given, comparison, **how)
        settings = self.settings.retrieval()
        systems.check_systems(stages, settings)
        session, out = self.session, self.output
        ranker = systems.PipelineRanker(session, stages)
        kept = open_store("rankings", systems.CODE, self.made_with(), out) if out else nullcontext()
        with kept as store:
            ranked = systems.rank_queries(
                labels.queries, ranker, ranker.systems, store, self.progress
            )
        comparison = retrieval_tables.pipeline_comparison(settings, ranker.systems)
        known = frozenset(session.snapshot.case_ids)
        found = retrieval_tables.evaluate_runs(
            labels, ranked, comparison, **how, known_documents=known, details=self.made_with()
        )
        if settings.search != "exact":
            read = list(map(session.query, labels.queries.values()))
            recall = session.retriever.channels.candidate_recall(read, top_k)
            found.add_table("retrieval.candidates", recall.items(), k=top_k)
        return found

    def pairs(self, set_file: Path, part: str = "all") -> Section:
        """Measure whether each text of a minimal pair ranks the decision it calls for above the other's."""
        listed = minimal.read_pairs(set_file, part)[: self.limit]
        runs, leads = minimal.rank_pairs(listed, self.session, self.progress)
        main = systems.full_system(self.settings.retrieval())
        about = self.made_with() | {"part": part}
        return minimal.pairs_section(listed, runs, main, leads, self.seed, about)

    def counterfactual(self, set_file: Path, threshold: float | None = None) -> Section:
        """Compare measured sensitivities with the labelled facts of the cases of a set."""
        above = self.settings.DISPOSITIVE_THRESHOLD if threshold is None else threshold
        return counterfactual_section(self.labelled_cases(set_file), above, self.seed)

    def labelled_cases(self, set_file: Path) -> list[labelled.CaseResult]:
        """Return the cases of a set with what an analysis measured of them, stored or measured now."""
        cases = labelled.choose(read_set(set_file, CounterfactualCase), self.limit, self.seed)
        for case in cases:
            sheet_of(case)  # better a wrong label now than after the models are loaded
        made_with = self.made_with()
        del made_with["settings"]["DISPOSITIVE_THRESHOLD"]  # sensitivities do not depend on it
        if self.criterion != "threshold":
            made_with["criterion"] = self.criterion
        with open_store("counterfactual", labelled.CODE, made_with) as store:
            return labelled.measure_cases(cases, self.measure, store, self.progress, self.engine)

    def measure(self, sheet: FactSheet) -> Analysis:
        """Measure which facts of a case move its precedents."""
        return self.session.measure(sheet, progress=self.progress, criterion=self.criterion)

    def validity(
        self,
        parts: Sequence[str],
        set_file: Path,
        spec: Path,
        worlds: int | None = None,
        sentences: Path | None = None,
        cases: Sequence[Path] = (),
        called_by: Criterion = "calibrated",
    ) -> Section:
        """Measure whether movement follows the law, in parts that are joined to one section.

        Args:
            parts: `planted` worlds of a recipe, labelled `facts` of a set, labelled `sentences` of a
                file, and `rewording` of cases.
            called_by: what calls a fact of a planted world.
        """
        if "sentences" in parts and sentences is None:
            raise InputError("the part sentences needs --sentences FILE")
        settings = self.settings
        found = Section("validity", "Validity: does movement follow the law?")
        if "planted" in parts:
            calibration = calibrate_spec(
                spec, settings, worlds=worlds, criterion=called_by, progress=self.progress
            )
            valid.add_planted(found, calibration, called_by)
        if "facts" in parts:
            valid.add_facts(found, self.labelled_cases(set_file), self.seed)
        if "sentences" in parts and sentences is not None:
            listed = valid.read_sentences(sentences)[: self.limit]
            with open_store("sentences", valid.CODE, self.made_with()) as store:
                moved = valid.measure(listed, self.session, store, self.progress)
            valid.add_sentences(found, moved, self.session, self.seed)
        if "rewording" in parts:
            most, reading = settings.MAX_INPUT_BYTES, settings.reading()
            told = [read_case(path, most, **reading) for path in cases[: self.limit]]
            analyse, search = self.session.measure, self.session.states
            said = valid.compare_wordings(told, analyse, search, self.progress)
            valid.add_rewording(found, said, settings.DISPOSITIVE_THRESHOLD)
        return found

    def explanations(self, set_file: Path, cases: Path, own: int = OWN) -> Section:
        """Measure how faithful labelled explanations are, and our own of `own` of `cases`."""
        pairs = read_set(set_file, ExplanationPair)[: self.limit]
        listed = read_set(cases, CounterfactualCase) if own else []
        explained: list[sentences.OwnExplanation] = []
        if chosen := [sheet_of(case) for case in labelled.choose(listed, own, self.seed)]:
            with open_store("explanations", sentences.CODE, self.made_with()) as store:
                explained = sentences.explain_cases(chosen, self.session, store, self.progress)
        return explanation_section(pairs, explained, self.seed, self.progress)
