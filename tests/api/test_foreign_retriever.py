"""A retriever that is none of ours, from a text to verdicts, tables and plots."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import matplotlib
import numpy as np
import pytest
from foreign import DOCUMENTS, TEXT, by_tfidf

import countercase as cc
from countercase.config import RetrievalSettings
from countercase.errors import ConfigError, CounterCaseError, InputError
from countercase.facts.extraction import extract
from countercase.registry import RANKERS
from countercase.reports.view import write_reports
from countercase.retrieval.base import Query, Ranking
from countercase.retrieval.foreign import FunctionRetriever

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"
SETTINGS = {"top_k": 5, "dispositive_threshold": 0.4, "min_displacement": 0.4, "max_states": 20}


@pytest.fixture(scope="module")
def case() -> cc.FactSheet:
    return extract(TEXT, "knife")


@pytest.fixture(scope="module")
def result(case: cc.FactSheet) -> cc.Result:
    return cc.analyze(case, retriever=by_tfidf, **SETTINGS)


def test_every_fact_is_measured_and_judged_by_the_strongest_of_its_what_ifs(
    result: cc.Result, case: cc.FactSheet
) -> None:
    moves: dict[str, list[float]] = {}
    for edge, change in result.tree.measured():
        if edge.source == "root":
            moves.setdefault(edge.edit.fact_id, []).append(change.mean)
    words: dict[str, list[float]] = {}
    for null in result.analysis.nulls:
        words.setdefault(null.edit.fact_id, []).append(null.mean_displacement)
    count = len(result.analysis.nulls)
    assert count > 3
    assert {fact.fact.fact_id for fact in result.facts} >= {fact.fact_id for fact in case.facts}
    for fact in result.facts:
        own = moves[fact.fact.fact_id]
        assert (fact.sensitivity, fact.edges) == (max(own), len(own))
        assert fact.noise == max(words.get(fact.fact.fact_id, []), default=None)
        passes = max(own) > 0.4
        beats = fact.noise is None or max(own) > fact.noise
        verdict = ("dispositive" if beats else "inconclusive") if passes else "not dispositive"
        assert fact.verdict == verdict
        assert fact.p_value is not None and 1 / (count + 1) <= fact.p_value <= 1
    verdicts = {fact.fact.fact_id: fact.verdict for fact in result.facts}
    assert verdicts["evidence:eyewitness:1"] == "dispositive"
    assert "not dispositive" in verdicts.values()


def test_what_a_foreign_retriever_lacks_is_said(result: cc.Result) -> None:
    assert result.manifest is None
    assert result.models == {}
    assert result.analysis.excluded == ()
    assert all("gives no passages" in precedent.text for precedent in result.precedents)
    moved = [change for change in result.changes if change.mean_displacement > 0]
    assert moved
    assert all("why they moved is not known" in change.text for change in moved)
    assert not any("because others moved" in change.text for change in result.changes)


def test_frames(result: cc.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = result.to_frame().set_index("fact_id")
    assert list(facts.index) == [fact.fact.fact_id for fact in result.facts]
    assert facts.loc["evidence:eyewitness:1", "verdict"] == "dispositive"
    assert facts.loc["evidence:eyewitness:1", "supposition"].startswith("Suppose ")
    assert facts["salience"].isna().all()  # what was not estimated is not 0
    precedents = result.to_frame("precedents")
    assert list(precedents["rank"]) == [1, 2, 3, 4, 5]
    assert set(precedents["case_id"]) <= set(DOCUMENTS)
    edges = result.to_frame("edges")
    assert len(edges) == result.tree.graph.number_of_edges()
    assert edges.loc[edges["status"] == "rejected", "mean_displacement"].isna().all()
    with pytest.raises(InputError, match="choose one of facts, precedents, edges"):
        result.to_frame("rows")  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match=r"pip install 'countercase\[notebook\]'"):
        result.to_frame()


@pytest.mark.parametrize("what", ["sensitivity", "tree", "ranking"])
def test_plots_are_drawn_without_pyplot(result: cc.Result, what: Any, tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    figure = result.plot(what)
    figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert dict(matplotlib.rcParams) == before
    with pytest.raises(InputError, match="choose one of sensitivity, tree, ranking"):
        result.plot("bars")  # type: ignore[arg-type]


def test_the_reports_are_written_and_fit_their_schemas(result: cc.Result, tmp_path: Path) -> None:
    document = result.to_dict()
    for name in ("analysis", "tree"):
        schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
        jsonschema.validate(document[name], schema)
    write_reports(result, tmp_path)
    assert "with a retriever of your own" in (tmp_path / "report.md").read_text(encoding="utf-8")


class Named:
    """An object of another library with the method `retrieve`."""

    retrieve = FunctionRetriever(by_tfidf).retrieve


def test_an_object_ranks_as_its_function_does(case: cc.FactSheet, result: cc.Result) -> None:
    again = cc.analyze(case, retriever=Named(), types=["Section"], **SETTINGS)
    assert again.analysis.precedents == result.analysis.precedents
    assert {edge.edit.fact_type for edge in again.tree.edges()} == {"Section"}


def test_a_tree_is_grown_by_chosen_edits_in_their_order(case: cc.FactSheet) -> None:
    chosen = cc.edits(case, types=["Section"], limit=2)
    tree = cc.grow(case, chosen, retriever=by_tfidf, depth=1, top_k=5)
    assert tree.complete
    assert [edge.edit for edge in tree.edges()] == chosen
    nulls = cc.grow(case, cc.null_edits(case), retriever=by_tfidf, depth=1, top_k=5)
    assert all(edge.edit.null for edge in nulls.edges())


def test_excluded_ids_are_never_ranked(case: cc.FactSheet) -> None:
    tree = cc.grow(
        case, cc.edits(case)[:3], retriever=by_tfidf, exclude=frozenset({"murder-1"}), depth=1
    )
    rankings = [node.ranking for node in tree.nodes() if node.ranking is not None]
    assert rankings
    assert all("murder-1" not in ranking.case_ids for ranking in rankings)


def test_an_interrupted_growth_keeps_what_was_ranked(case: cc.FactSheet) -> None:
    calls: list[int] = []

    def stopping(queries: Sequence[Query]) -> list[list[str]]:
        calls.append(len(queries))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return by_tfidf(queries)

    tree = cc.grow(case, cc.edits(case), retriever=stopping)
    assert not tree.complete
    assert [node.status for node in tree.nodes() if node.ranking is not None] == ["root"]


def test_each_state_is_ranked_once(case: cc.FactSheet) -> None:
    texts: list[str] = []

    def recording(queries: Sequence[Query]) -> list[list[str]]:
        texts.extend(query.text for query in queries)
        return by_tfidf(queries)

    result = cc.analyze(case, retriever=recording, depth=1, top_k=5)
    ranked = sum(node.ranking is not None for node in result.tree.nodes())
    assert len(texts) == ranked + len(result.analysis.nulls)


def test_progress_is_told_what_is_done(case: cc.FactSheet) -> None:
    told: list[tuple[str, int, int]] = []
    cc.analyze(case, retriever=by_tfidf, depth=1, progress=lambda *call: told.append(call), top_k=5)
    assert told[0] == ("the case as it is", 0, 1)
    steps = list(dict.fromkeys(what for what, _, _ in told))
    assert steps == ["the case as it is", "the tree of changes", "restatements"]
    assert told[-1][1] == told[-1][2]


def no_idf(queries: Sequence[Query]) -> None:
    raise ZeroDivisionError("no idf")


async def later(queries: Sequence[Query]) -> list[list[str]]:
    return by_tfidf(queries)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda queries: by_tfidf(queries)[1:], "returned 0 rankings for 1 queries"),
        (lambda _: [["murder-1", "murder-2", "murder-1"]], "returned 'murder-1' twice"),
        (lambda _: [[1, 2, 3]], "returned 1 as an id; ids are strings"),
        (lambda _: ["murder-1"], "returned str 'murder-1'; expected a list of ids"),
        (lambda _: None, "returned None; expected a list of rankings"),
        (lambda queries: {queries[0].text: []}, "returned dict .*; expected a list of rankings"),
        (lambda _: [["murder-1", None]], "returned None as an id"),
        (lambda _: [[]], "returned an empty ranking"),
        (later, "returned a coroutine"),
        (no_idf, "failed: ZeroDivisionError: no idf"),
    ],
)
def test_wrong_rankings_are_an_error(case: cc.FactSheet, answer: Any, message: str) -> None:
    def mine(queries: Sequence[Query]) -> Any:
        return answer(queries)

    for verb in (
        lambda: cc.analyze(case, retriever=mine),
        lambda: cc.grow(case, [], retriever=mine),
    ):
        with pytest.raises(InputError, match=f"mine {message}"):
            verb()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"depth": 9}, "argument: DEPTH = 9"),
        ({"dpeth": 1}, "argument: unknown setting DPETH; did you mean DEPTH"),
        ({"validator": "rule"}, "did you mean rules"),
        ({"retriever": 3}, "int is not a retriever"),
        ({"types": []}, "no fact of type"),
        ({"criterion": "calibratd"}, "criterion 'calibratd': choose threshold or calibrated"),
        ({"filters": cc.Filters(court="Supreme")}, "takes no filters"),
        ({"case": TEXT}, r"countercase\.extract"),
    ],
)
def test_errors_are_in_the_words_of_a_python_user(
    case: cc.FactSheet, arguments: dict[str, Any], message: str
) -> None:
    given = {"case": case, "retriever": by_tfidf} | arguments
    with pytest.raises(CounterCaseError, match=message) as caught:
        cc.analyze(given.pop("case"), **given)
    assert "command line" not in str(caught.value)
    assert "--" not in str(caught.value)


class Wrong:
    """A retriever of somebody else that returns what it is told to, or raises it, or cannot load."""

    def __init__(self, answer: Any, loaded: Exception | None = None) -> None:
        self.answer, self.loaded = answer, loaded

    def load(self, queries: Sequence[Query], progress: Any = None) -> None:
        if self.loaded is not None:
            raise self.loaded

    def retrieve(self, queries: Sequence[Query], **asked: Any) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        ranks = self.answer is by_tfidf
        return FunctionRetriever(by_tfidf).retrieve(queries, **asked) if ranks else self.answer


@pytest.mark.parametrize(
    ("retriever", "message"),
    [
        (Wrong(None), "Wrong returned None"),
        (Wrong([]), "Wrong returned 0 rankings for 1 queries"),
        (Wrong([["murder-1"]]), r"Wrong returned \['murder-1'\] in place of a Ranking"),
        (Wrong(OSError("gone")), "Wrong failed: OSError: gone"),
        (
            Wrong(by_tfidf, KeyError("states")),
            "load of the retriever Wrong failed: KeyError: 'states'",
        ),
    ],
)
def test_an_object_that_ranks_wrongly_or_cannot_load_is_named(
    case: cc.FactSheet, retriever: Wrong, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        cc.analyze(case, retriever=retriever, **SETTINGS)


def test_an_error_in_the_progress_callback_is_named(case: cc.FactSheet) -> None:
    def progress(what: str, done: int, of: int) -> None:
        raise KeyError("bar")

    for verb in (
        lambda: cc.analyze(case, retriever=by_tfidf, progress=progress),
        lambda: cc.grow(case, cc.edits(case), retriever=by_tfidf, progress=progress),
        lambda: cc.HybridRetriever.from_documents(DOCUMENTS, progress=progress),
    ):
        with pytest.raises(InputError, match="the progress callback failed: KeyError: 'bar'"):
            verb()


def test_documents_have_ids_and_ids_are_texts() -> None:
    documents: Any = {1: "A stabbing in a quarrel.", 2: "A death by poison."}
    hybrid = cc.HybridRetriever.from_documents(documents)
    assert hybrid.snapshot.case_ids == ("1", "2")
    with pytest.raises(InputError, match="document 1 must be Document, not str"):
        cc.HybridRetriever.from_documents(list(documents.values()))


def test_texts_and_types_that_cannot_be_are_refused(case: cc.FactSheet) -> None:
    with pytest.raises(InputError, match=r"half of a surrogate pair U\+D800 in line 1"):
        cc.extract("He was \ud800 convicted.")
    with pytest.raises(ConfigError, match="no fact_types named 'Sections'"):
        cc.edits(case, types=["Sections"])


@pytest.mark.parametrize("asked", [{"limit": 0}, {"seed": -1}, {"threshold": float("nan")}])
def test_bounds_of_an_evaluation_are_checked(asked: Any) -> None:
    with pytest.raises(InputError, match="a limit is 1 or more"):
        cc.evaluate(set_file="eval_sets/explanations.jsonl", **asked)


def test_a_copy_of_a_result_says_all_and_searches_no_more(case: cc.FactSheet) -> None:
    hybrid = cc.HybridRetriever.from_documents(DOCUMENTS)
    result = cc.analyze(case, retriever=hybrid, top_k=3, depth=1)
    for same in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert same.to_dict() == result.to_dict()
        assert same.tree.root_ranking.results[0].matches
    [found] = hybrid.retrieve([Query(("a knife",))], top_k=1)
    with pytest.raises(InputError, match="a copy of a ranking has no retriever"):
        _ = copy.deepcopy(found).results[0].matches
    assert found.results[0].matches


def test_a_class_is_no_retriever(case: cc.FactSheet) -> None:
    retriever: Any = cc.HybridRetriever
    with pytest.raises(InputError, match="the class HybridRetriever is not a retriever"):
        cc.analyze(case, retriever=retriever)


class _Judge:
    def __init__(self, verdict: Any) -> None:
        self.verdict = verdict

    def judge(self, root: Any, edits: Any) -> Any:
        return self.verdict or {}["gone"]


@pytest.mark.parametrize(
    ("verdict", "told"), [(True, "returned True in place of a Verdict"), (0, "failed: KeyError")]
)
def test_a_validator_of_a_user_is_checked(case: cc.FactSheet, verdict: Any, told: str) -> None:
    with pytest.raises(InputError, match=f"the validator _Judge {told}"):
        cc.analyze(case, retriever=by_tfidf, depth=1, validator=_Judge(verdict))


@pytest.mark.parametrize("row", [[], [1.0], np.ones(2), np.full(len(DOCUMENTS), np.nan)])
def test_a_ranker_of_a_user_is_checked(row: Any) -> None:
    class Odd:
        name = "odd"

        def __init__(self, *_: Any) -> None: ...

        def rows(self, segments: Any, progress: Any = None) -> Any:
            return [row for _ in segments]

    cc.register("rankers", "odd", Odd)
    settings = RetrievalSettings(rankers=("odd", "lexical"))
    hybrid = cc.HybridRetriever.from_documents(DOCUMENTS, settings=settings)
    with pytest.raises(InputError, match="the ranker odd returned no"):
        hybrid.retrieve([Query(("a knife",))])
    RANKERS._registered.pop("odd")


def test_sheets_and_types_that_cannot_be_are_refused(case: cc.FactSheet) -> None:
    with pytest.raises(InputError, match="are not unique"):
        replace(case, facts=case.facts * 2)
    with pytest.raises(ConfigError, match="did you mean Section"):
        cc.analyze(case, retriever=by_tfidf, types=["section"])


def test_settings_beside_a_hybrid_retriever_are_those_it_ranks_by(case: cc.FactSheet) -> None:
    """Those that are given win; the rest are the retriever's own; the result records both."""
    own = RetrievalSettings(rankers=("lexical",), weights={"lexical": 2.0})
    hybrid = cc.HybridRetriever.from_documents(DOCUMENTS, settings=own, chunk_pieces=60)
    asked = {"use_reranker": False, "rrf_k": 100, "depth": 0}
    result = cc.analyze(case, retriever=hybrid, **asked)
    told, first = result.settings, result.tree.root_ranking.results[0]
    assert (told.RANKERS, told.LEXICAL_WEIGHT, told.CHUNK_PIECES) == (("lexical",), 2.0, 60)
    assert (told.USE_RERANKER, told.RRF_K) == (False, 100)
    assert list(first.stages) == ["lexical", "fused", "mmr"]
    assert first.stages["fused"].score == pytest.approx(2 / (100 + first.stages["lexical"].rank))
    assert hybrid.settings == own
    tree = cc.grow(case, [], retriever=hybrid, **asked)
    assert tree.root_ranking == result.tree.root_ranking


