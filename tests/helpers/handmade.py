"""A small analysis made by hand, for tests of what is done with one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from countercase.config import Settings
from countercase.corpus.index.snapshot import Manifest
from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.sensitivity import (
    NullMove,
    compute_sensitivity_scores,
    fact_sensitivities,
)
from countercase.counterfactual.states import State
from countercase.counterfactual.tree import Edge, Node, PerturbationTree, Status
from countercase.explanation.model import (
    ChangeExplanation,
    MovedCase,
    PrecedentExplanation,
    Quote,
    Reason,
)
from countercase.facts.edits import BY_HAND, RESTATE, STATED, Edit, Operation
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    FactTypeName,
    FactValue,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.retrieval.base import Match, Query, RankedCase, Ranking, StageScore
from countercase.session import Result
from countercase.text.spans import Span

NARRATIVE = (
    "He was charged under Section 302 IPC. She made a dying declaration. He was 17 years old."
)
SETTINGS = Settings(TOP_K=3, DEPTH=2, DISPOSITIVE_THRESHOLD=1.0)
MANIFEST = Manifest("made", 4, 9, 200, {"sentence": "f0", "passage": "f0"}, "ab" * 32)
MODELS = {"sentence": "f0", "question": "f1", "passage": "f0", "cross": "f2"}


def span(words: str) -> Span:
    """Where `words` stand in the narrative."""
    start = NARRATIVE.index(words)
    return Span(start, start + len(words))


def fact(fact_id: str, kind: FactTypeName, value: FactValue, words: str = "") -> Fact:
    """A fact with its place, where it has one."""
    return Fact(fact_id, kind, value, (span(words),) if words else ())


CHARGE = fact("section:IPC-302", "Section", SectionValue("IPC-302"), "Section 302 IPC")
PERSON = fact("party:petitioner", "PartyType", PartyValue("petitioner", "Individual"))
TOLD = fact(
    "evidence:dying_declaration:1",
    "Evidence",
    EvidenceValue("dying_declaration", "told her brother"),
    "dying declaration",
)
YEARS = NumericalValue("age", 17.0, "years", "accused")
OLD = fact("numerical:age:1", "Numerical", YEARS, "17 years")
SHEET = FactSheet(
    "made-case", NARRATIVE, (CHARGE, PERSON, TOLD, OLD), title="A *bold* [title] v. <State>"
)


def edit(of: Fact, operation: Operation, after: FactValue | None, rule: str, **said: Any) -> Edit:
    """An edit of a fact."""
    return Edit(of.fact_id, of.fact_type, operation, of.value, after, rule=rule, **said)


SECTION = edit(
    CHARGE,
    "replace",
    SectionValue("IPC-304A"),
    "death by negligence",
    provision="IPC-304A",
    supposition="Suppose section 304A IPC were charged instead of section 302 IPC.",
    reason="Section 304A needs no intention.",
)
GONE = "Suppose nothing were known of a dying declaration."
EVIDENCE = edit(TOLD, "remove", None, "removal", provision="IEA-32", supposition=GONE)
ADDED = Edit(
    "evidence:medical:added",
    "Evidence",
    "add",
    before=None,
    after=EvidenceValue("medical", "a post-mortem report"),
    provision="IEA-45",
    rule="medical evidence",
    supposition="Suppose there were a post-mortem report.",
)
AGED = "Suppose the accused had been 200 years old."
AGE = edit(OLD, "replace", replace(YEARS, value=200.0), "age", supposition=AGED)
BY_HAND_EDIT = Edit(
    "statement:the-moon",
    STATED,
    "add",
    before=None,
    after="The moon was full.",
    rule=BY_HAND,
    supposition="Suppose the moon was full.",
    note="It is put to no fact.",
)
RESTATED = "The charge is under s. 302 IPC."
NULL = edit(CHARGE, RESTATE, CHARGE.value, RESTATE, supposition=RESTATED, template=1)


def ranking(*case_ids: str) -> Ranking:
    """A ranking of these cases, with scores 3, 2, 1."""
    results = tuple(
        RankedCase(
            case_id=case_id,
            case=at,
            rank=at + 1,
            score=3.0 - at + 1e-12,
            stages={"dpr": StageScore(at + 1, 0.1), "rerank": StageScore(at + 1, 3.0 - at)},
            found=(Match(0, at, 1.5),),
        )
        for at, case_id in enumerate(case_ids)
    )
    return Ranking(Query((NARRATIVE,)), results, 3)


def tree(added: bool = False) -> PerturbationTree:
    """Root, one expanded child with a leaf, a pruned child, a rejected one; two paths to the leaf.

    Displacements: the section edit 6/4 twice, the evidence edit 0 and 4/3; with `added`, evidence
    that an edit adds moves every precedent: 12/6.
    """
    made = PerturbationTree(SHEET, SETTINGS.tree())
    one, two = State.of([SECTION]), State.of([EVIDENCE])
    both, refused = State.of([SECTION, EVIDENCE]), State.of([AGE])
    rankings = {
        "root": ranking("a", "b", "c"),
        one.state_id: ranking("b", "c", "d"),
        two.state_id: ranking("a", "b", "c"),
        both.state_id: ranking("d", "b", "c"),
    }

    def put(state: State, status: Status, depth: int, reason: str = "") -> None:
        made.put(Node(state, status, depth, rankings.get(state.state_id), reason))

    put(State(), "root", 0)
    put(one, "expanded", 1)
    put(two, "pruned", 1)
    put(refused, "rejected", 1, "Nobody is 200 years old.")
    put(both, "leaf", 2)
    paths = (
        ("root", one, SECTION),
        ("root", two, EVIDENCE),
        (one.state_id, both, EVIDENCE),
        (two.state_id, both, SECTION),
    )
    for source, target, edit in paths:
        before, after = rankings[source], rankings[target.state_id]
        moved = displacement(before.case_ids, after.case_ids, 3)
        made.connect(Edge(source, target.state_id, edit, moved))
    made.connect(Edge("root", refused.state_id, AGE, None))
    if added:
        ranked = ranking("x", "y", "z")
        state = State.of([ADDED])
        made.put(Node(state, "leaf", 1, ranked))
        moved = displacement(rankings["root"].case_ids, ranked.case_ids, 3)
        made.connect(Edge("root", state.state_id, ADDED, moved))
    made.complete = True
    return made


QUOTE = Quote("a#00001", "The blow <b>was</b> | not \\ premeditated.", "holding", 12, 0)


def result(
    complete: bool = True, nulls: tuple[NullMove, ...] = (NullMove(NULL, 0.5),), added: bool = False
) -> Result:
    """The tree above as an analysis with its explanations."""
    grown = tree(added)
    tried = (SECTION, EVIDENCE, AGE, ADDED) if added else (SECTION, EVIDENCE, AGE)
    measurable = tuple(edit.fact_id for edit in tried)
    root = grown.root.ranking
    assert root is not None
    return Result(
        analysis=Analysis(
            sheet=SHEET,
            tree=grown,
            nulls=nulls,
            sensitivity=compute_sensitivity_scores(grown),
            facts=fact_sensitivities(SHEET, grown, tried, measurable, nulls, 1.0),
            excluded=("made-case-reported",),
            edits=tried,
            complete=complete,
            timings={"root": 0.1, "tree": 1 / 3},
        ),
        precedents=tuple(_precedent(found) for found in root.results),
        changes=_changes(grown),
        manifest=MANIFEST,
        models=MODELS,
        settings=SETTINGS,
        titles={it: f"Case {it.upper()} v. State" for it in "abcd"},
    )


def _precedent(found: RankedCase) -> PrecedentExplanation:
    reason = Reason(("section:IPC-302",), ("IPC-302",), ("IPC-302",), NARRATIVE, QUOTE, 1.5, 0.75)
    return PrecedentExplanation(
        case_id=found.case_id,
        title=f"Case {found.case_id.upper()} v. State",
        date="1996-02-07",
        court="Supreme Court of India",
        docket="Criminal Appeal No. 1 of 1990",
        outcome="dismissed",
        rank=found.rank,
        score=found.score,
        reasons=(reason,),
        sentences=("It speaks of IPC-302 too.",),
    )


def with_by_hand(made: Result) -> Result:
    """The result with a what-if that a user worded, in which no fact was read; it moves nothing."""
    grown, state = made.tree, State.of([BY_HAND_EDIT])
    root = grown.root.ranking
    assert root is not None
    grown.put(Node(state, "by_hand", 1, root, BY_HAND_EDIT.note))
    moved = displacement(root.case_ids, root.case_ids, 3)
    grown.connect(Edge("root", state.state_id, BY_HAND_EDIT, moved))
    return replace(made, changes=_changes(grown))


def _changes(grown: PerturbationTree) -> tuple[ChangeExplanation, ...]:
    """The measured edges from the root; of the first, what goes out and what comes in."""
    out = (MovedCase("a", "Case A v. State", 1, None, QUOTE, -1.5),)
    came = (MovedCase("d", "Case D v. State", None, 3, None, 0.0, False, "whether he meant it"),)
    return tuple(
        ChangeExplanation(
            source=edge.source,
            target=edge.target,
            edit_id=edge.edit.edit_id,
            fact_id=edge.edit.fact_id,
            supposition=edge.edit.supposition,
            by_hand=edge.edit.by_hand,
            mean_displacement=move.mean,
            left=out if edge.edit is SECTION else (),
            came=came if edge.edit is SECTION else (),
            moved=(),
            sentences=(edge.edit.supposition,),
        )
        for edge, move in grown.measured()
        if edge.source == "root"
    )
