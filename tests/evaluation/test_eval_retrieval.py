"""The retrieval evaluation: runs scored, compared, kept and taken up again; files and command."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.config import RetrievalSettings, Settings
from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.evaluation.metrics import measures_per_query
from countercase.evaluation.report import Section
from countercase.evaluation.result_store import ResultStore
from countercase.evaluation.retrieval.collection_files import (
    index_name,
    read_run,
    read_topics,
    run_names,
)
from countercase.evaluation.retrieval.section import (
    Comparison,
    evaluate_runs,
    pipeline_comparison,
    run_comparison,
)
from countercase.evaluation.retrieval.systems import (
    PipelineRanker,
    available_systems,
    check_systems,
    full_system,
    rank_queries,
)
from countercase.evaluation.sets import Labels
from countercase.registry import RANKERS, register
from countercase.reports.trec import run_text
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import Session

runner = CliRunner()

JUDGED = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}, "q3": {"a": 1}}
GOOD = {"q1": {"a": 3.0, "b": 2.0}, "q2": {"c": 1.0}, "q3": {"b": 2.0, "a": 1.0}}
POOR = {"q1": {"c": 3.0, "b": 2.0}, "q2": {"b": 2.0, "c": 1.0}, "q3": {"a": 1.0}}


# Scoring and comparing


def measure(section: Section, key: str) -> Any:
    return next(one for one in section.measures if one.key == key)


def table(section: Section, title: str) -> Any:
    return next(one for one in section.tables if one.title == title)


@pytest.fixture
def section() -> Section:
    labels = Labels(JUDGED, {}, {"area": {"q1": "rent", "q2": "land", "q3": "rent"}})
    runs = {"good": GOOD, "poor": POOR}
    return evaluate_runs(
        labels, runs, run_comparison(["good", "poor"]), known_documents=frozenset("ab")
    )


def test_the_means_are_those_of_the_queries(section: Section) -> None:
    found = measure(section, "retrieval.good.mrr@10")
    assert found.value == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert found.n == 3
    assert found.low <= found.value <= found.high
    assert measure(section, "retrieval.poor.mrr@10").value == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)
    assert measure(section, "retrieval.good.recall@10").value == 1.0
    assert measure(section, "retrieval.poor.recall@10").value == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert len({one.key for one in section.measures}) == len(section.measures) == 10
    queries = section.details["queries"]
    assert queries["q1"]["poor"]["recall@10"] == 0.5
    assert list(queries) == ["q1", "q2", "q3"]


def test_a_comparison_counts_wins_and_tests_them(section: Section) -> None:
    found = section.details["differences"]["mrr@10"]["poor"]
    # 1/2, 1/2, -1/2: the sum is 1/2, and all 8 assignments reach it
    assert found["mean"] == pytest.approx(1 / 6)
    assert (found["wins"], found["ties"], found["losses"]) == (2, 0, 1)
    assert found["p"] == found["adjusted"] == 1.0
    rows = table(section, "Against good").rows
    assert [row[0] for row in rows] == ["good", "poor"]
    assert rows[1][-1] == "2/0/1"
    assert all(len(row) == len(table(section, "Against good").columns) for row in rows)


def test_the_p_values_of_a_measure_are_adjusted_together() -> None:
    queries = [f"q{at}" for at in range(6)]
    judged = {query: {"a": 1} for query in queries}
    first = {query: {"a": 1.0} for query in queries}
    last = {query: {"b": 2.0, "a": 1.0} for query in queries}
    runs = {"one": first, "two": last, "three": last}
    found = evaluate_runs(Labels(judged), runs, run_comparison(list(runs)))
    both = found.details["differences"]["mrr@10"]
    assert both["two"]["p"] == 2 / 2**6  # six equal differences: all + or all −
    assert both["two"]["adjusted"] == both["three"]["adjusted"] == 2 * 2 / 2**6


def test_groups_queries_and_missing_documents_are_told(section: Section) -> None:
    by_area = table(section, "NDCG@10 (graded) by area")
    assert [row[:2] for row in by_area.rows] == [("land", 1), ("rent", 2)]
    assert by_area.rows[0][2] == 1.0
    each = table(section, "Query by query: NDCG@10 (graded)")
    assert [row[0] for row in each.rows] == ["q1", "q2", "q3"]
    queries = section.details["queries"]
    for query, value, lead in each.rows:
        good, poor = (queries[query][name]["ndcg_graded@10"] for name in ("good", "poor"))
        assert (value, lead) == (good, pytest.approx(good - poor))
    grounds = dict(table(section, "What the figures rest on").rows)
    assert grounds["queries judged"] == 3
    assert grounds["relevant, but not in the corpus (never found)"] == 1


def test_the_plot_of_differences_falls_and_names_its_queries(section: Section) -> None:
    plot = next(one for one in section.plots if one.title.startswith("Query by query"))
    [series] = plot.series
    assert list(series.y) == sorted(series.y, reverse=True)
    assert sorted(plot.labels) == ["q1", "q2", "q3"]
    assert plot.labels[-1] == "q3"


def test_queries_left_out_are_counted_and_nothing_to_score_is_an_error() -> None:
    runs = {"one": {"q1": {"a": 1.0}, "q9": {"a": 1.0}}}
    found = evaluate_runs(Labels(JUDGED), runs, run_comparison(["one"]))
    grounds = dict(table(found, "What the figures rest on").rows)
    assert grounds["queries without a ranking in one (all measures 0)"] == 2
    assert grounds["queries of one that were not judged (left out)"] == 1
    assert not found.details["differences"]
    with pytest.raises(InputError, match="no query has judgements"):
        evaluate_runs(Labels({}), runs, run_comparison(["one"]))
    with pytest.raises(InputError, match="count lower grades"):
        evaluate_runs(Labels(JUDGED), runs, run_comparison(["one"]), relevant_from=3)


def test_the_same_runs_give_the_same_bytes_and_another_seed_other_intervals() -> None:
    queries = [f"q{at}" for at in range(20)]
    judged = {query: {"a": 1} for query in queries}
    runs = {
        name: {q: {"a": 1.0, "b": float((at * step) % 3)} for at, q in enumerate(queries)}
        for name, step in (("one", 1), ("two", 2))
    }
    made = [
        json.dumps(
            evaluate_runs(Labels(judged), runs, run_comparison(["one", "two"]), seed=s).to_dict()
        )
        for s in (1, 1, 2)
    ]
    assert made[0] == made[1] != made[2]


def test_the_first_queries_keep_their_judgements() -> None:
    labels = Labels(JUDGED, {"q3": "three", "q9": "not judged", "q1": "one"})
    assert list(labels.first(1).judged) == ["q3"]
    assert labels.first(None).queries == {"q3": "three", "q1": "one"}


# The pipeline taken apart

SUBJECTS = {
    "knife": "The accused stabbed the deceased with a knife in a sudden quarrel. Section 302 of the "
    "Indian Penal Code was charged; the conviction was altered to section 304 Part II.",
    "poison": "The accused mixed poison with food. Murder under section 302 of the Indian Penal Code.",
    "cheque": "A cheque was returned unpaid for want of funds. Section 138 of the Negotiable "
    "Instruments Act, 1881 applied, since notice was given within time.",
    "bribe": "The clerk asked for a bribe and was trapped with marked notes.",
    "tax": "The assessee claimed depreciation. The assessment was reopened beyond the time allowed.",
    "rent": "The landlord sought eviction for his own need. The tenant denied the need.",
}
ASKED = "He stabbed his neighbour once with a knife in a sudden quarrel. He is charged with murder."
SMALL = Settings(TOP_K=3, RERANK_POOL=4, MMR_HEAD=5)
SYSTEMS = ("dpr", "chroma", "lexical", "fused", "mmr", "rerank", "final", "no-mmr", "classic")
DEFAULTS = RetrievalSettings()


@pytest.fixture(scope="module")
def session(encoders: EmbeddedEncoders) -> Session:
    documents = [Document(name, f"{name} case", text) for name, text in SUBJECTS.items()]
    return Session(SMALL, encoders, build_index(documents, "evaluated", encoders, 200)[0])


Ranked = Callable[..., PipelineRanker]


@pytest.fixture
def ranker(session: Session) -> Ranked:
    def made(*systems: str, settings: Settings = SMALL) -> PipelineRanker:
        retriever = HybridRetriever(session.snapshot, session.encoders, settings.retrieval())
        top_k = settings.TOP_K
        return PipelineRanker(retriever, session.encoders, session.query, systems, top_k)

    return made


def test_every_ranking_holds_every_case_once_and_never_the_query_itself(ranker: Ranked) -> None:
    found = ranker()(ASKED, "rent")
    assert tuple(found) == SYSTEMS
    for listed in found.values():
        assert sorted(listed) == sorted(set(SUBJECTS) - {"rent"})


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("final", {}),
        ("mmr", {"USE_RERANKER": False}),
        ("no-mmr", {"USE_MMR": False}),
        ("fused", {"USE_MMR": False, "USE_RERANKER": False}),
        ("dpr", {"RANKERS": ("dpr",), "USE_MMR": False, "USE_RERANKER": False}),
        ("chroma", {"RANKERS": ("chroma",), "USE_MMR": False, "USE_RERANKER": False}),
        ("lexical", {"RANKERS": ("lexical",), "USE_MMR": False, "USE_RERANKER": False}),
    ],
)
def test_a_ranking_is_what_the_retriever_gives_with_these_switches(
    session: Session, ranker: Ranked, name: str, changed: dict[str, Any]
) -> None:
    retriever = HybridRetriever(
        session.snapshot, session.encoders, SMALL.model_copy(update=changed).retrieval()
    )
    [ranking] = retriever.retrieve([session.query(ASKED)], top_k=SMALL.TOP_K)
    for found in (ranker()(ASKED, "q"), ranker(name)(ASKED, "q")):
        assert found[name][:4] == ranking.pool[:4]
    assert ranker()(ASKED, "q")["lexical"][0] == "knife"


def test_the_cross_encoders_own_order_is_that_of_its_ranks(
    session: Session, ranker: Ranked
) -> None:
    [ranking] = session.retriever.retrieve([session.query(ASKED)], top_k=4)
    expected = {result.stages["rerank"].rank: result.case_id for result in ranking.results}
    found = ranker("rerank")(ASKED, "q")
    assert found["rerank"][:4] == tuple(expected[rank] for rank in (1, 2, 3, 4))


def test_the_classic_reading_ends_at_256_word_pieces(ranker: Ranked, session: Session) -> None:
    classic = ranker("classic")
    words = [f"word{at}" for at in range(400)]
    read = classic.classic_reading(" ".join(words)).split()
    count = session.encoders.count
    assert read == words[: len(read)]
    assert count(" ".join(read)) <= 254 < count(" ".join(words[: len(read) + 1]))
    assert classic.classic_reading(ASKED) == ASKED
    assert classic.classic_reading("x" * 3000) == "x" * 3000  # one word is never lost
    beyond = " ".join(words) + " " + SUBJECTS["tax"]
    assert classic(beyond, "q") == classic(" ".join(words), "q")
    assert ranker("chroma")(beyond, "q") != ranker("chroma")(" ".join(words), "q")


def test_what_the_settings_switch_off_is_not_ranked_and_not_compared() -> None:
    off = RetrievalSettings(use_mmr=False, use_reranker=False, rankers=("lexical",))
    assert available_systems(off) == ("lexical", "fused", "classic")
    assert full_system(off) == "fused"
    assert full_system(RetrievalSettings(use_reranker=False)) == "mmr"
    with pytest.raises(InputError, match="stage 'final': choose lexical, fused, classic"):
        check_systems(("final",), off)
    comparison = pipeline_comparison(off, available_systems(off))
    assert comparison.baseline == "fused"
    assert comparison.ablations == {"lexical": "lexical only", "classic": "classic reading"}


def test_the_whole_pipeline_is_compared_with_each_of_its_ablations() -> None:
    comparison = pipeline_comparison(DEFAULTS, SYSTEMS)
    assert list(comparison.stages) == [
        "dpr", "chroma", "lexical", "fused", "mmr", "rerank", "final",
    ]  # fmt: skip
    assert comparison.ablations == {
        "dpr": "DPR only",
        "chroma": "Chroma only",
        "lexical": "lexical only",
        "fused": "fused only",
        "mmr": "without the cross-encoder",
        "no-mmr": "without MMR",
        "classic": "classic reading",
    }
    assert (comparison.baseline, comparison.baseline_title) == ("final", "full")
    without = pipeline_comparison(DEFAULTS, ("lexical", "classic"))
    assert without == Comparison({"lexical": "lexical", "classic": "classic reading"})


class Reversed:
    """A ranker from outside: the later a case stands in the corpus, the better."""

    name = "reversed"
    default_weight = 0.1

    def __init__(self, corpus: Any, encoders: Any, settings: RetrievalSettings) -> None:
        self.row = np.arange(len(corpus.case_ids), dtype=np.float64)

    def rows(self, segments: Sequence[str], progress: Any = None) -> list[Any]:
        return [self.row for _ in segments]


def test_a_ranker_from_outside_is_a_stage_and_an_ablation(session: Session, ranker: Ranked) -> None:
    register("rankers", "reversed", Reversed)
    try:
        settings = SMALL.model_copy(update={"RANKERS": (*SMALL.RANKERS, "reversed")})
        systems = ("dpr", "chroma", "lexical", "reversed", *SYSTEMS[3:])
        assert available_systems(settings.retrieval()) == systems
        rankings = ranker("reversed", "final", settings=settings)(ASKED, "q")
        assert rankings["reversed"] == tuple(reversed(session.snapshot.case_ids))
        comparison = pipeline_comparison(settings.retrieval(), systems)
        assert comparison.stages["reversed"] == "reversed"
        assert comparison.ablations["reversed"] == "reversed only"
    finally:
        RANKERS.unregister("reversed")


def test_a_query_without_words_is_named(ranker: Ranked) -> None:
    with pytest.raises(InputError, match="query q7: "):
        ranker("lexical")("   ", "q7")


# Rankings kept


class Counted:
    """Ranks the same cases always, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str, query_id: str) -> dict[str, list[str]]:
        self.asked.append(query_id)
        return {"one": ["a", "b", text], "two": ["b"]}


