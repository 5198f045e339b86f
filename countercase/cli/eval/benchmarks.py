"""`countercase eval passages` and `qa`: the answers of any system, scored in the form of a benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options
from countercase.errors import ConfigError, InputError


def passages(
    predictions: Annotated[
        Path, typer.Argument(help="What a system retrieved: JSON, query by query, best first.")
    ],
    gold: Annotated[
        Path, typer.Argument(help="The queries with the words that answer them: JSON.")
    ],
    k: Annotated[
        int, typer.Option(min=1, help="Passages of a query that count for recall and NDCG.")
    ] = 10,
    idcg: Annotated[
        str,
        typer.Option(
            help="Ideal ranking of NDCG: gold, over all answers (right); retrieved, over what was "
            "found (some published figures).",
        ),
    ] = "gold",
    limit: options.Limit = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None, typer.Option(help="Keep the measures, and every query's, in this JSON file.")
    ] = None,
) -> None:
    """Score retrieved passages by the words that answer.

    Files are in the format of LegalBench-RAG; `countercase retrieve` makes predictions.
    """
    from countercase.cli.screen import show_results
    from countercase.evaluation.benchmarks.passages import IDCGS, passages_section, score_files

    chosen = options.one_of("--idcg", idcg, IDCGS)
    scores = score_files(predictions, gold, k, chosen, limit)
    show_results(passages_section(scores, seed), scores, as_json, output)


def qa(
    questions: Annotated[
        Path, typer.Option(help="The questions with their answers, one JSON a line.")
    ],
    predictions: Annotated[
        Path, typer.Option(help="What the system answered: JSON by question id.")
    ],
    documents: Annotated[
        Path | None, typer.Option(help="Folder of the documents' sentences; ids without it.")
    ] = None,
    judge: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="URL MODEL", help="Judge: address of its API, its name."),
    ] = None,
    judge_url: Annotated[
        str, typer.Option(help="The judge's OpenAI-compatible API, http://.../v1.")
    ] = "",
    judge_model: Annotated[str, typer.Option(help="The judge's name on that server.")] = "",
    failed_as_zero: Annotated[
        bool,
        typer.Option("--failed-as-zero", help="Count a failed judgement as 0, not as missing."),
    ] = False,
    answer_weight: Annotated[
        float, typer.Option("--lambda", help="Weight of the answer in the combined score, 0 to 1.")
    ] = 0.5,
    timeout: Annotated[float, typer.Option(help="Seconds to wait for one judgement.")] = 60.0,
    retries: Annotated[
        int, typer.Option(help="How often a failed judgement is asked for again.")
    ] = 3,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None, typer.Option(help="Keep the results, question by question, in this JSON file.")
    ] = None,
) -> None:
    """Score answers and the sentences that they cite.

    Was the document found, do the sentences support the answer, is it right? The judge's key is
    taken from COUNTERCASE_JUDGE_KEY; it is never printed or stored. With --output, judgements are
    kept beside the file as they come, and a second run asks for none of them again.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_results
    from countercase.evaluation.benchmarks.qa import QaSettings, evaluate_qa
    from countercase.io import make_folder

    if judge and (judge_url or judge_model):
        error = "--judge names the judge already; leave out --judge-url, --judge-model"
        raise InputError(error)
    url, model = (part.strip() for part in judge or (judge_url, judge_model))
    if bool(url) != bool(model):
        missing = "--judge-model" if url else "--judge-url"
        raise ConfigError(f"a judge needs an address and a name; give {missing} too")
    settings = QaSettings(answer_weight, failed_as_zero, model, seed)
    judgements = None
    if output:
        make_folder(output.parent)  # before anything is asked or paid for
        judgements = output.with_name(f"{output.name}.judgements.sqlite") if model else None
    with Steps() as steps:
        section = evaluate_qa(
            questions, predictions, documents, settings=settings, judge_url=url, timeout=timeout,
            retries=retries, judgements=judgements, limit=limit, progress=steps.work,
        )  # fmt: skip
    show_results(section, section.to_dict(), as_json, output)
