"""What the reports say of an analysis, and how they are written."""

from __future__ import annotations

import errno
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import networkx as nx
import pytest
from handmade import AGE, EVIDENCE, SECTION, SHEET, result, tree
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from countercase.config import Settings
from countercase.counterfactual.displacement import mean_rank_displacement
from countercase.counterfactual.states import State
from countercase.counterfactual.tree import Node, PerturbationTree
from countercase.errors import StoreError
from countercase.facts.vocabulary import FACT_TYPES
from countercase.reports import write
from countercase.reports.analysis_json import analysis_document
from countercase.reports.graph_files import dot, graphml
from countercase.reports.markdown import markdown_report
from countercase.reports.markdown_text import inline
from countercase.reports.outline import outline
from countercase.reports.plain import plain, rounded
from countercase.reports.terminal import show_result
from countercase.reports.trec import trec_id, trec_run
from countercase.reports.tree_json import tree_document
from countercase.reports.wording import TYPE_NAMES, VERDICTS, disjoint, headline, size_of_move
from countercase.reports.write import json_text, write_files, write_reports

SCHEMAS = Path(__file__).resolve().parent.parent / "docs" / "schemas"
FILES = ["analysis.json", "tree.json", "tree.graphml", "tree.dot", "run.trec", "report.md"]


def schema(name: str) -> jsonschema.Draft202012Validator:
    document = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


def tree_json() -> dict[str, Any]:
    made = result()
    return tree_document(made.analysis.tree, made.manifest, made.models)


def shown(width: int, colour: bool = False, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="replace")
    console = Console(file=stream, width=width, force_terminal=colour, markup=False, emoji=False)
    show_result(result(), console)
    stream.flush()
    return raw.getvalue().decode(encoding)


# tree.json


def test_the_tree_document_keeps_to_its_schema() -> None:
    schema("tree").validate(tree_json())


def test_nodes_and_links_have_the_keys_that_the_format_fixes() -> None:
    document = tree_json()
    assert set(document["graph"]) == {"top_k", "min_displacement", "corpus", "models", "settings"}
    for node in document["nodes"]:
        extra = {"reason"} if node["status"] == "rejected" else set()
        assert set(node) == {"id", "edits", "status", "ranking"} | extra
    for link in document["links"]:
        assert set(link) == {
            "source", "target", "edit", "mean_displacement", "displacements", "dropped", "new",
        }  # fmt: skip
        assert set(link["edit"]) == {
            "id", "fact_id", "fact_type", "original_value", "perturbed_value", "rule", "provision",
        }  # fmt: skip


def test_a_rejected_state_has_no_ranking_and_no_displacement() -> None:
    document = tree_json()
    refused = State.of([AGE]).state_id
    [node] = [node for node in document["nodes"] if node["id"] == refused]
    assert node["ranking"] == []
    assert node["reason"] == "Nobody is 200 years old."
    [link] = [link for link in document["links"] if link["target"] == refused]
    assert link["mean_displacement"] is None
    assert (link["displacements"], link["dropped"], link["new"]) == ({}, [], [])


def test_displacements_are_those_worked_by_hand() -> None:
    """a b c to b c d, K = 3: a 1 to 4, b 2 to 1, c 3 to 2, d 4 to 3: (3 + 1 + 1 + 1) / 4."""
    document = tree_json()
    link = document["links"][0]
    assert link["displacements"] == {"a": 3, "b": 1, "c": 1, "d": 1}
    assert link["mean_displacement"] == 1.5
    assert (link["dropped"], link["new"]) == (["a"], ["d"])


def test_two_paths_lead_to_one_state() -> None:
    document = tree_json()
    both = State.of([SECTION, EVIDENCE]).state_id
    assert len([link for link in document["links"] if link["target"] == both]) == 2
    assert len([node for node in document["nodes"] if node["id"] == both]) == 1


def test_networkx_reads_the_tree_back() -> None:
    document = json.loads(json_text(tree_json()))
    graph = nx.node_link_graph(document, edges="links")
    assert nx.is_directed_acyclic_graph(graph)
    assert set(graph) == {node.node_id for node in tree().nodes()}
    assert graph.graph["top_k"] == 3
    assert nx.node_link_data(graph, edges="links") == document


def test_a_document_with_an_unknown_status_breaks_the_schema() -> None:
    document = tree_json()
    document["nodes"][0]["status"] = "grown"
    assert list(schema("tree").iter_errors(document))


def test_a_rejected_node_without_a_reason_breaks_the_schema() -> None:
    document = tree_json()
    for node in document["nodes"]:
        node.pop("reason", None)
    assert list(schema("tree").iter_errors(document))


