"""`countercase eval`: which sets it measures, the bounds that it must keep, how labels agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typed_commands import typed

from countercase.config import Settings
from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.evaluation.agreement import agreement_section
from countercase.evaluation.report import Measure, Section, failures
from countercase.evaluation.run import evaluate_sets
from countercase.evaluation.sets import kind_of
from countercase.session import Session

SHIPPED = Path(__file__).resolve().parents[2] / "eval_sets"


def lines(path: Path, *rows: Any) -> Path:
    """`path`, holding `rows` as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


# The kind of a set


@pytest.mark.parametrize("name", ["retrieval", "counterfactual", "explanations", "reading"])
def test_a_set_is_known_by_its_first_line_that_is_not_blank(name: str, tmp_path: Path) -> None:
    assert kind_of(SHIPPED / f"{name}.jsonl") == name
    path = tmp_path / "set.jsonl"
    path.write_text('\n  \n{"pair_id": "1"}\n{"query_id": "2"}\nnot JSON\n')
    assert kind_of(path) == "explanations"


def test_a_set_of_messy_matters_is_read(tmp_path: Path) -> None:
    row = {
        "case_id": "r", "area": "homicide", "voice": "client", "title": "", "occurred_on": None,
        "text": "He was charged under section 302 IPC.",
        "facts": [{"type": "Section", "provision": "IPC-302", "mentions": ["section 302 IPC"]}],
    }  # fmt: skip
    path = tmp_path / "reading.jsonl"
    path.write_text(json.dumps(row) + "\n")
    [section] = evaluate_sets(settings=Settings.model_validate({}), set_file=path)
    assert section.measures[0].value == 1.0


# Bounds

FOUND = [Measure("retrieval.final.mrr@10", "MRR", 0.5), Measure("retrieval.dpr.map", "MAP", None)]
MOVED = [Measure("planted.moved", "moved", 0.2, at_most=True)]
MEASURED = (Section("retrieval", "Retrieval", FOUND), Section("planted", "Planted", MOVED))


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({}, []),
        ({"retrieval.final.mrr@10": 0.5}, []),
        ({"retrieval.final.mrr@10": 0.51}, ["retrieval.final.mrr@10: 0.5000 (at least 0.51)"]),
        ({"planted.moved": 0.2}, []),
        ({"planted.moved": 0.19}, ["planted.moved: 0.2000 (at most 0.19)"]),
        ({"retrieval.dpr.map": 0.1}, ["retrieval.dpr.map: not measured (bound 0.1)"]),
    ],
)
def test_a_bound_is_kept_or_told(bounds: dict[str, float], expected: list[str]) -> None:
    assert failures(MEASURED, bounds) == expected


def test_a_bound_on_nothing_names_the_nearest_measure() -> None:
    with pytest.raises(InputError, match=r"mrr@5; did you mean retrieval\.final\.mrr@10\?"):
        failures(MEASURED, {"retrieval.final.mrr@5": 0.1})
    with pytest.raises(InputError, match=r"no measure is called xyz$"):
        failures(MEASURED, {"xyz": 0.1})


# Agreement of the passes


def twice(first: Any, second: Any, settled: Any, **rest: Any) -> dict[str, Any]:
    reason = {} if first == second else {"reason": "Read again."}
    return {"first": first, "second": second, "settled": settled} | reason | rest


