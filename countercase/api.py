"""The one call that a notebook needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from countercase.config import load_settings
from countercase.facts.model import FactSheet
from countercase.session import CASEBOOK, Result, open_session


def analyze(case: str | Path | FactSheet, corpus: str = CASEBOOK, **settings: Any) -> Result:
    """Measure which facts of a case move its precedents.

    Args:
        case: a `.json`, `.txt` or `.pdf` file, or a fact sheet.
        corpus: name of an indexed corpus; the shipped casebook by default.
        settings: settings by name, such as `TOP_K=20`; they win over `settings.py`.

    Raises:
        CounterCaseError: the case, the corpus or a setting cannot be used; the message says why.
    """
    from countercase.facts.case_file import read_case

    chosen = load_settings(**settings)
    sheet = case if isinstance(case, FactSheet) else read_case(case, tagger=chosen.FACT_TAGGER)
    return open_session(chosen, corpus).analyze(sheet)
