"""`countercase analyze`, `attribute`, `facts`, `search`: which facts of a case decide which precedents.

A folder of cases is analysed one by one; a text is searched for as it is.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Group
from rich.text import Text

from countercase.cli import options
from countercase.cli.options import Steps, grid, opened_session, show
from countercase.config import load_settings
from countercase.engines.engine import Engine, choose_engine
from countercase.errors import InputError
from countercase.facts.case_file import write_case
from countercase.facts.vocabulary import SIDES
from countercase.registry import FACT_TYPES, VALIDATORS
from countercase.reports.text import count_noun, plain, rounded

if TYPE_CHECKING:
    from countercase.case_folder import CaseWork
    from countercase.counterfactual.lawful import Validator


@options.described("analyze")
def analyze(
    case: Path, corpus: str = "casebook", depth: int | None = None,
    max_children: int | None = None, max_states: int | None = None, top_k: int | None = None,
    min_displacement: float | None = None, threshold: float | None = None,
    criterion: str = "threshold", types: str = "", year_from: int | None = None,
    year_to: int | None = None, court: str = "", bench: str = "", provision: str = "",
    area: str = "", good_law: bool = False, out: Path | None = None,
    suppose: list[str] | None = None, change: list[str] | None = None,
    remove: list[str] | None = None, add: list[str] | None = None, side: str = "petitioner",
    full: bool = False, memo: bool = False, as_json: bool = False, validator: str = "rules",
    llm_url: str = "", llm_model: str = "", models: str = "embedded",
    chroma_host: str | None = None, search: str | None = None, engine: str | None = None,
    workers: int | None = None, ray_address: str | None = None,
) -> None:  # fmt: skip
    """Measure which facts of a case decide its precedents.

    Ctrl-C ends the measuring and reports what was measured until then. Of a folder every case is
    analysed, and with --out each gets a folder of reports of its own; what is finished is not
    analysed again. Exit status 1: some could not be analysed. With --engine ray a folder's cases,
    or the corpus for one case, are spread over workers.
    """
    from countercase.counterfactual.sensitivity import CRITERIA

    chosen = options.fact_types_of(types)
    verdicts_by = options.one_of("--criterion", criterion, CRITERIA)
    mine = options.one_of("--side", side, SIDES)
    filters = options.filters_of(year_from, year_to, court, bench, provision, area, good_law)
    settings = load_settings(
        DEPTH=depth, MAX_CHILDREN=max_children, MAX_STATES=max_states, TOP_K=top_k, SEARCH=search,
        MIN_DISPLACEMENT=min_displacement, DISPOSITIVE_THRESHOLD=threshold,
    )  # fmt: skip
    judge_of = partial(validator_of, validator, llm_url, llm_model)
    if case.is_dir():
        if suppose or change or remove or add or full or memo:
            raise InputError("suppositions, --full and --memo are for one case, not for a folder")
        from countercase.case_folder import CaseWork

        where = choose_engine(engine, workers, ray_address)
        judge_of()  # better an error now than from every worker
        work = CaseWork(
            options.shared_out(settings, where), corpus, chroma_host, models, chosen, filters,
            judge_of, " ".join((validator, llm_url, llm_model)), verdicts_by,
            None if out is None else mine,
        )  # fmt: skip
        _analyze_folder(work, case, out, where, as_json)
        return
    where = options.engine_of_one(engine, workers, ray_address)
    judge = judge_of()
    sheet = options.read_case_argument(case, settings)

    from countercase.counterfactual.suppose import read_suppositions
    from countercase.reports import terminal
    from countercase.retrieval.shards import searched_by

    read = read_suppositions(sheet, suppose or (), change or (), remove or (), add or ())
    for problem in read.problems:
        typer.echo(f"warning: left out: {problem}", err=True)
    with (
        opened_session(settings, corpus, models, chroma_host) as (session, progress),
        searched_by(session.retriever, where),
    ):
        result = session.analyze(
            sheet, types=chosen, filters=filters, validator=judge, progress=progress,
            by_hand=read.edits, criterion=verdicts_by, quoted=full or memo or as_json or bool(out),
        )  # fmt: skip
    unjudged = _tell_failures(getattr(judge, "failures", 0), getattr(judge, "cause", ""))
    result = replace(result, left_out=(*read.problems, *unjudged))

    try:
        if out is not None:
            from countercase.reports.view import write_reports

            options.tell_written(write_reports(result, out, mine))
    finally:  # a fault of a report does not cost the analysis
        if as_json:
            from countercase.reports.analysis_json import analysis_document
            from countercase.reports.tree_files import tree_document

            both = {"analysis": analysis_document(result), "tree": tree_document(result)}
            options.print_json(both)
        elif memo:
            terminal.show_memo(result, options.console(), mine)
        else:
            terminal.show_result(result, options.console(), full, mine)
    if not result.analysis.complete:
        raise KeyboardInterrupt("stopped early: the result is sound as far as it goes, and partial")
    if unjudged and all(it.sensitivity is None for it in result.facts):
        raise typer.Exit(1)


def validator_of(name: str, url: str, model: str) -> Validator:
    """Return the validator that the options ask for; an `InputError` for options at odds."""
    options.one_of("--validator", name, VALIDATORS.names())
    if name != "llm" and (url or model):
        raise InputError("--llm-url and --llm-model need --validator llm")
    if name == "llm" and not (url and model):
        raise InputError("--validator llm needs --llm-url and --llm-model")
    validator: Validator = VALIDATORS.make(name, *filter(None, (url, model)))
    return validator


def _tell_failures(failures: int, cause: str = "") -> list[str]:
    why = f" ({cause})" if cause else ""
    told = f"the language model failed to judge {failures} changes{why}; they count as refused"
    if failures:
        typer.echo(f"warning: {told}", err=True)
    return [told] if failures else []


def _analyze_folder(
    work: CaseWork, folder: Path, out: Path | None, engine: Engine, as_json: bool
) -> None:
    """Analyse a folder's cases and print their table; status 1, with a line for each that failed."""
    from countercase.case_folder import analyze_folder

    with Steps() as steps:
        rows = analyze_folder(replace(work, progress=steps.work), folder, out, engine)
    failed, done = ([row for row in rows if bool(row.error) is bad] for bad in (True, False))
    columns = ("case", "facts", "measured", "move the list", "most", "places", "first precedent")
    cells = [
        (it.file, it.facts, it.measured, it.moving, it.strongest, it.sensitivity,
         it.first + (" (weak match)" if it.weak else ""))
        for it in done
    ]  # fmt: skip
    document = {"cases": [rounded(asdict(row)) for row in rows]}
    options.show(as_json, document, lambda: options.grid(columns, cells))
    for row in failed:
        named = "" if row.file in row.error else f"{row.file}: "
        typer.echo(f"error: {named}{' '.join(row.error.split())}", err=True)
    _tell_failures(sum(row.unjudged for row in rows))
    told = f"{len(done)} of {len(rows)} cases analysed"
    if again := sum(row.again for row in rows):
        told += f", {again} of them before"
    typer.echo(told + (f"; reports in {out}" if out is not None else ""), err=True)
    if failed:
        raise typer.Exit(1)


