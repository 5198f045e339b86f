"""The shape of the package: imports run one way, rooms stay small, light paths stay light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

from countercase.evaluation import validity
from countercase.evaluation.counterfactual import labels
from countercase.evaluation.faithfulness import sentences
from countercase.evaluation.planted import calibrate
from countercase.evaluation.retrieval import systems

PACKAGE = Path(__file__).resolve().parents[1] / "countercase"
LAYERS = (
    {"cli", "web", "reports", "api", "case_folder", "__main__"},
    {"evaluation"},
    {"session"},
    {"explanation"},
    {"counterfactual"},
    {"retrieval"},
    {"salience"},
    {"corpus"},
    {"fact_types"},
    {"facts"},
    {"encoders"},
    {"law"},
    {"text"},
    {"config", "engines", "errors", "integrity", "io", "llm", "locks", "registry"},
)
"""From the top down; a module may import its own layer and those below."""

MODULES = {
    ".".join(("countercase", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
"""Every module of the package by its dotted name."""


def layer_of(module: str) -> int:
    top = module.split(".")[1]
    for number, members in enumerate(LAYERS):
        if top in members:
            return number
    raise AssertionError(f"{module} has no layer")


def imports_of(path: Path) -> set[str]:
    """Modules of the package that a file imports, wherever in the file it does so."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                modules.add(submodule if submodule in MODULES else node.module)
        elif isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
    return {module for module in modules if module in MODULES and module != "countercase"}


@pytest.mark.parametrize("module", [name for name in MODULES if name != "countercase"])
def test_no_module_imports_upwards(module: str) -> None:
    here = layer_of(module)
    upwards = {name for name in imports_of(MODULES[module]) if layer_of(name) < here}
    assert not upwards


def import_graph() -> nx.DiGraph[str]:
    """An edge from each module of the package to each that it imports."""
    graph = nx.DiGraph()
    for module, path in MODULES.items():
        if module != "countercase":  # its names are found when they are first asked for
            graph.add_edges_from((module, target) for target in imports_of(path))
    return graph


def test_no_circle_of_imports_with_lazy_ones_counted() -> None:
    graph = import_graph()
    circles = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    assert circles == []


DECIDES_NOTHING = LAYERS[-1] - {"llm"}
"""Parts that change no stored result: the settings have a fingerprint of their own."""
RANK = ("session", "salience.facts", "retrieval.hybrid")


@pytest.mark.parametrize(
    ("code", "entries"),
    [
        (systems.CODE, (*RANK, "evaluation.retrieval.systems")),
        (labels.CODE, (*RANK, "counterfactual.analysis")),
        (calibrate.CODE, (*RANK, "counterfactual.analysis", "evaluation.planted.calibrate",
                          "evaluation.planted.generate", "evaluation.planted.texts")),
        (validity.CODE, (*RANK, "counterfactual.states", "evaluation.validity")),
        (sentences.CODE, (*RANK, "counterfactual.analysis", "explanation.precedent",
                                 "explanation.change", "evaluation.faithfulness.sentences")),
    ],
    ids=["rankings", "analyses", "planted worlds", "sentences", "explanations"],
)  # fmt: skip
def test_what_a_stored_result_rests_on_is_listed(
    code: tuple[str, ...], entries: tuple[str, ...]
) -> None:
    """A result is stored under the text of the parts in `CODE`; other text, another result."""
    listed = [PACKAGE / part for part in code]
    assert all(part.exists() for part in listed)
    graph, own = import_graph(), {f"countercase.{entry}" for entry in entries}
    graph.remove_edges_from(list(graph.out_edges("countercase.session")))  # it opens everything
    reached = own.union(*(nx.descendants(graph, entry) for entry in own))
    decide = {
        module
        for module in reached
        if module in own or module.split(".")[1] not in DECIDES_NOTHING | {"evaluation"}
    }
    missing = {
        module
        for module in decide
        if not any(MODULES[module].is_relative_to(part) for part in listed)
    }
    assert missing == set()


def test_no_folder_holds_more_than_sixteen_modules() -> None:
    sizes = Counter(path.parent for path in MODULES.values() if path.name != "__init__.py")
    assert {str(folder): size for folder, size in sizes.items() if size > 16} == {}


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_is_longer_than_350_lines() -> None:
    assert {name: n for name, path in MODULES.items() if (n := lines_of(path)) > 350} == {}


MOST_LINES = {
    "": 1_976,
    "text law facts fact_types": 9_907,
    "corpus encoders salience retrieval": 7_625,
    "counterfactual explanation": 3_425,
    "evaluation": 6_918,
    "reports web cli engines": 7_722,
}
"""Lines of Python that some folders of the package may hold together; "" for its own modules.

A ceiling never rises. 30,000 in all is where they go.
"""


@pytest.mark.parametrize("folders", MOST_LINES)
def test_folders_do_not_grow(folders: str) -> None:
    own = folders.split() or [""]
    lines = sum(
        lines_of(path)
        for path in MODULES.values()
        if (path.relative_to(PACKAGE).parts[:-1] or ("",))[0] in own
    )
    assert lines <= MOST_LINES[folders]


def test_every_folder_has_a_ceiling() -> None:
    folders = {
        path.relative_to(PACKAGE).parts[0] for path in MODULES.values() if path.parent != PACKAGE
    }
    assert folders == {name for folders in MOST_LINES for name in folders.split()}


def loaded_by(statement: str) -> set[str]:
    """Top-level packages that a statement loads in a fresh interpreter."""
    code = f"import sys\n{statement}\nprint(*sorted(m.split('.')[0] for m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_by("import countercase") & {"numpy", "torch", "spacy", "pydantic", "networkx"}


def test_opening_the_retriever_and_a_complete_case_needs_neither_torch_nor_spacy() -> None:
    case = PACKAGE.parent / "examples" / "sudden-fight.json"
    statement = (
        "import countercase.session; from countercase.facts.case_file import read_case; "
        f"read_case({str(case)!r})"
    )
    assert not loaded_by(statement) & {"torch", "spacy", "transformers", "chromadb", "pypdf"}
