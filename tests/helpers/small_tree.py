"""A case of three facts, an edit of each, and a ranking function whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence

from countercase.config import TreeSettings
from countercase.counterfactual.lawful import Verdict
from countercase.counterfactual.states import Renderer, StateSearch
from countercase.counterfactual.tree import PerturbationTree
from countercase.facts.edits import Edit
from countercase.facts.model import Fact, FactSheet, FactValue, NumericalValue, SectionValue
from countercase.retrieval.base import Query
from countercase.retrieval.foreign import FunctionRetriever, RankingFunction
from countercase.text.spans import Span

NARRATIVE = "He was charged under section 302 IPC. He was 16 years old. He was fined Rs. 500."


def span(words: str) -> Span:
    """Where `words` stand in the narrative."""
    start = NARRATIVE.index(words)
    return Span(start, start + len(words))


SHEET = FactSheet(
    "case",
    NARRATIVE,
    (
        Fact("section:IPC-302", "Section", SectionValue("IPC-302"), (span("section 302 IPC"),)),
        Fact("numerical:age:1", "Numerical", NumericalValue("age", 16, "years"), (span("16 years"),)),
        Fact("numerical:amount:1", "Numerical", NumericalValue("amount", 500, "INR"), (span("Rs. 500"),)),
    ),
)  # fmt: skip


def edit_to(fact_id: str, after: FactValue | None) -> Edit:
    """The edit that gives a fact another value, or takes it out."""
    fact = SHEET.fact(fact_id)
    operation = "remove" if after is None else "replace"
    said = f"Suppose {fact_id} were {after}."
    return Edit(fact_id, fact.fact_type, operation, fact.value, after, "IPC-302", "rule", said)  # type: ignore[arg-type]


SECTION = edit_to("section:IPC-302", SectionValue("IPC-304A"))
AGE = edit_to("numerical:age:1", NumericalValue("age", 19, "years"))
AMOUNT = edit_to("numerical:amount:1", NumericalValue("amount", 5_000, "INR"))
EDITS = [SECTION, AGE, AMOUNT]
BASE = list("ABCDEFGHIJ")


def ranked(queries: Sequence[Query]) -> list[list[str]]:
    """304A turns the list round; 19 years swaps two and brings in X and Y; an amount does nothing."""
    rankings = []
    for query in queries:
        ids = BASE[::-1] if "304A" in query.text else list(BASE)
        if "19 years" in query.text:
            ids[0], ids[1] = ids[1], ids[0]
            ids[2:] = [*ids[4:], "X", "Y"]
        rankings.append(ids)
    return rankings


class Accepting:
    """Objects to nothing."""

    def judge(self, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
        """Find every state plausible."""
        return Verdict(True, "fine", "test")


class RefusingAges:
    """Objects to every state in which the age is another."""

    def judge(self, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
        """Find a state plausible where its age is that of the case."""
        return Verdict(all(e.fact_id != AGE.fact_id for e in edits), "not that age", "test")


def search_with(function: RankingFunction = ranked) -> StateSearch:
    """What ranks the states of the case by a function."""
    return StateSearch(Renderer(SHEET), FunctionRetriever(function))


def grown(
    validator: Accepting | RefusingAges | None = None,
    edits: Sequence[Edit] = EDITS,
    function: RankingFunction = ranked,
    **settings: int,
) -> PerturbationTree:
    """The tree of the case."""
    tree = PerturbationTree(SHEET, TreeSettings(**settings))
    tree.grow(edits, search_with(function), validator or Accepting())
    return tree
