"""`countercase eval qa`: score the answers of a question answering system and their evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli.options import AsJson
from countercase.errors import ConfigError, InputError

if TYPE_CHECKING:
    from countercase.evaluation.benchmarks.grounded_qa.judge import OpenAIJudge


def qa(
    questions: Annotated[
        Path,
        typer.Option("--questions", help="The questions with their answers, one JSON a line."),
    ],
    predictions: Annotated[
        Path, typer.Option("--predictions", help="What the system answered: JSON by question id.")
    ],
    documents: Annotated[
        Path | None,
        typer.Option("--documents", help="Folder of the documents' sentences; ids without it."),
    ] = None,
    judge: Annotated[
        tuple[str, str] | None,
        typer.Option("--judge", metavar="URL MODEL", help="Judge: address of its API, its name."),
    ] = None,
    judge_url: Annotated[
        str, typer.Option("--judge-url", help="The judge's OpenAI-compatible API, http://.../v1.")
    ] = "",
    judge_model: Annotated[
        str, typer.Option("--judge-model", help="The judge's name on that server.")
    ] = "",
    failed_as_zero: Annotated[
        bool,
        typer.Option("--failed-as-zero", help="Count a failed judgement as 0, not as missing."),
    ] = False,
    answer_weight: Annotated[
        float, typer.Option("--lambda", help="Weight of the answer in the combined score, 0 to 1.")
    ] = 0.5,
    timeout: Annotated[
        float, typer.Option("--timeout", help="Seconds to wait for one judgement.")
    ] = 60.0,
    retries: Annotated[
        int, typer.Option("--retries", help="How often a failed judgement is asked for again.")
    ] = 3,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first so many questions.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the intervals.")] = 0,
    as_json: AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Keep the results, question by question, in this JSON file."),
    ] = None,
) -> None:
    """Score answers and the sentences that they cite.

    Was the document found, do the sentences bear the answer out, is it right? The judge's key is
    taken from COUNTERCASE_JUDGE_KEY; it is never printed or stored. With --output, judgements are
    kept beside the file as they come, and a second run asks for none of them again.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import print_json
    from countercase.evaluation.benchmarks.grounded_qa.files import (
        Documents,
        read_predictions,
        read_questions,
    )
    from countercase.evaluation.benchmarks.grounded_qa.scores import QaSettings, score_questions
    from countercase.evaluation.benchmarks.grounded_qa.section import qa_section
    from countercase.reports.write import json_text, write_files

    url, model = _endpoint(judge, judge_url, judge_model)
    settings = QaSettings(answer_weight, failed_as_zero, model, seed)
    asked = read_questions(questions)
    given = read_predictions(predictions, asked)
    known = Documents(documents) if documents else None
    judging = _judge(url, model, timeout, retries, output) if model else None
    with Steps() as steps:
        results = score_questions(
            asked[:limit],
            given,
            known.sentences if known else None,
            judging.judge if judging else None,
            settings,
            steps.work,
        )
    section = qa_section(results, settings, judging is not None)
    if output:
        write_files(output.parent, {output.name: json_text(section.to_dict())})
    if as_json:
        print_json(section.to_dict())
        return

    from countercase.cli.screen import print_section

    print_section(section)


def _endpoint(judge: tuple[str, str] | None, url: str, model: str) -> tuple[str, str]:
    """The judge's address and name, from either way of giving them; empty without a judge."""
    if judge and (url or model):
        raise InputError("--judge names the judge already; leave out --judge-url, --judge-model")
    url, model = (part.strip() for part in judge or (url, model))
    if bool(url) != bool(model):
        missing = "--judge-model" if url else "--judge-url"
        raise ConfigError(f"a judge needs an address and a name; give {missing} too")
    return url, model


def _judge(url: str, model: str, timeout: float, retries: int, output: Path | None) -> OpenAIJudge:
    from countercase.evaluation.benchmarks.grounded_qa.judge import JudgementLog, OpenAIJudge

    log = None
    if output:
        from countercase.reports.write import write_files

        write_files(output.parent, {})  # the folder, before the first judgement is paid for
        log = JudgementLog(output.with_name(f"{output.name}.judgements.jsonl"))
    return OpenAIJudge(url, model, timeout=timeout, retries=retries, log=log)
