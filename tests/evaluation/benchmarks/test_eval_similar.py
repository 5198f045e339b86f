"""Similar cases: the four tasks by hand, and the commands."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from like_cases import case, row
from live_server import listening
from typed_commands import typed

from countercase.cli.eval.benchmarks import similar
from countercase.corpus.readers.detect import read_corpus
from countercase.evaluation.benchmarks.similar import (
    METRICS,
    TASKS,
    Row,
    count_matches,
    judge_results,
    read_summary,
    score_table,
    similar_section,
    summary_text,
)
from countercase.evaluation.benchmarks.similar_cases import (
    CaseRecord,
    GoldQuery,
    Hit,
    Labels,
    ServiceError,
    Term,
    build_gold,
    gold_lines,
    read_gold,
)
from countercase.retrieval.lexical import WordIndex
from countercase.web.app import create_app
from countercase.web.corpora import serve_words

SOURCE = ("gold.jsonl", "http://127.0.0.1:1/batch_search")


def hit(record: CaseRecord, fact: str = "") -> Hit:
    fields = {"id": record.record_id, "fact": fact or record.fact, "score": 1.0}
    return Hit.model_validate(fields | asdict(record.meta))


def scores(results: Sequence[Row], task: str, k: int) -> dict[str, float]:
    return {metric: values[f"@{k}"] for metric, values in score_table(results)[task].items()}


def test_four_tasks_by_hand() -> None:
    query = case("q", months=60)
    liked = case("liked", months=60)
    gold = GoldQuery("q", query, (liked,))
    hits = [
        hit(query, fact=f" {query.fact}\n"),  # the query itself, in other white space
        hit(liked),  # all four
        hit(case("far", months=90)),  # charge and article
        hit(case("robbery", months=50, charge="抢劫")),  # article and term
        hit(liked),  # the same text again
        hit(case("other", months=61, charge="诈骗", article="266")),  # term alone
    ]
    result = judge_results(gold, hits, {})
    assert [one["id"] for one in result["found"]] == ["liked", "far", "robbery", "other"]
    assert (result["itself"], result["repeated"]) == (1, 1)
    matches = dict(zip(TASKS, (1, 2, 3, 2), strict=True))
    assert {task: count_matches(result, task, 3) for task in TASKS} == matches
    at3 = scores([result], "accusation", 3)
    assert at3["precision"] == pytest.approx(2 / 3)
    assert at3["recall"] == pytest.approx(2 / 10)
    assert at3["hit_rate"] == 1
    assert at3["macro_f1"] == pytest.approx(2 * 2 / (3 + 10))
    both = Labels(frozenset({"盗窃", "诈骗"}), frozenset({"264", "266"}), Term(imprisonment=12))
    overlapping = judge_results(
        GoldQuery("q", CaseRecord("两罪并罚。", both, "q"), (case("x"),)), [hit(case("one"))], {}
    )
    assert overlapping["found"][0]["matches"] == ["imprisonment"]  # sets must be equal
    many = tuple(case(f"p{at}") for at in range(12))
    last_ten = judge_results(GoldQuery("q", query, many), [hit(one) for one in many[2:]], {})
    assert count_matches(last_ten, "gold", 10) == 8  # only the first ten positives count
    # At 10 only four results came: precision is still out of ten, micro-F1 out of four.
    at10 = scores([result], "imprisonment", 10)
    assert at10["precision"] == pytest.approx(3 / 10)
    assert at10["macro_f1"] == pytest.approx(0.3)
    assert at10["micro_f1"] == pytest.approx(2 * (3 / 4) * (3 / 10) / (3 / 4 + 3 / 10))


def judged(name: str, matches: Collection[str]) -> Row:
    return {"id": name, "score": 1.0, "matches": [*matches]}


def row_of(query: str, found: Sequence[Row]) -> Row:
    return {"query_id": query, "found": found, "itself": 0, "repeated": 0}


def test_labels_come_from_the_service_else_from_the_records() -> None:
    known = case("known", months=8)
    by_key = {known.key: known.meta}

    def labels(**fields: Any) -> Labels:
        return Hit.model_validate(fields).labels(by_key)

    assert labels(id="x", text=f"{known.fact}\n") == known.meta
    assert labels(id=None, fact_id=7, fact="", text=known.fact) == known.meta
    assert labels(id="y", text="文本", metadata=asdict(known.meta)) == known.meta
    term = {"imprisonment": 8}
    published = {"accusation": ["[盗窃]"], "relevant_articles": [264], "imprisonment": term}
    assert labels(id="z", text="文本", **published) == known.meta
    with pytest.raises(ServiceError, match="--records"):
        labels(id="u", text="别的文本")
    with pytest.raises(ServiceError, match="relevant_articles"):
        labels(id="u", text="文本", accusation=["盗窃"])


def results_of(matches: Sequence[bool]) -> list[Row]:
    found = [judged(f"d{at}", TASKS if holds else ()) for at, holds in enumerate(matches)]
    return [row_of("q1", found), row_of("q2", found[::-1])]


def test_the_summary_reads_back(tmp_path: Path) -> None:
    results = results_of([True, False, True] + [False] * 7)
    path = tmp_path / "evaluate_summary.txt"
    path.write_text(summary_text(results, *SOURCE), encoding="utf-8")
    assert "Gold            | Precision  | 33.33%     | 20.00%     | 20.00%" in path.read_text()
    # 2 of 3 and 0 of 3; of ten that are similar 2 and 0, of the six results two.
    at3 = scores(results, "gold", 3)
    assert at3 == pytest.approx(
        {"precision": 1 / 3, "recall": 1 / 10, "hit_rate": 1 / 2,
         "macro_f1": (4 / 13) / 2, "micro_f1": 2 * (1 / 3) * (1 / 10) / (1 / 3 + 1 / 10)}
    )  # fmt: skip
    read, table = read_summary(path), score_table(results)
    for task, metric in product(TASKS, METRICS):
        assert read[task][metric] == pytest.approx(table[task][metric], abs=5e-5)


def test_the_section_has_every_task_with_intervals_and_the_others_beside() -> None:
    results = results_of([True] * 5 + [False] * 5)
    reference = {"other": {"gold": {"precision": {"@3": 0.1, "@5": 0.2, "@10": 0.3}}}}
    section = similar_section(results, *SOURCE, 0, reference)
    by_key = {one.key: one for one in section.measures}
    assert by_key["similar.gold.precision@10"].value == 0.5
    assert by_key["similar.gold.precision@3"].value == 0.5  # 3 of 3, and 0 of 3
    assert by_key["similar.gold.precision@3"].low == 0
    assert by_key["similar.gold.precision@3"].high == 1
    beside = next(table for table in section.tables if "other" in table.columns)
    assert ("Gold", "Precision@10", 0.5, 0.3) in beside.rows
    assert ("Article", "Precision@10", 0.5, None) in beside.rows
    assert list(section.runs["similar"]["q2"]) == [f"d{at}" for at in range(9, -1, -1)]
    again = similar_section(results, *SOURCE, 0, reference)
    assert json.dumps(section.to_dict()) == json.dumps(again.to_dict())


def test_prepare_serve_and_run(tmp_path: Path) -> None:
    theft = [row(f"窃{at}", 10 + at % 3) for at in range(14)]
    fraud = [row(f"骗{at}", 30 + at % 4, "诈骗", 266) for at in range(14)]
    cases = tmp_path / "cases.json"
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in theft + fraud)
    cases.write_bytes(lines.encode("gb18030"))
    options = ["--output", str(tmp_path), "--queries", "6", "--json"]
    made = typed("prepare", cases, *options, of=similar)
    assert json.loads(made.stdout)["documents"] == 28
    gold = read_gold(tmp_path / "gold.jsonl")
    assert len(gold) == 6

    outputs = []
    index = WordIndex(read_corpus(tmp_path / "corpus.jsonl"), 1.0)
    with listening(create_app(serve_words("corpus", index))) as url:
        command = ["run", "--url", url, "--gold", str(tmp_path / "gold.jsonl"), "--json"]
        for batch in ("2", "16"):
            done = typed(*command, "--batch", batch, "--output", str(tmp_path / batch), of=similar)
            outputs.append(done.stdout)
        shown = typed(*command[:-1], "--limit", "2", of=similar)
        assert "Accusation" in shown.stdout
        assert "Micro-F1" in shown.stdout
    assert outputs[0] == outputs[1]
    found = json.loads(outputs[0])
    figures = {one["key"]: one["value"] for one in found["measures"]}
    # The words of the charge stand in each text, so every result has the query's charge.
    assert figures["similar.accusation.precision@10"] == 1
    assert figures["similar.article.precision@10"] == 1
    assert all(one["itself"] == 1 for one in found["details"]["queries"])
    assert (tmp_path / "2" / "similar.json").read_text(encoding="utf-8") == outputs[0]
    summary = read_summary(tmp_path / "2" / "evaluate_summary.txt")
    assert summary["accusation"]["hit_rate"]["@3"] == 1


def test_a_given_set_takes_further_documents(tmp_path: Path) -> None:
    gold = build_gold([case(str(at)) for at in range(4)], 2, 2, 0, 1)
    given_set, more = tmp_path / "given.jsonl", tmp_path / "more.jsonl"
    given_set.write_text(gold_lines(gold), encoding="utf-8")
    more.write_text(json.dumps(row("新")) + "\n", encoding="utf-8")
    options = ("--gold", str(given_set), "--output", str(tmp_path), "--json")
    counts = []
    for flags in ([], ["--without-queries"]):
        made = typed("prepare", more, *options, *flags, of=similar)
        counts.append(json.loads(made.stdout)["documents"])
        assert (tmp_path / "gold.jsonl").read_bytes() == given_set.read_bytes()
    distinct = {one.key for line in gold for one in (line.query, *line.positives)}
    asked = {one.query.key for one in gold}
    assert counts == [len(distinct) + 1, len(distinct - asked) + 1]