# analysis.json


def test_the_analysis_document_keeps_to_its_schema() -> None:
    schema("analysis").validate(analysis_document(result()))
    schema("analysis").validate(analysis_document(result(complete=False, nulls=())))


def test_sensitivity_stands_in_the_fixed_order_with_null_for_what_was_not_measured() -> None:
    document = analysis_document(result())
    assert tuple(document["sensitivity"]) == FACT_TYPES
    assert document["sensitivity"]["Section"] == 1.5
    assert document["sensitivity"]["Evidence"] == round(4 / 3 / 2, 9)
    assert document["sensitivity"]["PartyType"] is None


def test_a_fact_carries_its_spans_its_noise_and_its_verdict() -> None:
    facts = {fact["fact_id"]: fact for fact in analysis_document(result())["facts"]}
    section = facts["section:IPC-302"]
    words = SHEET.narrative[section["span"]["start"] : section["span"]["end"]]
    assert words == "Section 302 IPC"
    assert section["verdict"] == "dispositive"
    assert (section["sensitivity"], section["noise"], section["beats"]) == (1.5, 0.5, 1.0)
    assert section["edges"] == 2
    party = facts["party:petitioner"]
    assert (party["span"], party["spans"], party["verdict"]) == (None, [], "not tried")
    age = facts["numerical:age:1"]
    assert age["detail"] == {"kind": "age", "value": 17.0, "unit": "years", "context": "accused"}


def test_a_precedent_carries_its_reasons_and_its_trace() -> None:
    first = analysis_document(result())["precedents"][0]
    assert first["reasons"][0]["quote"]["text"] == "The blow <b>was</b> | not \\ premeditated."
    assert list(first["stages"]) == ["dpr", "rerank"]
    assert first["why"] == "It answers to IPC-302."


def test_only_timings_may_differ_between_two_runs() -> None:
    one, two = analysis_document(result()), analysis_document(result())
    two["timings"] = {"root": 9.0}
    assert json_text({**one, "timings": {}}) == json_text({**two, "timings": {}})


def test_the_tree_file_that_the_analysis_names_is_written(tmp_path: Path) -> None:
    write_reports(result(), tmp_path)
    named = json.loads((tmp_path / "analysis.json").read_text(encoding="utf-8"))["tree"]
    assert (tmp_path / named).is_file()


# figures and texts


@given(st.recursive(st.floats(-1e6, 1e6), lambda inner: st.lists(inner) | st.tuples(inner)))
def test_rounding_reaches_every_depth_and_is_done_once(value: Any) -> None:
    assert rounded(rounded(value)) == rounded(value)
    json.dumps(rounded(value), allow_nan=False)


def test_rounding_to_nine_decimals() -> None:
    assert rounded({"a": (1 / 3, -0.0)}) == {"a": [0.333333333, 0.0]}
    assert str(rounded(-0.0)) == "0.0"


@pytest.mark.parametrize("figure", [float("nan"), float("inf"), -float("inf")])
def test_a_figure_that_is_none_is_never_written(figure: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        rounded({"x": [figure]})


def test_an_escape_sequence_in_a_judgment_stays_text() -> None:
    assert plain("a\x1b[31mred\x1b[0m\nb\u202ec") == "a [31mred [0m b c"


@given(st.text())
def test_no_text_keeps_a_character_that_steers_a_terminal(text: str) -> None:
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", plain(text))


@given(st.text())
def test_no_text_becomes_markup_in_the_report(text: str) -> None:
    escaped = inline(text)
    assert "\n" not in escaped
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]<>|~#]", escaped)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12. The appeal fails", "12\\. The appeal fails"),
        ("- item", "\\- item"),
        ("<script>", "\\<script\\>"),
        ("A & B", "A &amp; B"),
        ("Section 302 IPC", "Section 302 IPC"),
    ],
)
def test_markdown_escapes(text: str, expected: str) -> None:
    assert inline(text) == expected


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
    made = PerturbationTree(SHEET, Settings())
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


def test_ids_with_blanks_do_not_break_the_run() -> None:
    assert trec_id("plain-id_1.txt") == "plain-id_1.txt"
    assert trec_id("my case 50%") == "my%20case%2050%25"


# words


@pytest.mark.parametrize(
    ("mean", "word"),
    [(0.0, "none"), (0.2, "slight"), (1.2, "slight to moderate"), (1.5, "moderate"),
     (3.0, "moderate"), (3.01, "substantial")],
)  # fmt: skip
def test_how_a_displacement_is_read(mean: float, word: str) -> None:
    assert size_of_move(mean) == word


