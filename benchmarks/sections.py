"""Accuracy of section labels on judgments whose sentences were labelled by hand.

Run `python benchmarks/sections.py --data DIR [--json]`, where `DIR` holds
`rhetorical_roles/lawai50/*.txt`: one sentence and its rhetorical role a line, parted by a tab
(Bhattacharya et al., JURIX 2019, published at github.com/Law-AI/semantic-segmentation).

The files are sorted by the SHA-256 of their names. The cues were chosen and weighted on the first
half; the second half is the result. Roles and labels are brought to four classes: facts (with the
ruling of the lower court), arguments, analysis (ratio, precedent, statute) and ruling (of the
present court). The label `holding` is read once as analysis, since it is the ratio that it picks
out, and once as ruling.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from countercase.corpus.judgment.sections import label_sections
from countercase.errors import CounterCaseError, InputError

CLASSES: Final = ("facts", "arguments", "analysis", "ruling")
ROLES: Final = {
    "Facts": "facts",
    "Ruling by Lower Court": "facts",
    "Argument": "arguments",
    "Ratio of the decision": "analysis",
    "Precedent": "analysis",
    "Statute": "analysis",
    "Ruling by Present Court": "ruling",
}
FOLDER: Final = Path("rhetorical_roles") / "lawai50"

Pairs = list[tuple[str, str]]
"""The role by hand and the label given, one pair a sentence."""


@dataclass(frozen=True)
class Scores:
    """Share of sentences labelled right, and F1 per class with its plain mean; from 0 to 1."""

    sentences: int
    accuracy: float
    macro_f1: float
    f1: dict[str, float]


def read_judgment(path: Path) -> tuple[list[str], list[str]]:
    """Sentences of one file and the class of each.

    Raises:
        InputError: a line has no role or one that is not in `ROLES`.
    """
    sentences, roles = [], []
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        sentence, _, role = line.rpartition("\t")
        if role.strip() not in ROLES:
            raise InputError(f"{path}, line {number}: {role.strip()!r} is not a known role")
        sentences.append(sentence)
        roles.append(ROLES[role.strip()])
    return sentences, roles


def label_judgment(sentences: Sequence[str]) -> list[str]:
    """The labels of `label_sections` for a judgment given as a list of sentences."""
    spans, offset = [], 0
    for sentence in sentences:
        spans.append((offset, offset + len(sentence)))
        offset += len(sentence) + 1
    return label_sections("\n".join(sentences), spans)


def score(pairs: Sequence[tuple[str, str]]) -> Scores:
    """Compute accuracy and F1 of pairs of (true class, given class)."""
    from sklearn.metrics import accuracy_score, f1_score

    true, given = zip(*pairs, strict=True)
    f1 = f1_score(true, given, labels=CLASSES, average=None, zero_division=0.0)
    by_class = dict(zip(CLASSES, map(float, f1), strict=True))
    return Scores(len(pairs), float(accuracy_score(true, given)), float(f1.mean()), by_class)


def as_class(label: str, holding: Literal["analysis", "ruling"]) -> str:
    """The class of a label; `header`, which these files lack, counts as facts."""
    return {"header": "facts", "holding": holding, "order": "ruling"}.get(label, label)


def measure(paths: Sequence[Path]) -> dict[str, Scores]:
    """Both readings of `holding`, and the majority baseline (`analysis` throughout)."""
    pairs: Pairs = []
    for path in paths:
        sentences, roles = read_judgment(path)
        pairs += zip(roles, label_judgment(sentences), strict=True)
    return {
        "holding read as analysis": score([(r, as_class(x, "analysis")) for r, x in pairs]),
        "holding read as ruling": score([(r, as_class(x, "ruling")) for r, x in pairs]),
        "majority baseline": score([(role, "analysis") for role, _ in pairs]),
    }


def halves(folder: Path) -> tuple[list[Path], list[Path]]:
    """The judgments the cues were made on, and those that they are measured on.

    Raises:
        InputError: the folder holds no `.txt` file.
    """
    paths = sorted(
        folder.glob("*.txt"), key=lambda path: hashlib.sha256(path.name.encode()).hexdigest()
    )
    if not paths:
        raise InputError(f"{folder}: holds no .txt file; check --data")
    return paths[: len(paths) // 2], paths[len(paths) // 2 :]


def main() -> int:
    """Read the arguments, measure, print; 2 where the data cannot be used."""
    parser = argparse.ArgumentParser(description="Measure section labels against hand labels.")
    parser.add_argument("--data", type=Path, required=True, help="folder with rhetorical_roles/")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    try:
        made_on, held_out = halves(options.data / FOLDER)
        results = {"made on": measure(made_on), "held out": measure(held_out)}
    except CounterCaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.json:
        plain = {half: {n: asdict(s) for n, s in rows.items()} for half, rows in results.items()}
        print(json.dumps(plain, indent=2))
        return 0
    head = "".join(f"{name:>11}" for name in CLASSES)
    for half, rows in results.items():
        count = rows["majority baseline"].sentences
        print(f"{half} ({count} sentences)\n{'':<26}{'accuracy':>9}{'macro F1':>10}{head}")
        for name, scores in rows.items():
            cells = "".join(f"{scores.f1[part]:>11.3f}" for part in CLASSES)
            print(f"{name:<26}{scores.accuracy:>9.3f}{scores.macro_f1:>10.3f}{cells}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
