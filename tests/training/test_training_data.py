"""What training reads: never the evaluation sets."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = sorted((ROOT / "training").glob("*.py")) + sorted(
    (ROOT / "countercase" / "salience").glob("*.py")
)


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.name)
def test_training_code_opens_no_evaluation_set(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in ("eval_sets", "evaluation.sets"):
        assert name not in text
