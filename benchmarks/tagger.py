"""How well and how fast the fact tagger works.

Run `python benchmarks/tagger.py --data DIR [--json]`, where `DIR` holds `inlegalner/` with the
development part of InLegalNER. A span counts where start, end and type are those of the label,
after white space at its ends is taken off. Three readers are measured: the tagger alone on each
text as a whole, the rules alone (of the three types that they know), and the two joined as
`find_entities` does it for a case file. The published figure for these texts, all fourteen types,
is 91.1 with a RoBERTa-based tagger (Kalamkar et al. 2022). Speed is the best of three runs
over every third text; on a busy machine set OPENBLAS_NUM_THREADS=1, or threads wait on each other.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from spacy.scorer import Scorer

from countercase.errors import CounterCaseError
from countercase.facts.entities import Entity, rule_entities
from countercase.facts.tagger.reading import find_entities, load_tagger, tag_texts
from training.fact_tagger import examples_of
from training.inlegalner import KINDS, MAIN, Score, Text, read_part, strict

PUBLISHED: Final = 0.911
RUNS: Final = 3


def readers() -> dict[str, Callable[[Sequence[str]], list[list[Entity]]]]:
    """The three ways of reading texts, by name."""
    return {
        "tagger": tag_texts,
        "rules": lambda texts: [rule_entities(text) for text in texts],
        "joined": lambda texts: [find_entities(text) for text in texts],
    }


def measure(texts: Sequence[Text]) -> dict[str, dict[str, dict[str, Score]]]:
    """Scores by part (`judgement`, `preamble`, `both`), reader and type."""
    found = {name: read([text.text for text in texts]) for name, read in readers().items()}
    scores: dict[str, dict[str, dict[str, Score]]] = {}
    for part in (*KINDS, "both"):
        rows = [at for at, text in enumerate(texts) if part in ("both", text.kind)]
        gold = [texts[at].entities for at in rows]
        scores[part] = {
            name: strict(gold, [tagged[at] for at in rows]) for name, tagged in found.items()
        }
    return scores


def spacy_figure(texts: Sequence[Text]) -> tuple[float, int]:
    """F1 of all types by spaCy's own scorer, and how many labels lie off the tagger's tokens.

    The scorer compares tokens: such a label is widened to whole tokens before.
    """
    nlp = load_tagger()
    examples, moved = examples_of(nlp, texts)
    ner = nlp.get_pipe("ner")
    for example in examples:
        ner(example.predicted)
    return float(Scorer().score_spans(examples, "ents")["ents_f"]), moved


def speed(texts: Sequence[str]) -> dict[str, dict[str, float]]:
    """Words a second of tagger and joined reading, words being what spaCy counts, its tokens.

    `wall` is the best of the runs on this machine as busy as it is; `core` is per second of
    processor time, which other work on the machine disturbs less.
    """
    nlp = load_tagger()
    words = sum(len(nlp.make_doc(text)) for text in texts)
    rates: dict[str, dict[str, float]] = {}
    for name in ("tagger", "joined"):
        wall, core = [], []
        for _ in range(RUNS):
            began, worked = time.perf_counter(), time.process_time()
            readers()[name](texts)
            wall.append(time.perf_counter() - began)
            core.append(time.process_time() - worked)
        rates[name] = {"wall": words / min(wall), "core": words / min(core)}
    return rates


def table(scores: dict[str, dict[str, Score]]) -> str:
    """Precision, recall and F1 of each type under each reader, as lines of text."""
    names = list(scores)
    lines = [
        f"{'type':<14}{'labels':>7}" + "".join(f"{f'{n}: P':>12}{'R':>7}{'F1':>7}" for n in names)
    ]
    labels = [label for label in scores["joined"] if label not in ("main", "all")]
    order = [*MAIN, *(label for label in labels if label not in MAIN), "main", "all"]
    for label in order:
        gold = scores["tagger"].get(label, Score(0, 0, 0)).labelled
        if not gold:
            continue
        cells = ""
        for name in names:
            score = scores[name].get(label)
            if score is None or (name == "rules" and label not in ("PROVISION", "STATUTE", "DATE")):
                cells += f"{'-':>12}{'-':>7}{'-':>7}"
            else:
                cells += f"{score.precision:>12.3f}{score.recall:>7.3f}{score.f1:>7.3f}"
        lines.append(f"{label:<14}{gold:>7}{cells}")
    return "\n".join(lines)


def main() -> int:
    """Read the arguments, measure, print; 2 where tagger or data cannot be used."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds inlegalner/")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    given = parser.parse_args()
    try:
        texts = read_part(given.data, "dev")
        scores = measure(texts)
        figure, moved = spacy_figure(texts)
        rates = speed([text.text for text in texts[::3]])
    except CounterCaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"error: cannot read {error.filename}: {error.strerror}; check --data", file=sys.stderr
        )
        return 2
    if given.json:
        written: dict[str, Any] = {
            part: {
                name: {label: vars(s) | {"f1": s.f1} for label, s in rows.items()}
                for name, rows in by_reader.items()
            }
            for part, by_reader in scores.items()
        }
        print(json.dumps(written | {"spacy_f1": figure, "speed": rates}, indent=2))
        return 0
    for part, by_reader in scores.items():
        print(f"{part}\n{table(by_reader)}\n")
    print(f"all types by spaCy's scorer {figure:.3f}, {moved} labels off token borders")
    print(f"published, all types, RoBERTa {PUBLISHED:.3f}")
    for name, rate in rates.items():
        print(
            f"{name}: {rate['wall']:,.0f} words/s with {os.cpu_count()} cores, "
            f"{rate['core']:,.0f} per second of processor time"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
