"""The public verbs: read a case, change its facts, analyse it, evaluate.

They are reached as `countercase.analyze` and so on, and described with examples in docs/api.md.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from countercase.config import RetrievalSettings, Settings, load_settings
from countercase.corpus.casebook.records import CASEBOOK
from countercase.counterfactual.lawful import Validator, open_validator
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.sensitivity import Criterion
from countercase.counterfactual.states import StateSearch
from countercase.counterfactual.suppose import read_suppositions
from countercase.counterfactual.tree import PerturbationTree
from countercase.errors import COUNT, ConfigError, InputError, takes
from countercase.facts.case_file import read_case
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet
from countercase.io import Progress
from countercase.retrieval.base import Filters, Retriever
from countercase.retrieval.foreign import RankingFunction, as_retriever, checked_progress, name_of
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import Analyst, open_session
from countercase.session import Result as SessionResult

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from countercase.evaluation.report import Section


class Result(SessionResult):
    """The analysis of a case: `.precedents`, `.facts`, `.sensitivity`, `.tree`, as a table or plot.

    `analysis`, `changes`, `manifest`, `models` and `settings` hold what it was made of.
    """

    def to_frame(self, what: Literal["facts", "precedents", "edges"] = "facts") -> pd.DataFrame:
        """One row per fact, per precedent of the case as it is, or per edge of the tree.

        ConfigError where pandas is not installed, InputError where `what` is none of the three.
        """
        columns = _choose("to_frame", what, _COLUMNS)
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise ConfigError("to_frame needs pip install 'countercase[notebook]'") from error
        analysis, tree = self.to_dict().values()
        if what == "facts":
            rows = [
                row | {"p_value": it.p_value, "salience": (row["salience"] or {}).get("value")}
                for row, it in zip(analysis["facts"], self.facts, strict=True)
            ]
        elif what == "precedents":
            rows = analysis["precedents"]
        else:
            statuses = {node["id"]: node["status"] for node in tree["nodes"]}
            rows = [it["edit"] | it | {"status": statuses[it["target"]]} for it in tree["links"]]
        return pd.DataFrame(rows, columns=columns)

    def plot(self, what: Literal["sensitivity", "tree", "ranking"] = "sensitivity") -> Figure:
        """The facts with their null floor, the tree, or the ranking before and after an edit.

        Show the figure in a notebook, or write it with `savefig`. InputError where `what` is none of
        the three, or there is nothing of it to draw.
        """
        from countercase.reports.view import plot

        names = {"sensitivity": "facts", "tree": "tree", "ranking": "compare"}
        return plot(self, _choose("plot", what, names))

    def to_dict(self) -> dict[str, Any]:
        """`analysis` and `tree` as in analysis.json and tree.json: plain values for JSON."""
        from countercase.reports.analysis_json import analysis_document
        from countercase.reports.tree_files import tree_document

        return {"analysis": analysis_document(self), "tree": tree_document(self)}


PATH: Final = str | Path
_MADE_WITH: Final = {"CHUNK_PIECES", "PAIR_PIECES", "PRECISION", "THREADS"}
"""Settings that only take effect when a retriever is made."""
_COLUMNS: Final = {
    "facts": [
        "fact_id", "fact_type", "label", "sensitivity", "noise", "p_value", "salience",
        "supposition", "edges", "verdict",
    ],
    "precedents": ["rank", "case_id", "title", "date", "court", "outcome", "score", "why"],
    "edges": [
        "source", "target", "fact_id", "fact_type", "operation", "original_value",
        "perturbed_value", "rule", "provision", "supposition", "status", "mean_displacement",
        "dropped", "new",
    ],
}  # fmt: skip
"""The columns of each frame; their values are those of analysis.json and tree.json."""


@takes(case=FactSheet, types={str}, limit=COUNT)
def edits(
    case: FactSheet, types: Sequence[str] | None = None, limit: int | None = None
) -> list[Edit]:
    """Return the what-ifs of a case: typed edits of one fact each, every fact having at least one.

    `types` are the fact types to change, None for all; even a small `limit` reaches each of them.
    """
    return propose(case, types, limit)


@takes(case=FactSheet)
def null_edits(case: FactSheet) -> list[Edit]:
    """Return the null edits of a case: the same facts stated in other words."""
    return propose_nulls(case)


@takes(
    case=FactSheet | PATH,
    corpus=str,
    models=PATH,
    types={str},
    filters=Filters,
    validator=Validator | str,
)
def analyze(
    case: FactSheet | str | Path,
    corpus: str = CASEBOOK,
    retriever: Retriever | RankingFunction | None = None,
    *,
    models: str = "embedded",
    types: Sequence[str] | None = None,
    filters: Filters | None = None,
    validator: Validator | str = "rules",
    suppose: Sequence[str] = (),
    change: Sequence[str] = (),
    remove: Sequence[str] = (),
    add: Sequence[str] = (),
    criterion: Criterion = "threshold",
    progress: Progress | None = None,
    **settings: Any,
) -> Result:
    """Measure which facts of a case move its precedents.

    Args:
        case: a fact sheet (`countercase.extract(text)` makes one of a text), or the path of a case
            file that `read_case` reads.
        corpus: name of an indexed corpus; the shipped casebook by default.
        retriever: what ranks, in place of `corpus`: a `HybridRetriever`, any other object with its
            `retrieve` method, or a function from a list of queries (`query.text`, `query.segments`)
            to a list of rankings, each a list of ids, best first. Its corpus should not hold the
            case itself: only a `HybridRetriever` recognises it.
        models: `embedded`, `hub`, another registered name, or a sentence-transformers folder; read
            only where `corpus` is opened.
        types: the fact types to change; None for all.
        validator: what refuses implausible changes: a registered name, or a validator.
        suppose, change, remove, add: what-ifs in your own words, measured apart from the proposed
            ones: `suppose=["the marriage had lasted 8 years"]`; see `countercase.counterfactual.suppose`.
            One that cannot be used is a `UserWarning`.
        criterion: what verdicts rest on: `threshold`, or `calibrated` against the null floor.
        progress: called with what is being done, how much of it, and of how much (0: unknown).
        settings: settings by name, such as `top_k=20`; they win over `settings.py`, and those of
            retrieval over what the given `HybridRetriever` was made with.

    Raises:
        InputError: the case cannot be read or has no fact to change; no rankings are returned.
        ConfigError: a setting, a validator or a model set that does not exist.
        CorpusIndexError, ModelError: the corpus or the models cannot be opened.
    """
    chosen, progress = _settings(settings), checked_progress(progress)
    sheet = case if isinstance(case, FactSheet) else _read(case, chosen)
    if retriever is None:
        analyst: Analyst = open_session(chosen, corpus, models=models, progress=progress)
    else:
        analyst = _analyst(retriever, chosen, settings)
    read = read_suppositions(sheet, suppose, change, remove, add)
    for problem in read.problems:
        warnings.warn(problem, stacklevel=3)
    result = analyst.analyze(
        sheet, types=types, filters=filters, validator=validator, progress=progress,
        by_hand=read.edits, criterion=criterion,
    )  # fmt: skip
    return Result(**vars(result) | {"left_out": read.problems})


@takes(case=FactSheet, edits=[Edit], exclude={str}, filters=Filters, validator=Validator | str)
def grow(
    case: FactSheet,
    edits: Sequence[Edit],
    *,
    retriever: Retriever | RankingFunction,
    exclude: frozenset[str] = frozenset(),
    filters: Filters | None = None,
    validator: Validator | str = "rules",
    progress: Progress | None = None,
    **settings: Any,
) -> PerturbationTree:
    """Grow a perturbation tree by chosen edits, with any retriever.

    Ctrl-C ends it early; the tree then holds what was measured and is not `complete`.

    Args:
        edits: tried in this order; `edits(case)` proposes them.
        retriever: as in `analyze`. For a `HybridRetriever` segments are measured in word pieces,
            for any other in words, so that no model is needed.
        exclude: ids that are never ranked, such as the case itself.
        settings: settings by name, as in `analyze`.

    Errors are those of `analyze`; InputError too where an edit changes what the case does not have.
    """
    analyst = _analyst(retriever, _settings(settings), settings)
    values = {fact.fact_id: fact.value for fact in case.facts}
    for it in (change for edit in edits for change in edit.changes):
        if values.get(it.fact_id) != it.before:
            raise InputError(f"the case {case.case_id} has {it.fact_id} not as an edit takes it")
    progress, chosen = checked_progress(progress), analyst.settings
    tree, renderer = PerturbationTree(case, chosen.tree()), analyst.renderer(case)
    filters = filters and filters.of_facts(case.occurred_on)
    search = StateSearch(renderer, analyst.retriever, chosen.TOP_K, exclude, filters, progress)
    try:
        tree.grow(edits, search, open_validator(validator), progress)
    except KeyboardInterrupt:
        if "root" not in tree.graph:
            raise
    return tree


@takes(**dict.fromkeys(("sets", "set_file", "output", "models"), PATH))
@takes(threshold=float | int, limit=int, seed=int, corpus=str)
def evaluate(
    sets: str | Path = "eval_sets/",
    threshold: float | None = None,
    *,
    set_file: str | Path | None = None,
    limit: int | None = None,
    seed: int = 0,
    output: str | Path | None = None,
    corpus: str = CASEBOOK,
    models: str = "embedded",
    progress: Progress | None = None,
    **settings: Any,
) -> list[Section]:
    """Evaluate on labelled sets: the sections that `countercase eval` prints.

    Args:
        sets: folder of the labelled sets.
        threshold: mean rank displacement beyond which a fact is called dispositive; by default
            the setting DISPOSITIVE_THRESHOLD, 1.5.
        set_file: only this set; its first line says of which kind it is.
        limit: at most this many items of each set, chosen with `seed`.
        output: folder in which rankings are stored, for the next run to find.
        settings: settings by name, as in `analyze`.

    InputError where a set is missing or damaged; other errors are those of `analyze`.
    """
    from countercase.evaluation.run import evaluate_sets

    return evaluate_sets(
        Path(sets),
        set_file=None if set_file is None else Path(set_file),
        threshold=threshold,
        limit=limit,
        seed=seed,
        output=None if output is None else Path(output),
        models=models,
        corpus=corpus,
        settings=_settings(settings),
        progress=checked_progress(progress),
    )


def _read(path: str | Path, settings: Settings) -> FactSheet:
    ending = Path(path).suffix
    if len(str(path).split()) > 1 and (not ending or len(ending.split()) > 1):
        raise InputError(
            "the case is neither a fact sheet nor the path of a file; of a text make a fact sheet "
            "with countercase.extract(text)"
        )
    return read_case(path, settings.MAX_INPUT_BYTES, **settings.reading())


def _settings(values: dict[str, Any]) -> Settings:
    flags = {name.upper(): value for name, value in values.items()}
    return load_settings(flags_from="argument", **flags)


def _analyst(
    retriever: Retriever | RankingFunction, chosen: Settings, values: dict[str, Any]
) -> Analyst:
    """Return an analyst with a given retriever, which is made again where `values` set its ranking.

    What they leave out is as the retriever has it. ConfigError where one has no effect on it.
    """
    opened, given = as_retriever(retriever), {it.upper() for it in values if values[it] is not None}
    hybrid = opened if type(opened) is HybridRetriever else None
    own = (hybrid.settings if hybrid else RetrievalSettings()).by_name()
    if unused := sorted(given & (_MADE_WITH if hybrid else _MADE_WITH | own.keys())):
        raise ConfigError(f"argument: {unused[0]} has no effect on {name_of(opened)}")
    if hybrid is None:
        return Analyst(chosen, opened)
    own["CHUNK_PIECES"] = hybrid.snapshot.manifest.chunk_pieces
    chosen = chosen.model_copy(update={name: own[name] for name in own.keys() - given})
    asked = chosen.retrieval(hybrid.settings.weights)
    if asked != hybrid.settings:
        hybrid = HybridRetriever(hybrid.snapshot, hybrid.encoders, asked, hybrid.chroma_host)
    return Analyst(chosen, hybrid)


def _choose(verb: str, what: str, choices: dict[str, Any]) -> Any:
    if not isinstance(what, str) or what not in choices:
        raise InputError(f"{verb}({what!r}): choose one of {', '.join(choices)}")
    return choices[what]
