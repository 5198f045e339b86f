"""CounterCase: which facts of a case decide which precedents it gets, and how sure one can be.

>>> import countercase
>>> result = countercase.analyze("case.json")            # doctest: +SKIP
>>> result.analysis.sensitivity                          # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from countercase.api import analyze
    from countercase.counterfactual.tree import PerturbationTree
    from countercase.facts.model import FactSheet
    from countercase.retrieval.hybrid import HybridRetriever

__version__ = "0.1.0"
__all__ = ["FactSheet", "HybridRetriever", "PerturbationTree", "analyze"]

_HOMES = {
    "analyze": "countercase.api",
    "PerturbationTree": "countercase.counterfactual.tree",
    "FactSheet": "countercase.facts.model",
    "HybridRetriever": "countercase.retrieval.hybrid",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for, so that `countercase --help` is quick."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'countercase' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