YES, NO, OPEN = "dispositive", "non_dispositive", "neither"
TRUE = {"label": "faithful", "error": None}
FIGURE = {"label": "unfaithful", "error": "figure"}
NEGATION = {"label": "unfaithful", "error": "negation"}
RANKS = ({"Section": 1, "Evidence": 2}, {"Section": 1, "Evidence": 1})
GRADED = [twice(2, 2, 2), twice(0, 0, 0), twice(1, 0, 1), twice(0, 0, 0)]
LABELLED = [
    *(
        twice(first, second, settled, case_id="c", kind="fact")
        for first, second, settled in (
            (YES, YES, YES), (NO, NO, NO), (YES, NO, OPEN), (NO, NO, NO), (OPEN, YES, YES),
        )
    ),
    twice(YES, YES, YES, case_id="c", kind="type"),
    twice(*RANKS, RANKS[0], case_id="c", kind="ranking"),
]  # fmt: skip
EXPLAINED = [twice(TRUE, TRUE, TRUE), twice(FIGURE, NEGATION, FIGURE), twice(FIGURE, TRUE, TRUE)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    passes = {"retrieval": GRADED, "counterfactual": LABELLED, "explanations": EXPLAINED}
    for name, rows in passes.items():
        lines(tmp_path / "passes" / f"{name}.jsonl", *rows)
    return tmp_path


def test_agreement_by_hand(folder: Path) -> None:
    found = {one.key: one for one in agreement_section(folder).measures}
    expected = {
        "grade": 5 / 9,  # same 3/4; by chance 1/4 * 1/4 + 2/4 * 3/4 = 7/16
        "relevant": 1 / 2,  # same 3/4; by chance 2/4 * 1/4 + 2/4 * 3/4 = 1/2
        "fact": 1 / 2,  # the four that both label: the same figures
        "fact-left": 1 / 3,  # same 3/5; by chance (2 * 2 + 2 * 3 + 1 * 0) / 25 = 2/5
        "faithful": 2 / 5,  # same 2/3; by chance 1/3 * 2/3 + 2/3 * 1/3 = 4/9
        "error": 1 / 7,  # same 1/3; by chance 1/3 * 2/3 = 2/9
    }
    values = {key: found[f"agreement.{key}.kappa"].value for key in expected}
    assert values == pytest.approx(expected)
    assert [found[f"agreement.{key}.kappa"].n for key in ("fact", "fact-left")] == [4, 5]
    assert found["agreement.type.kappa"].verdict == "not measured"  # one label alone
    assert found["agreement.grade.kappa"].verdict == "below"


def test_rankings_agree_by_fact_type_and_disagreements_are_counted(folder: Path) -> None:
    section = agreement_section(folder)
    # Values 1, 1 and 2, 1: observed disagreement 2/4, expected 2 * 3 * 1 / (4 * 3), so alpha is 0.
    [one] = [m for m in section.measures if m.key == "agreement.ranking.alpha"]
    assert (one.value, one.n) == (pytest.approx(0), 2)
    labels, settled = section.tables
    counts = {
        "retrieval": (1, 1, 0, 0),
        "counterfactual": (3, 1, 1, 1),
        "explanations": (2, 1, 1, 0),
    }
    assert {row[0]: row[1:] for row in settled.rows} == counts
    assert [row[1:3] for row in labels.rows] == [
        (4, 1), (4, 1), (4, 1), (5, 2), (1, 0), (1, 0), (3, 1), (3, 2), (2, 1),
    ]  # fmt: skip
    found = typed("eval", "agreement", "--sets", folder, "--json")
    assert json.loads(found.stdout)["name"] == "agreement"


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("retrieval", {"first": 1, "second": 0, "settled": 0}, "a disagreement without a reason"),
        (
            "retrieval",
            {"first": 1, "second": 1},
            r"l\.jsonl, line 1: field settled: Field required",
        ),
        ("retrieval", ["first", "second", "settled"], r"line 1: Input should be an object"),
        ("retrieval", twice(None, 1, 1), r"retrieval\.jsonl: .* is missing or wrong"),
        (
            "counterfactual",
            twice(YES, YES, YES),
            r"l\.jsonl, line 1: field case_id: Field required",
        ),
        ("explanations", twice(TRUE, {"label": "faithful"}, TRUE), "'error' is missing or wrong"),
    ],
)
def test_a_wrong_line_is_told(folder: Path, name: str, row: Any, message: str) -> None:
    lines(folder / "passes" / f"{name}.jsonl", row)
    with pytest.raises(InputError, match=message):
        agreement_section(folder)


def test_passes_that_are_not_there_or_no_json(folder: Path) -> None:
    path = folder / "passes" / "explanations.jsonl"
    path.write_text(f"{json.dumps(EXPLAINED[0])}\n\n{{\n")
    with pytest.raises(InputError, match=r"explanations\.jsonl, line 3: not valid JSON"):
        agreement_section(folder)
    path.unlink()
    with pytest.raises(InputError, match="the passes lie beside the evaluation sets"):
        agreement_section(folder)


# The command

