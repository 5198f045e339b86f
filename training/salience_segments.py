"""Train the salience of segments on sentences labelled with the charge that they carry.

    python training/salience_segments.py --data DIR [--seed 0] [--install]

DIR holds `charge_sentences/Train-Sent.jsonl` (MIT licence): descriptions of Indian criminal facts,
each sentence with the charges that it carries. Ten folds by case measure; the model that
`--install` puts into the package is fitted on all cases.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import SVC

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.config import load_settings
from countercase.encoders.base import Encoders, open_encoders
from countercase.salience.points import encoded
from countercase.salience.segments import NOT_A_CHARGE, KernelModel
from training.logistic import area_under_curve

SET: Final = "charge_sentences/Train-Sent.jsonl"
FOLDS: Final = 10
PENALTY: Final = 1.0
SHARPNESS: Final = 1.0
SLOPE: Final = 2.0
"""Log-odds per unit of the margin."""


@dataclass(frozen=True)
class LabelledCase:
    """The sentences of a case and the charge that each carries; empty where it carries none."""

    sentences: tuple[str, ...]
    charges: tuple[str, ...]

    @property
    def labels(self) -> NDArray[np.bool_]:
        """Whether each sentence carries a charge."""
        return np.asarray([bool(charge) for charge in self.charges])


def read_cases(path: Path) -> list[LabelledCase]:
    """The cases of a file, in order."""
    cases = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sentences = tuple(" ".join(sentence.split()) for sentence in row["text"])
        charges = tuple(labels[0] if labels else "" for labels in row["sent_labels"])
        cases.append(LabelledCase(sentences, charges))
    return cases


def train(
    cases: Sequence[LabelledCase], vectors: Sequence[NDArray[np.float64]], seed: int
) -> KernelModel:
    """The kernel machine of these cases, its support vectors at half precision."""
    rows = np.concatenate(vectors)
    labels = np.concatenate([case.labels for case in cases])
    charges = [charge or NOT_A_CHARGE for case in cases for charge in case.charges]
    machine = SVC(C=PENALTY, gamma=SHARPNESS, random_state=seed, tol=1e-6).fit(rows, labels)
    return KernelModel(
        rows[machine.support_].astype(np.float16).astype(np.float64),
        machine.dual_coef_[0].astype(np.float32).astype(np.float64),
        tuple(charges[at] for at in machine.support_),
        round(float(machine.intercept_[0]), 6),
        SHARPNESS,
        SLOPE,
    )


def out_of_fold(
    cases: Sequence[LabelledCase], vectors: Sequence[NDArray[np.float64]], seed: int
) -> list[NDArray[np.float64]]:
    """The salience of each sentence by a model that had not seen its case."""
    fold = np.random.default_rng(seed).permutation(len(cases)) % FOLDS
    result: list[NDArray[np.float64]] = [np.zeros(0)] * len(cases)
    for number in range(FOLDS):
        rest = [at for at in range(len(cases)) if fold[at] != number]
        model = train([cases[at] for at in rest], [vectors[at] for at in rest], seed)
        for at in np.flatnonzero(fold == number).tolist():
            result[at] = np.asarray([s.value for s in model.saliences(vectors[at])])
    return result


def within_cases(
    cases: Sequence[LabelledCase], scores: Sequence[NDArray[np.float64]]
) -> tuple[float, int]:
    """Share of pairs of sentences of one case that the scores order rightly, and the cases."""
    right = pairs = 0.0
    counted = 0
    for case, own in zip(cases, scores, strict=True):
        size = int(case.labels.sum() * (~case.labels).sum())
        if size:
            right += size * area_under_curve(own, case.labels)
            pairs += size
            counted += 1
    return right / pairs, counted


def install(model: KernelModel, seed: int) -> None:
    """Write the model into the package."""
    from safetensors.numpy import save_file

    folder = Path(str(files("countercase.salience")))
    charges = sorted(set(model.charges))
    row = {
        "seed": seed,
        "bias": model.bias,
        "sharpness": model.sharpness,
        "slope": model.slope,
        "charges": charges,
        "charge_of": [charges.index(charge) for charge in model.charges],
    }
    (folder / "segments.json").write_text(json.dumps(row) + "\n", encoding="utf-8")
    arrays = {
        "vectors": model.vectors.astype(np.float16),
        "coefficients": model.coefficients.astype(np.float32),
    }
    save_file(arrays, folder / "segments.safetensors")


def vectors_of(cases: Sequence[LabelledCase], encoders: Encoders) -> list[NDArray[np.float64]]:
    """Sentence vectors of each case, shape (sentences, width)."""
    return [encoded(encoders, case.sentences) for case in cases]


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of charge_sentences/")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--install", action="store_true", help="put the model into the package")
    given = parser.parse_args()
    cases = read_cases(given.data / SET)
    vectors = vectors_of(cases, open_encoders(**load_settings().encoding()))
    value, counted = within_cases(cases, out_of_fold(cases, vectors, given.seed))
    print(f"AUC within {counted} cases, ten folds: {value:.3f}")
    if given.install:
        install(train(cases, vectors, given.seed), given.seed)


if __name__ == "__main__":
    main()
