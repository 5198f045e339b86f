"""Narratives of a public set analysed against an indexed corpus: time and memory.

    python benchmarks/narratives.py --data DIR --corpus NAME [--number 3] [--states 48]

DIR/charge_sentences/Train-Sent.jsonl holds fact descriptions of criminal cases. The first N in order of
the sha256 of their id, from the 21st on (the first 20 are labelled for extraction), of at least ten
sentences. For each: seconds for the root state, for the tree with its root, and for the same analysis
again with what the cache has kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import time
from pathlib import Path

from countercase.config import load_settings
from countercase.counterfactual.lawful import LawfulValidator
from countercase.counterfactual.proposals import propose
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.counterfactual.tree import PerturbationTree
from countercase.encoders.base import open_encoders
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import open_session

LABELLED = 20


def chosen(data: Path, number: int) -> list[FactSheet]:
    """The fact sheets of the narratives."""
    path = data / "charge_sentences" / "Train-Sent.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    rows.sort(key=lambda row: hashlib.sha256(row["factid"].encode()).hexdigest())
    sheets: list[FactSheet] = []
    for row in rows[LABELLED:]:
        if len(row["text"]) >= 10 and len(sheets) < number:
            sheet = extract(" ".join(row["text"]), case_id=row["factid"])
            if len(sheet.facts) >= 4:
                sheets.append(sheet)
    return sheets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--number", type=int, default=3)
    parser.add_argument("--states", type=int, default=48)
    arguments = parser.parse_args()
    settings = load_settings(MIN_DISPLACEMENT=0.0, MAX_STATES=arguments.states)
    session = open_session(settings, arguments.corpus)
    for sheet in chosen(arguments.data, arguments.number):
        taken = []
        for _ in ("first", "second"):
            encoders = open_encoders(**settings.encoding())
            encoders.encode("sentence", ["warm"])
            encoders.encode("question", ["warm"])
            encoders.score([("warm", "warm")])
            if encoders.apart is not None:
                encoders.apart.read(["warm"])
            retriever = HybridRetriever(session.snapshot, encoders, settings.retrieval())
            renderer = Renderer(sheet, encoders.count, settings.SEGMENT_PIECES)
            query = renderer.query(State())
            began = time.perf_counter()
            retriever.retrieve([query])
            root = time.perf_counter() - began
            tree = PerturbationTree(sheet, settings.tree())
            search = StateSearch(renderer, retriever, settings.TOP_K)
            tree.grow(propose(sheet), search, LawfulValidator())
            taken.append((root, time.perf_counter() - began))
        states = sum(node.ranking is not None for node in tree.nodes())
        (root, first), (_, second) = taken
        print(
            f"{sheet.case_id}: {len(sheet.facts)} facts, {len(query.segments)} segments, {states} states; "
            f"root {root:.1f} s, tree {first:.1f} s = {first / root:.2f} roots, "
            f"again {second:.1f} s = {second / first:.2f} of the first"
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
