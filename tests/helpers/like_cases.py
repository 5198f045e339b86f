"""Labelled criminal cases made by hand, for tests of the evaluation of similar cases."""

from __future__ import annotations

from typing import Any

from countercase.evaluation.benchmarks.similar_cases import CaseRecord, Labels, Term


def case(
    name: str, months: float = 12, charge: str = "盗窃", article: str = "264", fact: str = ""
) -> CaseRecord:
    labels = Labels(frozenset({charge}), frozenset({article}), Term(imprisonment=months))
    return CaseRecord(fact or f"被告人{name}的案件。", labels, name)


def row(name: str, months: int = 12, charge: str = "盗窃", article: int = 264) -> dict[str, Any]:
    term = {"death_penalty": False, "imprisonment": months, "life_imprisonment": False}
    meta = {"accusation": [charge], "relevant_articles": [article], "term_of_imprisonment": term}
    fact = f"被告人{name}被指控{charge}，构成{charge}罪，应以{charge}罪处罚。" + "另查明。" * 30
    return {"fact": fact, "meta": meta}
