"""A retriever that is none of ours, from a text to verdicts, tables and plots."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import matplotlib
import pytest
from foreign import DOCUMENTS, TEXT, by_tfidf

import countercase as cc
from countercase.errors import ConfigError, CounterCaseError, InputError
from countercase.facts.extraction import extract
from countercase.reports.view import write_reports
from countercase.retrieval.base import Query
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


def test_frames(result: cc.Result) -> None:
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


def test_a_missing_pandas_is_named(result: cc.Result, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_an_unknown_table_or_plot_is_refused(result: cc.Result) -> None:
    with pytest.raises(InputError, match="choose one of facts, precedents, edges"):
        result.to_frame("rows")  # type: ignore[arg-type]
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


def test_an_object_with_retrieve_ranks_as_its_function_does(
    case: cc.FactSheet, result: cc.Result
) -> None:
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


def too_few(queries: Sequence[Query]) -> list[list[str]]:
    return by_tfidf(queries)[1:]


def an_id_twice(queries: Sequence[Query]) -> list[list[str]]:
    return [["murder-1", "murder-2", "murder-1"] for _ in queries]


def numbers(queries: Sequence[Query]) -> list[list[Any]]:
    return [[1, 2, 3] for _ in queries]


def texts(queries: Sequence[Query]) -> list[Any]:
    return ["murder-1" for _ in queries]


def nothing(queries: Sequence[Query]) -> None:
    return None


def by_query(queries: Sequence[Query]) -> dict[str, list[str]]:
    return {query.text: ["murder-1"] for query in queries}


def none_among_ids(queries: Sequence[Query]) -> list[list[Any]]:
    return [["murder-1", None] for _ in queries]


def empty(queries: Sequence[Query]) -> list[list[str]]:
    return [[] for _ in queries]


async def later(queries: Sequence[Query]) -> list[list[str]]:
    return by_tfidf(queries)


def failing(queries: Sequence[Query]) -> list[list[str]]:
    raise ZeroDivisionError("no idf")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (too_few, "too_few returned 0 rankings for 1 queries"),
        (an_id_twice, "an_id_twice returned 'murder-1' twice"),
        (numbers, "numbers returned 1 as an id; ids are strings"),
        (texts, "texts returned str 'murder-1'; expected a list of ids"),
        (nothing, "nothing returned None; expected a list of rankings"),
        (by_query, "by_query returned dict .*; expected a list of rankings"),
        (none_among_ids, "none_among_ids returned None as an id"),
        (empty, "empty returned an empty ranking"),
        (later, "later returned a coroutine"),
        (failing, "failing failed: ZeroDivisionError: no idf"),
    ],
)
def test_wrong_rankings_are_an_error_that_says_so(
    case: cc.FactSheet, function: Any, message: str
) -> None:
    for verb in (
        lambda: cc.analyze(case, retriever=function),
        lambda: cc.grow(case, [], retriever=function),
    ):
        with pytest.raises(InputError, match=message):
            verb()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"depth": 9}, "argument: DEPTH = 9"),
        ({"dpeth": 1}, "argument: unknown setting DPETH; did you mean DEPTH"),
        ({"validator": "rule"}, "did you mean rules"),
        ({"retriever": 3}, "int is not a retriever"),
        ({"types": []}, "no fact of type"),
        ({"filters": cc.Filters(court="Supreme")}, "takes no filters"),
    ],
)
def test_errors_are_in_the_words_of_a_python_user(
    case: cc.FactSheet, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(CounterCaseError, match=message) as caught:
        cc.analyze(case, **{"retriever": by_tfidf, **arguments})
    assert "command line" not in str(caught.value)
    assert "--" not in str(caught.value)


def test_a_text_in_place_of_a_path_is_explained() -> None:
    with pytest.raises(InputError, match=r"countercase\.extract"):
        cc.analyze(TEXT, retriever=by_tfidf)


class Wrong:
    """An object with `retrieve` that returns what it is told to, or raises it."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def retrieve(self, queries: Sequence[Query], **asked: Any) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "Wrong returned None"),
        ([], "Wrong returned 0 rankings for 1 queries"),
        ([["murder-1"]], r"Wrong returned \['murder-1'\] in place of a Ranking"),
        (OSError("gone"), "Wrong failed: OSError: gone"),
    ],
)
def test_an_object_that_ranks_wrongly_is_named(
    case: cc.FactSheet, answer: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        cc.analyze(case, retriever=Wrong(answer))


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "the narrative is a text .str., not NoneType"),
        (b"He was convicted.", "not bytes"),
        ("He was \ud800 convicted.", "half of a surrogate pair at character 7"),
    ],
)
def test_what_is_no_text_is_not_read(text: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        cc.extract(text)


def test_documents_without_ids_are_refused() -> None:
    documents: Any = list(DOCUMENTS.values())
    with pytest.raises(InputError, match="document 1 must be a Document, not str"):
        cc.HybridRetriever.from_documents(documents)


class Loads:
    """A retriever of somebody else that prepares its queries, and fails at what `fails` names."""

    def __init__(self, fails: str) -> None:
        self.fails = fails

    def load(self, queries: Sequence[Query], progress: Any = None) -> None:
        if self.fails == "load":
            raise KeyError("states")

    def retrieve(self, queries: Sequence[Query], **asked: Any) -> Any:
        if self.fails == "retrieve":
            raise KeyError("queries")
        return FunctionRetriever(by_tfidf).retrieve(queries, **asked)


@pytest.mark.parametrize(
    ("fails", "message"),
    [
        ("load", "the load of Loads failed: KeyError: 'states'"),
        ("retrieve", "the retriever Loads failed: KeyError: 'queries'"),
    ],
)
def test_a_retriever_that_loads_and_fails_is_named(
    case: cc.FactSheet, fails: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        cc.analyze(case, retriever=Loads(fails), **SETTINGS)


def test_what_is_not_known_by_name_is_refused(case: cc.FactSheet) -> None:
    wrong: Any = {"criterion": "calibratd"}
    with pytest.raises(InputError, match="criterion 'calibratd': choose threshold or calibrated"):
        cc.analyze(case, retriever=by_tfidf, **wrong)
    with pytest.raises(ConfigError, match="no fact_types named 'Sections'"):
        cc.edits(case, types=["Sections"])
    with pytest.raises(ConfigError, match="no validators named '5'"):
        cc.grow(case, [], retriever=by_tfidf, validator=5)  # type: ignore[arg-type]


def test_ids_of_documents_are_texts() -> None:
    documents: Any = {1: "A stabbing in a quarrel.", 2: "A death by poison."}
    hybrid = cc.HybridRetriever.from_documents(documents)
    assert hybrid.snapshot.case_ids == ("1", "2")


@pytest.mark.parametrize("asked", [{"limit": 0}, {"seed": -1}, {"threshold": float("nan")}])
def test_bounds_of_an_evaluation_are_checked(asked: Any) -> None:
    with pytest.raises(InputError, match="a limit is 1 or more"):
        cc.evaluate(set_file="eval_sets/explanations.jsonl", **asked)