@pytest.mark.parametrize("setting", [{"rrf_k": 100}, {"lexical_weight": 2.0}])
def test_a_ranking_function_takes_no_settings_of_retrieval(
    case: cc.FactSheet, setting: dict[str, Any]
) -> None:
    with pytest.raises(ConfigError, match="has no effect on the ranking function by_tfidf"):
        cc.analyze(case, retriever=by_tfidf, **setting)
    with pytest.raises(ConfigError, match="THREADS has no effect on the retriever HybridRetriever"):
        cc.analyze(case, retriever=cc.HybridRetriever.from_documents(DOCUMENTS), threads=2)


def test_edits_of_another_case_are_not_measured(case: cc.FactSheet) -> None:
    other = cc.extract("He was convicted under section 420 IPC for cheating.", "other")
    with pytest.raises(InputError, match=r"has section:IPC-420 not as an edit takes it"):
        cc.grow(case, cc.edits(other), retriever=by_tfidf)


@pytest.mark.parametrize(("score", "more"), [(float("nan"), 0), (None, 0), ("1", 0), (1.0, 9)])
def test_the_scores_and_the_length_of_a_ranking_are_checked(
    case: cc.FactSheet, score: Any, more: int
) -> None:
    class Odd:
        def retrieve(self, queries: Sequence[Query], **asked: Any) -> list[Ranking]:
            wide = asked | {"top_k": asked["top_k"] + more}
            made = FunctionRetriever(by_tfidf).retrieve(queries, **wide)
            scored = [tuple(replace(it, score=score) for it in own.results) for own in made]
            return [replace(own, results=new) for own, new in zip(made, scored, strict=True)]

    with pytest.raises(InputError, match="Odd gave more than top_k results, or a score"):
        cc.analyze(case, retriever=Odd(), **SETTINGS)
