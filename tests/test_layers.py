"""Imports run one way, and light paths stay light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "countercase"
LAYERS = (
    {"cli", "web", "reports", "api", "__main__"},
    {"evaluation"},
    {"session"},
    {"explanation"},
    {"counterfactual"},
    {"retrieval"},
    {"corpus", "encoders"},
    {"fact_types"},
    {"facts"},
    {"law"},
    {"text"},
    {"config", "errors", "io", "llm", "registry"},
)
"""From the top down; a module may import its own layer and those below."""


def layer_of(name: str) -> int:
    for number, members in enumerate(LAYERS):
        if name in members:
            return number
    raise AssertionError(f"countercase.{name} has no layer")


def imported(path: Path) -> set[str]:
    """First-level parts of `countercase` that a file imports at run time, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        found |= {name.split(".")[1] for name in names if name.startswith("countercase.")}
    return found


@pytest.mark.parametrize(
    "path",
    [p for p in sorted(PACKAGE.rglob("*.py")) if p != PACKAGE / "__init__.py"],
    ids=lambda p: str(p.relative_to(PACKAGE)),
)
def test_no_module_imports_upwards(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    here = layer_of(parts[0].removesuffix(".py"))
    upwards = {name for name in imported(path) if layer_of(name) < here}
    assert not upwards, f"imports {upwards}"


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sorted(m.split('.')[0] for m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_by("import countercase") & {"numpy", "torch", "spacy", "pydantic", "networkx"}


def test_opening_the_retriever_needs_neither_torch_nor_spacy() -> None:
    statement = "import countercase.session, countercase.facts.case_file"
    assert not loaded_by(statement) & {"torch", "spacy", "transformers", "chromadb"}
