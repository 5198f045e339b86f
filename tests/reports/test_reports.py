"""What the reports say of an analysis, and how they are written."""

from __future__ import annotations

import errno
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import networkx as nx
import pytest
from handmade import AGE, QUOTE, SECTION, SHEET, result, tree

from countercase import io as write
from countercase.config import TreeSettings
from countercase.counterfactual.states import State
from countercase.counterfactual.tree import Node, PerturbationTree
from countercase.errors import StoreError
from countercase.facts.vocabulary import FACT_TYPES
from countercase.io import json_text, write_files
from countercase.reports.analysis_json import analysis_document
from countercase.reports.tree_files import dot, graphml, trec_id, trec_run, tree_document
from countercase.reports.view import write_reports

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"
FILES = [
    *("analysis.json", "tree.json", "tree.graphml", "tree.dot", "run.trec"),
    *("report.md", "report.html", "report.docx", "memo.html", "memo.docx", "memo.md"),
]


def schema(name: str) -> jsonschema.Draft202012Validator:
    document = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


def tree_json() -> dict[str, Any]:
    return tree_document(result())


# tree.json


def test_the_documents_keep_to_their_schemas_which_know_each_status_and_ask_for_reasons() -> None:
    schema("analysis").validate(analysis_document(result()))
    schema("analysis").validate(analysis_document(result(complete=False, nulls=())))
    schema("tree").validate(tree_json())
    unknown, unexplained = tree_json(), tree_json()
    unknown["nodes"][0]["status"] = "grown"
    for node in unexplained["nodes"]:
        node.pop("reason", None)
    for document in (unknown, unexplained):
        assert list(schema("tree").iter_errors(document))


def test_displacements_are_those_worked_by_hand_and_a_rejected_state_has_none() -> None:
    """a b c to b c d, K = 3: a 1 to 4, b 2 to 1, c 3 to 2, d 4 to 3: (3 + 1 + 1 + 1) / 4."""
    document = tree_json()
    link = document["links"][0]
    assert link["displacements"] == {"a": 3, "b": 1, "c": 1, "d": 1}
    assert link["mean_displacement"] == 1.5
    assert (link["dropped"], link["new"]) == (["a"], ["d"])
    refused = State.of([AGE]).state_id
    [node] = [node for node in document["nodes"] if node["id"] == refused]
    assert (node["ranking"], node["reason"]) == ([], "Nobody is 200 years old.")
    [link] = [link for link in document["links"] if link["target"] == refused]
    assert link["mean_displacement"] is None
    assert (link["displacements"], link["dropped"], link["new"]) == ({}, [], [])


def test_networkx_reads_the_tree_back() -> None:
    document = json.loads(json_text(tree_json()))
    graph = nx.node_link_graph(document, edges="links")
    assert nx.is_directed_acyclic_graph(graph)
    assert set(graph) == {node.node_id for node in tree().nodes()}
    assert graph.graph["top_k"] == 3
    assert nx.node_link_data(graph, edges="links") == document


# analysis.json


def test_sensitivity_stands_in_the_fixed_order_with_null_for_what_was_not_measured() -> None:
    document = analysis_document(result())
    assert tuple(document["sensitivity"]) == FACT_TYPES
    assert document["sensitivity"]["Section"] == 1.5
    assert document["sensitivity"]["Evidence"] == round(4 / 3 / 2, 9)
    assert document["sensitivity"]["PartyType"] is None


def test_a_fact_and_a_precedent_carry_what_is_known_of_them() -> None:
    facts = {fact["fact_id"]: fact for fact in analysis_document(result())["facts"]}
    section = facts["section:IPC-302"]
    words = SHEET.narrative[section["span"]["start"] : section["span"]["end"]]
    assert words == "Section 302 IPC"
    assert section["verdict"] == "dispositive"
    assert (section["sensitivity"], section["noise"], section["beats"]) == (1.5, 0.5, 1.0)
    assert section["edges"] == 1  # the deeper edge counts for the type alone
    assert section["supposition"] == SECTION.supposition
    party = facts["party:petitioner"]
    assert (party["span"], party["spans"], party["verdict"]) == (None, [], "not measurable")
    age = facts["numerical:age:1"]
    assert age["detail"].items() >= {"kind": "age", "value": 17.0, "upper": None}.items()
    first = analysis_document(result())["precedents"][0]
    assert first["reasons"][0]["quote"]["text"] == QUOTE.text
    assert list(first["stages"]) == ["dpr", "rerank"]
    assert first["why"] == "It speaks of IPC-302 too."


# graph files and the run


def test_graphml_is_read_back_with_its_figures() -> None:
    graph = nx.parse_graphml(graphml(tree_json()))
    one = State.of([SECTION]).state_id
    assert graph.nodes["root"]["status"] == "root"
    assert json.loads(graph.nodes["root"]["ranking"]) == ["a", "b", "c"]
    assert graph.edges["root", one]["mean_displacement"] == 1.5
    assert json.loads(graph.edges["root", one]["displacements"])["a"] == 3
    assert graph.edges["root", one]["edit_fact_type"] == "Section"
    assert "mean_displacement" not in graph.edges["root", State.of([AGE]).state_id]
    assert graph.graph["top_k"] == 3


def test_dot_names_every_state_and_edge() -> None:
    text = dot(tree())
    for node in tree().nodes():
        assert f'"{node.node_id}" [label=' in text
    assert text.count(" -> ") == 5
    assert "refused" in text


def test_no_text_ends_a_dot_string() -> None:
    made = PerturbationTree(SHEET, TreeSettings())
    reason = 'quote " backslash \\ end\\'
    made.put(Node(State(), "rejected", 0, None, reason))
    [line] = [line for line in dot(made).splitlines() if line.startswith('  "root" [')]
    assert 'quote \\" backslash \\\\ end\\\\"' in line


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_takes_the_dot_file() -> None:
    done = subprocess.run(["dot", "-Tplain"], input=dot(tree()), text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


def test_the_run_has_a_line_per_state_and_precedent() -> None:
    lines = trec_run(tree()).splitlines()
    assert len(lines) == 4 * 3
    assert lines[0] == "root Q0 a 1 3.0 countercase"
    assert all(len(line.split()) == 6 for line in lines)
    assert trec_id("plain-id_1.txt") == "plain-id_1.txt"
    assert trec_id("my case 50%") == "my%20case%2050%25"  # a blank would be one more column


# writing


def test_all_reports_are_written_and_two_runs_agree(tmp_path: Path) -> None:
    one = write_reports(result(), tmp_path / "a" / "b")
    two = write_reports(result(), tmp_path / "c")
    assert [path.name for path in one] == FILES
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == sorted(FILES)
    for left, right in zip(one, two, strict=True):
        assert left.read_bytes() == right.read_bytes()
        assert left.suffix == ".docx" or left.read_bytes().endswith(b"\n")


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"a.txt": "old", "b.txt": "old"})
    calls = []

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(write.os, "fsync", full)
    with pytest.raises(StoreError, match=r"No space left.*another folder"):
        write_files(tmp_path, {"a.txt": "new", "b.txt": "new"})
    left = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert left == {"a.txt": "old", "b.txt": "old"}


def test_a_file_where_the_folder_should_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(StoreError, match="out"):
        write_reports(result(), tmp_path / "out")


def test_json_keeps_letters_and_order() -> None:
    assert json_text({"b": "ज़मीन", "a": 1}) == '{\n "b": "ज़मीन",\n "a": 1\n}\n'