def test_a_run_counts_down_so_that_trec_eval_keeps_its_order(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    runs = rank_queries(
        {"q1": "x", "q2": "y"}, Counted(), ("one", "two"), None, lambda *step: told.append(step)
    )
    assert runs["one"] == {
        "q1": {"a": 3.0, "b": 2.0, "x": 1.0},
        "q2": {"a": 3.0, "b": 2.0, "y": 1.0},
    }
    assert runs["two"]["q2"] == {"b": 1.0}
    assert told == [("queries", 1, 2), ("queries", 2, 2)]


def test_what_was_ranked_is_taken_up_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "rankings.sqlite"
    rank, names, recipe = Counted(), ("one", "two"), {"models": "m1"}
    queries = {"q1": "x", "q2": "y"}
    first = rank_queries({"q1": "x"}, rank, names, ResultStore(path, recipe))
    both = rank_queries(queries, rank, names, ResultStore(path, recipe))
    assert rank.asked == ["q1", "q2"]
    assert both["one"]["q1"] == first["one"]["q1"]
    again = rank_queries(queries, rank, ("two",), ResultStore(path, recipe))
    assert again == {"two": both["two"]}
    assert rank.asked == ["q1", "q2"]


@pytest.mark.parametrize(
    ("queries", "names", "recipe"),
    [
        ({"q1": "other words"}, ("one", "two"), {"models": "m1"}),
        ({"q1": "x"}, ("one", "two"), {"models": "m2"}),
    ],
)
def test_other_words_or_another_recipe_are_ranked_anew(
    tmp_path: Path, queries: dict[str, str], names: tuple[str, ...], recipe: dict[str, str]
) -> None:
    path, rank = tmp_path / "rankings.sqlite", Counted()
    rank_queries({"q1": "x"}, rank, names, ResultStore(path, {"models": "m1"}))
    rank_queries(queries, rank, names, ResultStore(path, recipe))
    assert rank.asked == ["q1", "q1"]


def test_a_missing_ranking_is_made_though_others_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "rankings.sqlite"
    rank_queries({"q": "x"}, lambda text, _: {"one": ["a"]}, ("one",), ResultStore(path, {}))
    rank = Counted()
    rank_queries({"q": "x"}, rank, ("one", "two"), ResultStore(path, {}))
    assert rank.asked == ["q"]


# Files of TREC


def test_topics_of_trec_lose_their_labels_and_their_narrative(tmp_path: Path) -> None:
    path = tmp_path / "topics.txt"
    path.write_text(
        "<top>\n<num> Number: 301\n<title> Eviction of a tenant\n<desc> Description:\nWhen may a "
        "landlord ask\nfor his house?\n<narr> Narrative:\nOnly appeals count.\n</top>\n"
        "<top><num>302</num><title>Bail &amp; parole</title></top>"
    )
    assert read_topics(path) == {
        "301": "Eviction of a tenant When may a landlord ask for his house?",
        "302": "Bail & parole",
    }


def test_topics_may_be_xml_lines_or_beir(tmp_path: Path) -> None:
    xml = tmp_path / "topics.xml"
    xml.write_text('<topics><topic number="7">The <b>knife</b> was his.</topic></topics>')
    assert read_topics(xml) == {"7": "The knife was his."}
    lines = tmp_path / "topics.tsv"
    lines.write_text("q1\tOne blow\nq2\tTwo\tblows\n\n")
    assert read_topics(lines) == {"q1": "One blow", "q2": "Two\tblows"}
    beir = tmp_path / "queries.jsonl"
    beir.write_text('{"_id": "q1", "text": "One blow"}\n')
    assert read_topics(beir) == {"q1": "One blow"} == read_topics(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1 without a tab", "line 1: no tab"),
        ("q1\tone\nq1\ttwo", "line 2: the number 'q1' is used before"),
        ("q1\t ", "line 1: field text is empty"),
        ("<top><title>No number</title></top>", "topic 1: field number is empty"),
        ("<html></html>", "holds no topic"),
        ("", "holds no topic"),
    ],
)
def test_topics_that_cannot_be_read_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "topics.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_topics(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q Q0 a 1 0.5", "line 1: 5 columns; a run has six"),
        ("\nq Q0 a 1 high r", "line 2: field score: 'high' is not a number"),
        ("q Q0 a 1 nan r", "line 1: field score: 'nan' is not a finite number"),
        ("q Q0 a 1 2 r\nq Q0 a 2 1 r", "line 2: a is listed twice for query q"),
        ("", "holds no line of a run"),
    ],
)
def test_runs_that_cannot_be_read_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "run.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_run(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_run(tmp_path / "missing.trec")


