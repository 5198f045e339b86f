"""CounterCase: which facts of a case decide which precedents it gets, and how sure one can be.

>>> import countercase as cc
>>> result = cc.analyze("case.json")            # doctest: +SKIP
>>> result.to_frame()                           # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from countercase.api import Result, analyze, edits, evaluate, grow, null_edits
    from countercase.counterfactual.displacement import displacement
    from countercase.counterfactual.tree import PerturbationTree
    from countercase.facts.case_file import read_case
    from countercase.facts.extraction import extract
    from countercase.facts.model import FactSheet
    from countercase.registry import register
    from countercase.retrieval.base import Filters
    from countercase.retrieval.hybrid import HybridRetriever

__version__ = "0.1.0"
__all__ = [
    "FactSheet", "Filters", "HybridRetriever", "PerturbationTree", "Result", "__version__",
    "analyze", "displacement", "edits", "evaluate", "extract", "grow", "null_edits", "read_case",
    "register",
]  # fmt: skip

_HOMES = {
    **dict.fromkeys(("Result", "analyze", "edits", "evaluate", "grow", "null_edits"), "api"),
    "displacement": "counterfactual.displacement",
    "PerturbationTree": "counterfactual.tree",
    "read_case": "facts.case_file",
    "extract": "facts.extraction",
    "FactSheet": "facts.model",
    "register": "registry",
    "Filters": "retrieval.base",
    "HybridRetriever": "retrieval.hybrid",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `countercase --help` starts quickly."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'countercase' has no attribute {name!r}")
    return getattr(importlib.import_module(f"countercase.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
