"""Parts from outside: a distribution is installed, and each part goes all the way through.

The distribution is `examples/extension`; no file of the package is touched for it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = {
    "stick": "A single blow with a stick in a sudden quarrel over land before the labour court.",
    "sword": "Several blows with a sword on the neck proved murder under section 302 IPC.",
    "quarrel": "The neighbours quarrelled over a boundary wall and one struck the other once.",
    "dowry": "The wife died of burns within seven years of marriage after demands of dowry.",
    "cheque": "A cheque was returned for want of funds and notice was given in thirty days.",
    "retrenched": "The workman was retrenched after 240 days and went to the labour court.",
    "tribunal": "The industrial tribunal held the retrenchment bad for want of compensation.",
    "overtime": "The labour court computed overtime wages of a driver of the corporation.",
    "strike": "The industrial tribunal declared the strike illegal and the dismissal just.",
    "rent": "The tenant stopped paying rent and the landlord sought eviction.",
    "hostile": "Both eyewitnesses turned hostile and the recovery was not believed.",
    "custody": "The family court gave the custody of the minor child to the mother.",
}
CASE = (
    "The workman, aged 34 years, drove a bus of the corporation for 300 days. He was retrenched "
    "without compensation under section 25F of the Industrial Disputes Act. The matter stands "
    "before the labour court. The wage slips of that year were produced by the workman. "
    "A doctor was examined on the injury to his back. A conductor spoke as an eyewitness of the "
    "accident."
)


class Workspace:
    """A folder in which commands run with the distribution installed."""

    def __init__(self, folder: Path, site: Path) -> None:
        self.folder = folder
        path = os.pathsep.join([str(site), str(ROOT)])
        own = {"PYTHONPATH": path, "COUNTERCASE_HOME": str(folder / ".h")}
        self._options: dict[str, Any] = {"cwd": folder, "env": os.environ | own}

    def run(self, *arguments: str) -> str:
        """What a command prints; it must succeed."""
        command = [sys.executable, "-m", "countercase", *arguments]
        done = subprocess.run(command, **self._options, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def read(self, name: str) -> Any:
        """A document in JSON."""
        return json.loads((self.folder / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace whose corpus was indexed through the made-up format and models.

    The distribution is one that pip installed in a folder.
    """
    site = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    options = ["--no-build-isolation", "--disable-pip-version-check", "--target", str(site)]
    subprocess.run([*pip, *options, str(ROOT / "examples" / "extension")], check=True)
    place = Workspace(tmp_path_factory.mktemp("workspace"), site)
    records = [f"== {name} | {name.title()} case\n{text}\n" for name, text in DOCUMENTS.items()]
    (place.folder / "decisions.ledger").write_text("".join(records), encoding="utf-8")
    (place.folder / "case.txt").write_text(CASE, encoding="utf-8")
    (place.folder / "settings.py").write_text(
        'RANKERS = ("chroma", "lexical", "tfidf")\nTOP_K = 5\nMAX_STATES = 400\n'
        "MIN_DISPLACEMENT = 0.0\nFACT_TAGGER = False\n",
        encoding="utf-8",
    )
    place.run("index", "decisions.ledger", "--corpus", "decisions", "--models", "hashed")
    return place


@pytest.fixture(scope="module")
def analysis(workspace: Workspace) -> dict[str, Any]:
    """analysis.json of the case."""
    workspace.run(
        *("analyze", "case.txt", "--corpus", "decisions", "--models", "hashed"),
        *("--validator", "cautious", "--out", "out"),
    )
    document: dict[str, Any] = workspace.read("out/analysis.json")
    return document


def test_the_reader_brings_every_judgment_and_the_ranker_is_fused_and_traced(
    analysis: dict[str, Any],
) -> None:
    assert analysis["corpus"]["cases"] == len(DOCUMENTS)
    for precedent in analysis["precedents"]:
        assert {"chroma", "lexical", "tfidf", "fused"} <= set(precedent["stages"])


def test_the_fact_type_goes_from_the_text_to_the_report(
    workspace: Workspace, analysis: dict[str, Any]
) -> None:
    [fact] = [fact for fact in analysis["facts"] if fact["fact_type"] == "Forum"]
    assert fact["value"] == "labour court"
    assert fact["statement"] == "The matter is before the labour court."
    assert fact["sensitivity"] is not None
    assert analysis["sensitivity"]["Forum"] is not None
    supposition = "Suppose the matter were before the industrial tribunal."
    report = (workspace.folder / "out" / "report.md").read_text(encoding="utf-8")
    assert supposition in report
    tree = workspace.read("out/tree.json")
    edits = [link["edit"] for link in tree["links"] if link["edit"]["fact_type"] == "Forum"]
    assert {(edit["operation"], edit["perturbed_value"]) for edit in edits} == {
        ("replace", "industrial tribunal"),
        ("remove", ""),
    }
    exchanged = next(edit for edit in edits if edit["operation"] == "replace")
    assert exchanged["supposition"] == supposition
    assert exchanged["statement_after"] == "The matter is before the industrial tribunal."


def test_the_ranker_is_a_stage_and_an_ablation_of_the_evaluation(workspace: Workspace) -> None:
    query = {"_id": "q1", "text": "retrenchment of a workman before the labour court"}
    (workspace.folder / "queries.jsonl").write_text(json.dumps(query), encoding="utf-8")
    (workspace.folder / "qrels.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\tretrenched\t1\nq1\ttribunal\t1\n", encoding="utf-8"
    )
    printed = workspace.run(
        *("eval", "retrieval", "--corpus", "decisions", "--models", "hashed"),
        *("--queries", "queries.jsonl", "--qrels", "qrels.tsv", "--output", "evaluation"),
    )
    assert "tfidf only" in printed
    measures = workspace.read("evaluation/retrieval.json")["measures"]
    keys = {measure["key"] for measure in measures}
    assert "retrieval.tfidf.ndcg@10" in keys or "retrieval.tfidf.ndcg@5" in keys


def test_the_validator_judges_the_states(workspace: Workspace, analysis: dict[str, Any]) -> None:
    tree = workspace.read("out/tree.json")
    types = {link["edit"]["id"]: link["edit"]["fact_type"] for link in tree["links"]}
    two = {
        node["status"]
        for node in tree["nodes"]
        if sum(types[edit] == "Evidence" for edit in node["edits"]) > 1
    }
    assert two == {"rejected"}


def test_the_command_stands_beside_the_shipped_ones(workspace: Workspace) -> None:
    assert "fora" in workspace.run("--help")
    assert workspace.run("fora", "case.txt").split("\n")[0] == "labour court"