plain = st.dictionaries(
    st.sampled_from(["q1", "q2"]),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(-8, 8).map(lambda n: n / 4), min_size=1),
    min_size=1,
)


@given(plain)
@settings(max_examples=50, deadline=None)
def test_a_run_written_and_read_is_the_same_run(
    tmp_path_factory: pytest.TempPathFactory, run: dict[str, dict[str, float]]
) -> None:
    path = tmp_path_factory.mktemp("run") / "run.trec"
    path.write_text(run_text(run))
    assert read_run(path) == run
    judged = {query: {"b": 1, "e": 2} for query in run}
    rows = [line.split() for line in run_text(run).splitlines()]
    # the file's own order of ranks is the one that the measures saw
    counted = {query: {row[2]: -float(row[3]) for row in rows if row[0] == query} for query in run}
    assert measures_per_query(judged, counted) == measures_per_query(judged, run)


# The command


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [{"_id": n, "title": n, "text": text} for n, text in SUBJECTS.items()]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "topics.tsv").write_text(f"q1\t{ASKED}\nq2\tA cheque came back unpaid.\n")
    (tmp_path / "qrels.txt").write_text("q1 0 knife 2\nq1 0 poison 1\nq2 0 cheque 1\n")
    (tmp_path / "good.trec").write_text("q1 Q0 knife 1 9 x\nq2 Q0 cheque 1 9 x\n")
    (tmp_path / "poor.trec").write_text("q1 Q0 tax 1 9 x\nq1 Q0 knife 2 8 x\n")
    return tmp_path


