"""`countercase eval passages` and `qa`: the answers of any system, scored in the form of a benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from countercase.cli import options
from countercase.cli.progress import Steps
from countercase.cli.screen import show_results
from countercase.errors import ConfigError, InputError
from countercase.io import make_folder


def passages(
    predictions: Annotated[Path, options.told_argument("passages.predictions")],
    gold: Annotated[Path, options.told_argument("passages.gold")],
    k: Annotated[int, options.told("passages.k", min=1)] = 10,
    idcg: Annotated[str, options.told("passages.idcg")] = "gold",
    limit: options.Limit = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    output: Annotated[Path | None, options.told("passages.output")] = None,
) -> None:
    """Score retrieved passages by the words that answer.

    Files are in the format of LegalBench-RAG; `countercase retrieve` makes predictions.
    """
    from countercase.evaluation.benchmarks.passages import IDCGS, passages_section, score_files

    chosen = options.one_of("--idcg", idcg, IDCGS)
    scores = score_files(predictions, gold, k, chosen, limit)
    show_results(passages_section(scores, seed), scores, as_json, output)


def qa(
    questions: Annotated[Path, options.told("qa.questions")],
    predictions: Annotated[Path, options.told("qa.predictions")],
    documents: Annotated[Path | None, options.told("qa.documents")] = None,
    judge: Annotated[tuple[str, str] | None, options.told("qa.judge", metavar="URL MODEL")] = None,
    judge_url: Annotated[str, options.told("qa.judge_url")] = "",
    judge_model: Annotated[str, options.told("qa.judge_model")] = "",
    failed_as_zero: Annotated[bool, options.told("qa.failed_as_zero", "--failed-as-zero")] = False,
    answer_weight: Annotated[float, options.told("qa.answer_weight", "--lambda")] = 0.5,
    timeout: Annotated[float, options.told("qa.timeout")] = 60.0,
    retries: Annotated[int, options.told("qa.retries")] = 3,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    output: Annotated[Path | None, options.told("qa.output")] = None,
) -> None:
    """Score answers and the sentences that they cite.

    Was the document found, do the sentences support the answer, is it right? The judge's key is
    taken from COUNTERCASE_JUDGE_KEY; it is never printed or stored. With --output, judgements are
    kept beside the file as they come, and a second run asks for none of them again.
    """
    from countercase.evaluation.benchmarks.qa import QaSettings, evaluate_qa

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
