"""Our tree against searching again at every node: the same case, models, stages and corpus.

    python benchmarks/tree.py [CASE] [--corpus NAME] [--states N] [--json]

Both sides use the same compiled models, without the cache on disk. Ours keeps segment rows and pair
scores while the tree grows; the other side retrieves every state from nothing, as a tree that knows
only a search function would. Printed: wall and processor seconds and texts encoded, with their
ratios, at how many nodes the top K differ (it must be none), and what it costs after the tree to
divide the movement among all facts that have an edit (Shapley values, pairs, smallest sets, curves).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from countercase.config import load_settings
from countercase.corpus.casebook import CASEBOOK
from countercase.counterfactual.attribution.attribute import Game, attribution_of, players
from countercase.counterfactual.lawful import LawfulValidator
from countercase.counterfactual.proposals import propose
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.counterfactual.tree import Node, PerturbationTree
from countercase.encoders.base import EncoderOptions
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.facts.case_file import read_case
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import open_session


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
    encoders = EmbeddedEncoders(EncoderOptions(**settings.encoding()))
    encoders.encode("sentence", ["warm"])
    encoders.encode("question", ["warm"])
    if settings.USE_RERANKER:
        encoders.score([("warm", "warm")])
        encoders.apart.read(["warm"])
    renderer = Renderer(sheet, encoders.count, settings.SEGMENT_PIECES)
    exclude = session.retriever.twins(renderer.query(State()), sheet.case_id, sheet.title)

    ours = HybridRetriever(session.snapshot, encoders, settings.retrieval())
    start = encoders.computed + encoders.apart.computed
    began, cpu = time.perf_counter(), time.process_time()
    ours.retrieve([renderer.query(State())], exclude=exclude)
    root_seconds, root_cpu = time.perf_counter() - began, time.process_time() - cpu
    root_computed = encoders.computed + encoders.apart.computed - start
    tree = PerturbationTree(sheet, settings.tree())
    search = StateSearch(renderer, ours, settings.TOP_K, exclude)
    tree.grow(propose(sheet), search, LawfulValidator())
    our_seconds, our_cpu = time.perf_counter() - began, time.process_time() - cpu
    our_computed = encoders.computed + encoders.apart.computed - start

    began, cpu = time.perf_counter(), time.process_time()
    chosen, left_out = players(tree)
    shared = attribution_of(Game(chosen, search), left_out)
    sharing, sharing_cpu = time.perf_counter() - began, time.process_time() - cpu

    nodes: list[Node] = [node for node in tree.nodes() if node.ranking is not None]
    differing = 0
    start = encoders.computed + encoders.apart.computed
    began, cpu = time.perf_counter(), time.process_time()
    for number, node in enumerate(nodes, start=1):
        fresh = HybridRetriever(session.snapshot, encoders, settings.retrieval())
        [ranking] = fresh.retrieve([renderer.query(node.state)], exclude=exclude)
        assert node.ranking is not None
        differing += ranking.case_ids != node.ranking.case_ids
        print(f"\r{number}/{len(nodes)} states again", end="", file=sys.stderr)
    print(file=sys.stderr)
    again_seconds, again_cpu = time.perf_counter() - began, time.process_time() - cpu
    again_computed = encoders.computed + encoders.apart.computed - start
    found = {
        "states": len(nodes),
        "root_seconds": round(root_seconds, 2),
        "tree_seconds": round(our_seconds, 2),
        "again_seconds": round(again_seconds, 2),
        "tree_in_roots": round(our_seconds / root_seconds, 2),
        "ratio": round(again_seconds / our_seconds, 2),
        "root_cpu_seconds": round(root_cpu, 2),
        "tree_cpu_seconds": round(our_cpu, 2),
        "again_cpu_seconds": round(again_cpu, 2),
        "cpu_ratio": round(again_cpu / our_cpu, 2),
        "root_encoded": root_computed,
        "tree_encoded": our_computed,
        "again_encoded": again_computed,
        "encoded_ratio": round(again_computed / our_computed, 2),
        "nodes_that_differ": differing,
        "facts_shared_among": len(shared.shares),
        "sharing_seconds": round(sharing, 2),
        "sharing_cpu_seconds": round(sharing_cpu, 2),
        "sharing_cpu_in_trees": round(sharing_cpu / our_cpu, 2),
    }
    if arguments.json:
        print(json.dumps(found, indent=1))
        return
    print(f"states ranked: {found['states']}; nodes whose top {settings.TOP_K} differ: {differing}")
    print(f"{'':24}{'root':>10}{'our tree':>10}{'again':>10}  tree/root  again/tree")
    for name, unit in (("", "wall seconds"), ("cpu_", "processor seconds")):
        root, tree_s, again = (found[f"{part}_{name}seconds"] for part in ("root", "tree", "again"))
        print(
            f"{unit:24}{root:10.1f}{tree_s:10.1f}{again:10.1f}{tree_s / root:11.2f}{again / tree_s:12.2f}"
        )
    print(
        f"{'texts and pairs encoded':24}{root_computed:10}{our_computed:10}{again_computed:10}"
        f"{our_computed / root_computed:11.2f}{again_computed / our_computed:12.2f}"
    )
    print(
        f"movement shared among {len(shared.shares)} facts: {sharing:.1f} wall and {sharing_cpu:.1f} "
        f"processor seconds, {sharing_cpu / our_cpu:.2f} of the tree's"
    )


if __name__ == "__main__":
    main()