def invoke(*arguments: str) -> Any:
    return runner.invoke(app, ["eval", "retrieval", *arguments])


def values_of(printed: str) -> dict[str, float]:
    return {one["key"]: one["value"] for one in json.loads(printed)["measures"]}


def test_a_run_of_others_is_scored_without_corpus_or_models(files: Path) -> None:
    found = invoke("--run", "good.trec", "--run", "poor.trec", "--qrels", "qrels.txt", "--json")
    assert found.exit_code == 0, found.stderr
    values = values_of(found.stdout)
    assert values["retrieval.good.recall@10"] == pytest.approx((1 / 2 + 1) / 2)
    assert values["retrieval.poor.mrr@10"] == pytest.approx((1 / 2 + 0) / 2)
    cut = invoke("--run", "poor.trec", "--qrels", "qrels.txt", "--top-k", "1", "--json")
    assert values_of(cut.stdout)["retrieval.poor.mrr@1"] == 0.0
    one = invoke("--run", "poor.trec", "--qrels", "qrels.txt", "--limit", "1", "--json")
    assert values_of(one.stdout)["retrieval.poor.mrr@10"] == 0.5
    strict = invoke("--run", "good.trec", "--qrels", "qrels.txt", "--relevant-from", "2", "--json")
    assert values_of(strict.stdout)["retrieval.good.recall@10"] == pytest.approx((1 + 0) / 2)


