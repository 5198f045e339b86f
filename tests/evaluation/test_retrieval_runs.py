"""Rankings of a retrieval evaluation: scored, compared, kept, and read from files of TREC."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countercase.errors import InputError
from countercase.evaluation.experiment import ResultStore
from countercase.evaluation.metrics import measures_per_query
from countercase.evaluation.report import Section
from countercase.evaluation.retrieval.collection_files import read_run, read_topics
from countercase.evaluation.retrieval.section import evaluate_runs, run_comparison
from countercase.evaluation.retrieval.systems import rank_queries
from countercase.evaluation.sets import Labels
from countercase.reports.tree_files import run_text

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


def test_the_first_queries_keep_their_judgements() -> None:
    labels = Labels(JUDGED, {"q3": "three", "q9": "not judged", "q1": "one"})
    assert list(labels.first(1).judged) == ["q3"]
    assert labels.first(None).queries == {"q3": "three", "q1": "one"}


# Rankings kept


class Counted:
    """Ranks the same cases always, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str, query_id: str) -> dict[str, list[str]]:
        self.asked.append(query_id)
        return {"one": ["a", "b", text], "two": ["b"]}


def test_a_run_counts_down_so_that_trec_eval_keeps_its_order() -> None:
    told: list[tuple[str, int, int]] = []
    runs = rank_queries(
        {"q1": "x", "q2": "y"}, Counted(), ("one", "two"), None, lambda *step: told.append(step)
    )
    assert runs["one"] == {
        "q1": {"a": 3.0, "b": 2.0, "x": 1.0},
        "q2": {"a": 3.0, "b": 2.0, "y": 1.0},
    }
    assert runs["two"]["q2"] == {"b": 1.0}
    assert told == [("queries", 0, 2), ("queries", 1, 2), ("queries", 2, 2)]


def test_what_was_ranked_is_taken_up_again_and_what_is_missing_is_made(tmp_path: Path) -> None:
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
    rank_queries({"q3": "x"}, lambda text, _: {"one": ["a"]}, ("one",), ResultStore(path, recipe))
    rank_queries({"q3": "x"}, rank, names, ResultStore(path, recipe))
    assert rank.asked == ["q1", "q2", "q3"]


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
    path.write_text(run_text(run, "countercase"))
    assert read_run(path) == run
    judged = {query: {"b": 1, "e": 2} for query in run}
    rows = [line.split() for line in run_text(run, "countercase").splitlines()]
    # the file's own order of ranks is the one that the measures saw
    counted = {query: {row[2]: -float(row[3]) for row in rows if row[0] == query} for query in run}
    assert measures_per_query(judged, counted) == measures_per_query(judged, run)
