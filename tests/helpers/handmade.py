"""A small analysis made by hand, for tests of what is done with one."""

from __future__ import annotations

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
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
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


SHEET = FactSheet(
    "made-case",
    NARRATIVE,
    (
        Fact("section:IPC-302", "Section", SectionValue("IPC-302"), (span("Section 302 IPC"),)),
        Fact("party:petitioner", "PartyType", PartyValue("petitioner", "Individual")),
        Fact(
            "evidence:dying_declaration:1",
            "Evidence",
            EvidenceValue("dying_declaration", "told her brother"),
            (span("dying declaration"),),
        ),
        Fact(
            "numerical:age:1",
            "Numerical",
            NumericalValue("age", 17.0, "years", "accused"),
            (span("17 years"),),
        ),
    ),
    title="A *bold* [title] v. <State>",
)


def _edit(fact_id: str, new: str, words: str, text: str, rule: str, null: bool = False) -> Edit:
    fact = SHEET.fact(fact_id)
    where = span(words)
    return Edit(
        fact_id=fact_id,
        fact_type=fact.fact_type,
        original_value=str(fact.value),
        perturbed_value=new,
        rule=rule,
        provision="IPC-302",
        new_value=fact.value if null else (SectionValue(new) if "IPC" in new else None),
        replacements=(Replacement(where.start, where.end, text),),
        null=null,
    )


SECTION = _edit("section:IPC-302", "IPC-304A", "Section 302 IPC", "Section 304A IPC", "section.x")
EVIDENCE = _edit(
    "evidence:dying_declaration:1", "", "She made a dying declaration. ", "", "evidence.removal"
)
ADDED = Edit(
    fact_id="evidence:medical:added",
    fact_type="Evidence",
    original_value="",
    perturbed_value="medical",
    rule="evidence.addition",
    provision="IEA-45",
    new_value=EvidenceValue("medical", "a post-mortem report"),
    replacements=(Replacement(len(NARRATIVE), len(NARRATIVE), " There is a post-mortem report."),),
)
AGE = _edit("numerical:age:1", "", "17 years", "200 years", "numerical.age")
NULL = _edit(
    "section:IPC-302", "s. 302 IPC", "Section 302 IPC", "s. 302 IPC", "null.form", null=True
)


def ranking(*case_ids: str) -> Ranking:
    """A ranking of these cases, with scores 3, 2, 1."""
    results = tuple(
        RankedCase(
            case_id=case_id,
            case=at,
            rank=at + 1,
            score=3.0 - at + 1e-12,
            stages={"dpr": StageScore(at + 1, 0.1), "rerank": StageScore(at + 1, 3.0 - at)},
            matches=(Match(0, at, 1.5),),
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
    complete: bool = True,
    nulls: tuple[NullMove, ...] = (NullMove(NULL, 0.5),),
    added: bool = False,
) -> Result:
    """The tree above as an analysis with its explanations."""
    grown = tree(added)
    tried = (SECTION, EVIDENCE, AGE, ADDED) if added else (SECTION, EVIDENCE, AGE)
    reach = tuple(edit.fact_id for edit in tried)
    root = grown.root.ranking
    assert root is not None
    return Result(
        analysis=Analysis(
            sheet=SHEET,
            tree=grown,
            nulls=nulls,
            sensitivity=compute_sensitivity_scores(grown),
            facts=fact_sensitivities(SHEET, grown, tried, reach, nulls, 1.0),
            excluded=("made-case-reported",),
            edits=tried,
            complete=complete,
            timings={"root": 0.1, "tree": 1 / 3},
        ),
        precedents=tuple(_precedent(found) for found in root.results),
        changes=(_change(grown),),
        manifest=MANIFEST,
        models=MODELS,
        settings=SETTINGS,
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


def _change(grown: PerturbationTree) -> ChangeExplanation:
    edge = next(grown.edges())
    assert edge.displacement is not None
    return ChangeExplanation(
        source=edge.source,
        target=edge.target,
        edit_id=edge.edit.edit_id,
        mean_displacement=edge.displacement.mean,
        left=(MovedCase("a", "Case A v. State", 1, None, QUOTE, -1.5),),
        came=(MovedCase("d", "Case D v. State", None, 3, None, 0.0),),
        moved=(),
        sentences=("The provision changed: section 302 IPC → section 304A IPC.",),
    )