def test_a_collection_is_indexed_ranked_written_and_taken_up_again(
    files: Path, encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = (
        "--corpus", "corpus.jsonl", "--queries", "topics.tsv", "--qrels", "qrels.txt",
        "--output", "out", "--json",
    )  # fmt: skip
    first = invoke(*options)
    assert first.exit_code == 0, first.stderr
    values = values_of(first.stdout)
    assert values["retrieval.final.mrr@10"] == 1.0
    assert values["retrieval.lexical.recall@10"] == 1.0
    assert {path.stem for path in (files / "out" / "runs").iterdir()} == set(SYSTEMS)
    kept = (files / "out" / "retrieval.json").read_bytes()
    assert json.loads(kept)["details"]["settings"]["RRF_K"] == 20

    def never(*_: object) -> None:
        raise AssertionError("ranked again")

    monkeypatch.setattr(PipelineRanker, "__call__", never)
    again = invoke(*options)
    assert again.exit_code == 0, again.stderr
    assert again.stdout == first.stdout
    assert (files / "out" / "retrieval.json").read_bytes() == kept

    run = files / "out" / "runs" / "final.trec"
    scored = invoke("--run", str(run), "--qrels", "qrels.txt", "--json")
    assert values_of(scored.stdout)["retrieval.final.map"] == values["retrieval.final.map"]


def test_a_set_ranks_a_corpus_by_chosen_stages_only(
    files: Path, session: Session, encoders: EmbeddedEncoders
) -> None:
    row = {
        "query_id": "q1", "area": "homicide", "voice": "client", "text": ASKED,
        "relevant": {"knife": 3, "gone": 1}, "reasons": {},
    }  # fmt: skip
    (files / "set.jsonl").write_text(json.dumps(row) + "\n")
    found = invoke("--set", "set.jsonl", "--corpus", "evaluated", "--stage", "lexical", "--json")
    assert found.exit_code == 0, found.stderr
    assert set(values_of(found.stdout)) == {
        f"retrieval.lexical.{key}"
        for key in ("mrr@10", "ndcg@10", "ndcg_graded@10", "recall@10", "map")
    }
    assert values_of(found.stdout)["retrieval.lexical.recall@10"] == 0.5
    tables = {one["title"]: one["rows"] for one in json.loads(found.stdout)["tables"]}
    assert ["relevant, but not in the corpus (never found)", 1] in tables[
        "What the figures rest on"
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "eval_sets/retrieval.jsonl: missing"),
        (["--queries", "topics.tsv"], "give qrels"),
        (["--qrels", "qrels.txt"], "give queries, or a run"),
        (["--set", "s.jsonl", "--qrels", "qrels.txt"], "leave out queries and qrels"),
        (["--queries", "topics.tsv", "--qrels", "none.txt"], "none.txt: cannot be read"),
        (["--run", "none.trec", "--qrels", "qrels.txt"], "none.trec: cannot be read"),
        (
            ["--run", "good.trec", "--qrels", "qrels.txt", "--stage", "dpr"],
            "leave them out with runs",
        ),
        (
            ["--queries", "topics.tsv", "--qrels", "qrels.txt", "--stage", "best"],
            "stage 'best': choose dpr, chroma, lexical",
        ),
        (["--queries", "topics.tsv", "--qrels", "qrels.txt", "--corpus", "nowhere"], "'nowhere'"),
        (["--models", "own"], "--models 'own'"),
    ],
)
def test_what_does_not_fit_together_is_told_in_one_line(
    files: Path, home: Path, arguments: list[str], message: str
) -> None:
    found = invoke(*arguments)
    assert found.exit_code == 2
    assert message in found.stderr
    assert found.stderr.startswith("error: ")
    assert len(found.stderr.strip().splitlines()) == 1


def test_files_whose_ids_do_not_meet_are_told(files: Path) -> None:
    (files / "others.txt").write_text("z9 0 knife 1\n")
    found = invoke("--queries", "topics.tsv", "--qrels", "others.txt")
    assert "judges no query of topics.tsv" in found.stderr
    found = invoke("--run", "good.trec", "--qrels", "others.txt")
    assert "ranks no judged query" in found.stderr


def test_names_are_told_apart_and_fit_an_index() -> None:
    assert run_names([Path("a/run.trec"), Path("b/run.trec"), Path("c.txt")]) == [
        "run", "run-2", "c",
    ]  # fmt: skip
    name = index_name(Path("Some Long — Corpus of Judgments of the Court"))
    assert name == index_name(Path("Some Long — Corpus of Judgments of the Court"))
    assert name != index_name(Path("elsewhere") / "Some Long — Corpus of Judgments of the Court")
    assert name.startswith("eval-some-long-corpus-of-judg-") and len(name) <= 42
    assert index_name(Path("判例")).startswith("eval-")