SUBJECTS = {
    "knife": "The accused stabbed the deceased once with a knife in a sudden quarrel. The "
    "conviction under section 302 of the Indian Penal Code was altered to section 304 Part II.",
    "cheque": "A cheque was returned unpaid for want of funds. Section 138 of the Negotiable "
    "Instruments Act, 1881 applied, since the notice was given in time.",
    "tax": "The assessee claimed depreciation. The assessment was reopened beyond the time.",
    "rent": "The landlord sought eviction for his own need, which the tenant denied.",
}
QUERIES = {
    "q1": ("He stabbed his neighbour with a knife when they fell out.", {"knife": 3, "tax": 0}),
    "q2": ("My cheque came back unpaid for want of funds.", {"cheque": 2, "rent": 0}),
    "q3": ("The landlord wants his house back.", {"rent": 2, "knife": 0}),
}


@pytest.fixture(scope="module")
def session(encoders: EmbeddedEncoders) -> Session:
    documents = [Document(name, name, text) for name, text in SUBJECTS.items()]
    settings = Settings(TOP_K=2, RERANK_POOL=3, MMR_HEAD=3)
    return Session(settings, encoders, build_index(documents, "evaluate", encoders, 200)[0])


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session: Session) -> Path:
    """A folder with a small set, and a small corpus where the casebook would be."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("countercase.session.open_session", lambda *_, **__: session)
    rows = [
        {"query_id": name, "area": "homicide", "voice": "client", "text": text, "relevant": graded}
        for name, (text, graded) in QUERIES.items()
    ]
    return lines(tmp_path / "set.jsonl", *rows).parent


def evaluate(*given: str, status: int = 0) -> Any:
    return typed("eval", "--set", "set.jsonl", "--limit", 2, *given, status=status)


def files_of(path: Path) -> dict[str, bytes]:
    found = [*path.glob("eval.*"), *path.glob("*.trec")]
    return {file.name: file.read_bytes() for file in found}


def test_a_set_is_measured_and_written_and_another_run_gives_the_same_bytes(
    workspace: Path,
) -> None:
    first = evaluate("--output", "one", "--json")
    files = files_of(workspace / "one")
    assert {"eval.json", "eval.md", "eval.html", "retrieval.final.trec"} <= set(files)
    document = json.loads(files["eval.json"])
    assert json.loads(first.stdout) == document
    assert document["about"]["limit"] == 2
    [section] = document["sections"]
    [found] = [it for it in section["measures"] if it["key"] == "retrieval.final.mrr@10"]
    assert (found["value"], found["n"]) == (1.0, 2)
    ranked = [line.split() for line in files["retrieval.final.trec"].decode().splitlines()]
    assert [(row[0], row[2]) for row in ranked if row[3] == "1"] == [
        ("q1", "knife"), ("q2", "cheque"),
    ]  # fmt: skip
    evaluate("--output", "two")
    assert files_of(workspace / "two") == files
    evaluate("--output", "one")  # from the rankings that were kept
    assert files_of(workspace / "one") == files


MISSED = "below its bound: retrieval.final.mrr@10: 1.0000 (at least 1.5)"


@pytest.mark.parametrize(
    ("key", "bound", "status", "said"),
    [
        ("retrieval.final.mrr@10", 1.0, 0, ""),
        ("retrieval.final.mrr@10", 1.5, 1, MISSED),
        ("retrieval.final.mrr", 0.5, 2, "did you mean retrieval.final.m"),
    ],
)
def test_a_bound_that_is_missed_or_mistyped_loses_no_results(
    workspace: Path, key: str, bound: float, status: int, said: str
) -> None:
    (workspace / "bounds.json").write_text(json.dumps({key: bound}))
    found = evaluate("--fail-under", "bounds.json", "--output", "out", status=status)
    assert said in found.stderr
    assert (workspace / "out" / "eval.json").is_file()


def test_explanations_need_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("countercase.session.open_session", lambda *_, **__: pytest.fail("opened"))
    shipped = (SHIPPED / "explanations.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "set.jsonl").write_text("\n".join(shipped[:4]))
    found = evaluate("--output", "out", "--json")
    [section] = json.loads(found.stdout)["sections"]
    assert section["name"] == "explanations"
    assert [one["pair_id"] for one in section["details"]["pairs"]] == ["ex-001", "ex-002"]