@options.described("facts")
def facts(case: Path, as_json: bool = False) -> None:
    """Show the facts that are read out of a case.

    --json prints them as a case.json to correct and to analyze.
    """
    from countercase.explanation.reasons import fact_label
    from countercase.reports.wording import language_note, say

    sheet, rows = options.read_case_argument(case, load_settings()), []
    for fact in sheet.facts:
        words = sheet.narrative[fact.span.start : fact.span.end] if fact.span else ""
        kind = FACT_TYPES.get(fact.fact_type).heading
        rows.append((kind, fact_label(fact), words or "(not in the narrative)", len(fact.spans)))
    day = say("law_day", sheet.occurred_on) if sheet.occurred_on else "no date was found"
    head = f"{plain(sheet.title or sheet.case_id)}: {count_noun(len(rows), 'fact')}; {day}"
    advice = "Something wrong or missing? --json gives a case.json to correct."
    tail = " ".join(filter(None, [language_note(sheet.narrative), advice]))
    table = grid(("kind", "fact", "in the words of the case", "times"), rows)
    text = Group(Text(head, style="bold"), table, Text(tail, style="dim"))
    show(as_json, write_case(sheet), lambda: text)


@options.described("search")
def search(
    text: str, corpus: str = "casebook", top_k: int | None = None, year_from: int | None = None,
    year_to: int | None = None, court: str = "", bench: str = "", provision: str = "",
    area: str = "", good_law: bool = False, as_json: bool = False, models: str = "embedded",
    chroma_host: str | None = None, search: str | None = None, engine: str | None = None,
    workers: int | None = None, ray_address: str | None = None,
) -> None:  # fmt: skip
    """Find the precedents of a text, changing nothing in it."""
    from countercase.explanation.precedent import explain_search
    from countercase.explanation.quotes import Quoter
    from countercase.reports.analysis_json import search_document
    from countercase.reports.terminal import precedents_text
    from countercase.retrieval.base import check_size
    from countercase.retrieval.shards import searched_by

    filters = options.filters_of(year_from, year_to, court, bench, provision, area, good_law)
    where = options.engine_of_one(engine, workers, ray_address)
    settings = load_settings(TOP_K=top_k, SEARCH=search)
    if text == "-":
        text = options.read_stdin(settings.MAX_INPUT_BYTES)
    check_size(text)
    with opened_session(settings, corpus, models, chroma_host) as (session, progress):
        with searched_by(session.retriever, where):
            ranking = session.search(text, filters, progress)
        precedents = explain_search(ranking, Quoter(session.snapshot, session.encoders))
    document = search_document(ranking, precedents, session)
    show(as_json, document, lambda: precedents_text(precedents, document["weak"]))


@options.described("attribute")
def attribute(
    case: Path, corpus: str = "casebook", top_k: int | None = None, types: str = "",
    why_not: str = "", as_json: bool = False, models: str = "embedded",
    chroma_host: str | None = None,
) -> None:  # fmt: skip
    """Divide the movement of a case among its facts.

    Every set of the twelve facts that move the list most is changed together, so that each of them
    gets its exact share, alone and with others.
    """
    from countercase.reports.analysis_json import attribution_document
    from countercase.reports.terminal import attribution_text

    chosen = options.fact_types_of(types)
    settings = load_settings(TOP_K=top_k, DEPTH=1)
    sheet = options.read_case_argument(case, settings)
    with opened_session(settings, corpus, models, chroma_host) as (session, progress):
        analysis = session.measure(sheet, types=chosen, progress=progress)
        parts = session.attribute(analysis, why_not, progress)
    show(as_json, attribution_document(analysis, parts), lambda: attribution_text(analysis, parts))
