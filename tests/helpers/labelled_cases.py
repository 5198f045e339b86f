"""A labelled case on the sheet of `handmade`, for tests of the counterfactual evaluation."""

from __future__ import annotations

from typing import Any

from handmade import SHEET

from countercase.evaluation.sets import CounterfactualCase


def label(fact_id: str, fact_type: str, value: str) -> dict[str, str]:
    why = {"reason": "So the law has it.", "basis": "IPC-302"}
    return {"fact_id": fact_id, "fact_type": fact_type, "value": value, **why}


SECTION = label("section:IPC-302", "Section", "IPC-302")
PARTY = label("party:petitioner", "PartyType", "petitioner: Individual")
EVIDENCE = label("evidence:dying_declaration:1", "Evidence", "dying declaration")
AGE = label("numerical:age:1", "Numerical", "17 years (accused)")


def case(**changes: Any) -> CounterfactualCase:
    """The sheet of `handmade` as a labelled case: section and age matter, the rest does not."""
    kinds = ("Section", "PartyType", "Evidence", "Numerical")
    values = {
        "case_id": "made-case",
        "area": "homicide",
        "title": "",
        "narrative": SHEET.narrative,
        "fact_sheet": {
            "parties": {"petitioner": {"name": "", "type": "Individual"}},
            "sections_cited": ["IPC-302"],
            "evidence_items": [
                {"evidence_type": "dying_declaration", "description": "told her brother"}
            ],
            "numerical_facts": {
                "amounts": [],
                "ages": [{"value": 17, "descriptor": "accused"}],
                "durations": [],
                "quantities": [],
            },
        },
        "dispositive_facts": [SECTION, AGE],
        "non_dispositive_facts": [EVIDENCE, PARTY],
        "dispositive_types": [{"fact_type": "Section", "reason": "The offence."}],
        "non_dispositive_types": [{"fact_type": "PartyType", "reason": "Any person."}],
        "expert_importance_ranking": {kind: rank for rank, kind in enumerate(kinds, start=1)},
        "ranking_reason": "The offence first.",
        "design": "plain",
    }
    return CounterfactualCase.model_validate(values | changes)
