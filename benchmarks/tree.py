"""Our tree against searching again at every node: the same case, models, stages and corpus.

    python benchmarks/tree.py [CASE] [--corpus NAME] [--states N] [--json]

Both sides use the same compiled models, without the cache on disk. Ours keeps segment rows and pair
scores while the tree grows; the other side retrieves every state from nothing, as a tree that knows
only a search function would. Printed: seconds, their ratio, the cost of the tree in root states, and at
how many nodes the top K differ (it must be none).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from countercase.config import load_settings
from countercase.counterfactual.perturbations import propose
from countercase.counterfactual.states import Renderer, State
from countercase.counterfactual.tree import Node, PerturbationTree, grow
from countercase.counterfactual.validator import RuleValidator
from countercase.encoders.suite import EmbeddedEncoders
from countercase.facts.casefile import read_case
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import CASEBOOK, open_session


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("case", type=Path, nargs="?", default=Path("examples/sudden-fight.json"))
    parser.add_argument("--corpus", default=CASEBOOK)
    parser.add_argument("--states", type=int, default=48)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    # Every state is grown, so that both sides have the same, full tree to do.
    settings = load_settings(MIN_DISPLACEMENT=0.0, MAX_STATES=arguments.states)
    session = open_session(settings, arguments.corpus)
    sheet = read_case(arguments.case)
    encoders = EmbeddedEncoders(settings)
    encoders.encode("sentence", ["warm"])
    encoders.encode("question", ["warm"])
    if settings.USE_RERANKER:
        encoders.score([("warm", "warm")])
    renderer = Renderer(sheet, encoders.count, settings.SEGMENT_PIECES)
    exclude = session.retriever.twins(renderer.query(State()), sheet.case_id, sheet.title)

    ours = HybridRetriever(session.snapshot, encoders, settings)
    began = time.perf_counter()
    ours.retrieve([renderer.query(State())], exclude)
    root_seconds = time.perf_counter() - began
    tree = PerturbationTree(sheet, settings)
    grow(
        tree, propose(sheet), renderer, lambda queries: ours.retrieve(queries, exclude), RuleValidator()
    )  # fmt: skip
    our_seconds = time.perf_counter() - began

    nodes: list[Node] = [node for node in tree.nodes() if node.ranking is not None]
    differing = 0
    began = time.perf_counter()
    for number, node in enumerate(nodes, start=1):
        fresh = HybridRetriever(session.snapshot, encoders, settings)
        [ranking] = fresh.retrieve([renderer.query(node.state)], exclude)
        assert node.ranking is not None
        differing += ranking.case_ids != node.ranking.case_ids
        print(f"\r{number}/{len(nodes)} states again", end="", file=sys.stderr)
    print(file=sys.stderr)
    again_seconds = time.perf_counter() - began
    found = {
        "states": len(nodes),
        "root_seconds": round(root_seconds, 2),
        "tree_seconds": round(our_seconds, 2),
        "again_seconds": round(again_seconds, 2),
        "tree_in_roots": round(our_seconds / root_seconds, 2),
        "ratio": round(again_seconds / our_seconds, 2),
        "nodes_that_differ": differing,
    }
    if arguments.json:
        print(json.dumps(found, indent=1))
        return
    print(f"states ranked                      {found['states']}")
    print(f"root state                         {found['root_seconds']} s")
    print(
        f"tree, ours (with its root)         {found['tree_seconds']} s = {found['tree_in_roots']} root states"
    )
    print(
        f"tree, searching again at each node {found['again_seconds']} s = {found['ratio']} times ours"
    )
    print(f"nodes whose top {settings.TOP_K} differ          {differing}")


if __name__ == "__main__":
    main()
