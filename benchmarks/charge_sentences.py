"""Write the charge sentences of Indian criminal cases as labelled sentences.

    python benchmarks/charge_sentences.py --data FOLDER --output charge_sentences.jsonl
    countercase eval validity --sentences charge_sentences.jsonl --corpus casebook

`charge_sentences` (MIT) holds 120 fact descriptions with the charges that each sentence carries;
FOLDER is the one that holds `charge_sentences/Train-Sent.jsonl`. A sentence is decisive where it
carries any charge.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from fact_labels import NARRATIVES


def labelled_sentences(lines: Iterable[str]) -> Iterator[str]:
    """Each case as a line `{"id", "text": [...], "labels": [...]}`."""
    for line in lines:
        if line.strip():
            row = json.loads(line)
            labels = [bool(charges) for charges in row["sent_labels"]]
            case = {"id": row["factid"], "text": row["text"], "labels": labels}
            yield json.dumps(case, ensure_ascii=False)


def main() -> None:
    """Read the data set and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--output", type=Path, required=True, help="file to write")
    given = parser.parse_args()
    lines = (given.data / NARRATIVES).read_text(encoding="utf-8").split("\n")
    given.output.write_text(
        "".join(f"{line}\n" for line in labelled_sentences(lines)), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
