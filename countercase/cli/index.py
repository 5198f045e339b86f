"""`countercase index`: bring a corpus of judgments into the index."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli import options
from countercase.errors import InputError

if TYPE_CHECKING:
    from countercase.config import Settings
    from countercase.corpus.index.build import IndexReport, Progress

CASEBOOK = "casebook"


def index(
    path: Annotated[
        Path,
        typer.Argument(help="corpus.jsonl (BEIR), .parquet, or a folder of .txt and .pdf."),
    ],
    corpus: Annotated[str, typer.Option("--corpus", help="Name of the corpus.")],
    chroma_host: options.ChromaHost = None,
    models: options.Models = "embedded",
    as_json: options.AsJson = False,
) -> None:
    """Index judgments, or bring an index up to date.

    What has not changed is skipped, and a stopped run is taken up again.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import print_json
    from countercase.config import load_settings

    settings = load_settings()
    begun = time.monotonic()

    def shown(state: Progress) -> None:
        steps.work("judgments", state.documents, state.of or 0)

    try:
        with Steps() as steps:
            report = index_corpus(
                path, corpus, settings, models, chroma_host, shown,
                lambda what: steps.work(what, 0, 0),
            )  # fmt: skip
    except KeyboardInterrupt:
        typer.echo(
            "\nstopped: what was indexed is kept; the same command goes on from there", err=True
        )
        raise typer.Exit(130) from None
    if as_json:
        print_json(asdict(report))
        return
    typer.echo(
        f"corpus {report.corpus}: {report.cases:,} judgments in {report.chunks:,} chunks, "
        f"{time.monotonic() - begun:.0f} s"
    )
    typer.echo(
        f"{report.added:,} added, {report.changed:,} changed, {report.unchanged:,} unchanged, "
        f"{report.removed:,} removed; checksum {report.checksum[:16]}"
    )


def index_corpus(
    path: Path,
    corpus: str,
    settings: Settings,
    models: str = "embedded",
    chroma_host: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    preparing: Callable[[str], None] | None = None,
) -> IndexReport:
    """Bring the index of `corpus` to the state of the judgments at `path`.

    Args:
        models: see `open_encoders`.
        preparing: told of each model that must be prepared first.

    Raises:
        InputError: the corpus cannot be read, or its name cannot be used.
        StoreError: Chroma or the disk fails; what was written is taken up by the next run.
    """
    from countercase.corpus.index.build import build_index
    from countercase.corpus.index.store import check_name
    from countercase.corpus.readers.detect import count_documents, read_corpus
    from countercase.encoders.base import open_encoders

    if check_name(corpus) == CASEBOOK:
        raise InputError("--corpus casebook is the one that ships; choose another name")
    total = count_documents(path)
    encoders = open_encoders(
        models,
        **settings.encoding(),
        progress=(lambda what, done, of: preparing(what)) if preparing is not None else None,
    )
    _, report = build_index(
        read_corpus(path), corpus, encoders, settings.CHUNK_PIECES, total, chroma_host, progress
    )
    return report