@given(st.integers(1, 20))
def test_a_full_bar_is_two_lists_with_nothing_in_common(k: int) -> None:
    left, right = [f"a{i}" for i in range(k)], [f"b{i}" for i in range(k)]
    assert mean_rank_displacement(left, right, k).mean == pytest.approx(disjoint(k))


def test_the_headline_names_the_facts_that_carry_the_case() -> None:
    assert headline(result().analysis) == (
        "1 of 2 measured facts carries this case: "
        "section 302 IPC (punishment for murder) (1.50 places)."
    )


def test_the_headline_of_a_stopped_analysis_says_so() -> None:
    assert headline(result(complete=False).analysis).endswith("this is part of the picture.")


def test_every_verdict_and_type_has_words() -> None:
    assert tuple(kind for kind, _ in TYPE_NAMES) == FACT_TYPES
    assert {fact["verdict"] for fact in analysis_document(result())["facts"]} <= dict(
        VERDICTS
    ).keys()


def test_the_outline_follows_a_state_once() -> None:
    lines = outline(tree())
    assert [line.depth for line in lines] == [1, 2, 1, 1]
    assert [line.figure for line in lines] == ["1.50", "1.33", "0.00", "–"]
    assert [line.note for line in lines] == ["", "", "pruned", "refused: Nobody is 200 years old."]


# report.md


def test_the_report_answers_first_and_warns() -> None:
    text = markdown_report(result())
    assert text.index("carries this case") < text.index("## ")
    assert "No legal advice is given here." in text
    assert "1 change of words" in text
    assert (
        "| section 302 IPC (punishment for murder) | Provisions cited | 1.50 | 2 | 0.50 |" in text
    )
    assert "(not measured)" in text
    assert "made-case-reported" in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_the_report_escapes_what_the_case_and_the_judgments_say() -> None:
    text = markdown_report(result())
    assert text.startswith("# A \\*bold\\* \\[title\\] v. \\<State\\>\n")
    assert "> The blow \\<b\\>was\\</b\\> \\| not \\\\ premeditated." in text


def test_the_report_of_a_stopped_analysis_says_so() -> None:
    assert "was stopped before it was finished" in markdown_report(result(complete=False))
    assert "was stopped before it was finished" not in markdown_report(result())


def test_a_report_without_null_edits_says_that_the_noise_is_not_known() -> None:
    assert "it is not known how far the list moves" in markdown_report(result(nulls=()))


# the terminal


@pytest.mark.parametrize("width", [80, 120])
def test_the_terminal_holds_its_width_and_says_everything(width: int) -> None:
    text = shown(width)
    assert max(map(len, text.splitlines())) <= width
    assert text.split("\n")[1].startswith("1 of 2 measured facts carries this case")
    for word in ("Case A v. State", "dispositive", "not tried", "not measured", "(pruned)"):
        assert word in text
    assert "A *bold* [title] v. <State>" in text


def test_a_pipe_gets_no_escape_sequences() -> None:
    assert "\x1b" not in shown(80)
    assert "\x1b" in shown(80, colour=True)


def test_a_terminal_without_unicode_gets_plain_bars() -> None:
    text = shown(80, encoding="ascii")
    assert "###" in text
    assert "1.50" in text


# writing


def test_all_reports_are_written_and_two_runs_agree(tmp_path: Path) -> None:
    one = write_reports(result(), tmp_path / "a" / "b")
    two = write_reports(result(), tmp_path / "c")
    assert [path.name for path in one] == FILES
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == sorted(FILES)
    for left, right in zip(one, two, strict=True):
        assert left.read_bytes() == right.read_bytes()
        assert left.read_bytes().endswith(b"\n")


def test_writing_again_overwrites(tmp_path: Path) -> None:
    write_files(tmp_path, {"x.txt": "old"})
    [path] = write_files(tmp_path, {"x.txt": "new"})
    assert path.read_text() == "new"


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"a.txt": "old", "b.txt": "old"})
    calls = []

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(write.os, "fsync", full)
    with pytest.raises(StoreError, match=r"No space left.*--out"):
        write_files(tmp_path, {"a.txt": "new", "b.txt": "new"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "a.txt": "old",
        "b.txt": "old",
    }


def test_a_file_where_the_folder_should_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(StoreError, match="out"):
        write_reports(result(), tmp_path / "out")


def test_json_keeps_letters_and_order() -> None:
    assert json_text({"b": "ज़मीन", "a": 1}) == '{\n "b": "ज़मीन",\n "a": 1\n}\n'
