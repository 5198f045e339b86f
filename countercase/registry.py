"""Extension points: parts that are found by name.

A part comes from one of three places: the package itself, `register()` in the running program, or
an entry point of an installed distribution, in the group `countercase.<kind>`:

    [project.entry-points."countercase.rankers"]
    tfidf = "my_package.ranker:TfidfRanker"

A name is looked up when it is first asked for, so a part costs nothing until it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final

from countercase.errors import ConfigError, did_you_mean

_entry_points: Final = cache(entry_points)


class Registry:
    """The parts of one kind, by name.

    Args:
        kind: `rankers`; the entry points of other distributions stand in `countercase.rankers`.
        shipped: name to `module:attribute` of the parts of this package, in the order of lists.
    """

    def __init__(self, kind: str, shipped: Mapping[str, str]) -> None:
        self.kind, self._shipped = kind, shipped
        self._registered: dict[str, Any] = {}

    @cached_property
    def _installed(self) -> dict[str, str]:
        points = _entry_points().select(group=f"countercase.{self.kind}")
        return dict(sorted((point.name, point.value) for point in points))

    def register(self, name: str, part: Any) -> None:
        """Add a part to the running program; it hides a part of the same name."""
        self._registered[name] = part

    def unregister(self, name: str) -> None:
        """Take a registered part out again.

        Raises:
            KeyError: nothing was registered under this name.
        """
        del self._registered[name]

    def names(self) -> tuple[str, ...]:
        """All names: the shipped parts in their order, then installed ones, then registered ones."""
        return tuple(dict.fromkeys([*self._shipped, *self._installed, *self._registered]))

    def __contains__(self, name: str) -> bool:
        return name in self._registered or name in self._shipped or name in self._installed

    def unknown(self, name: str) -> str:
        """What to say of a name that is not registered; it names the nearest."""
        nearest = did_you_mean(name, self.names())
        return f"no {self.kind} named {name!r}{nearest} (known: {', '.join(self.names())})"

    def get(self, name: str) -> Any:
        """The part of this name.

        Raises:
            ConfigError: there is none; the message names the nearest.
        """
        if name in self._registered:
            return self._registered[name]
        target = self._shipped.get(name) or self._installed.get(name)
        if target is None:
            raise ConfigError(self.unknown(name))
        module, _, attribute = target.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"{self.kind} {name!r} ({target}): {error}") from error


FACT_TYPES: Final = Registry(
    "fact_types",
    {
        "Section": "countercase.fact_types.section:FACT_TYPE",
        "PartyType": "countercase.fact_types.party:FACT_TYPE",
        "Evidence": "countercase.fact_types.evidence:FACT_TYPE",
        "Numerical": "countercase.fact_types.numerical:FACT_TYPE",
    },
)
"""`countercase.fact_types.base.FactType` objects."""

RANKERS: Final = Registry(
    "rankers",
    {
        "dpr": "countercase.retrieval.dense:DprRanker",
        "chroma": "countercase.retrieval.dense:ChromaRanker",
        "lexical": "countercase.retrieval.lexical:LexicalRanker",
        "quotations": "countercase.retrieval.lexical:QuotationRanker",
    },
)
"""`countercase.retrieval.base.Ranker` classes."""

CORPUS_READERS: Final = Registry(
    "corpus_readers",
    {
        "beir": "countercase.corpus.readers.beir:READER",
        "parquet": "countercase.corpus.readers.parquet:READER",
        "trec": "countercase.corpus.readers.trec:READER",
        "files": "countercase.corpus.readers.files:READER",
    },
)
"""`countercase.corpus.readers.base.CorpusReader` objects."""

ENCODERS: Final = Registry(
    "encoders",
    {
        "embedded": "countercase.encoders.embedded.suite:EmbeddedEncoders",
        "hub": "countercase.encoders.hub:HubEncoders",
        "directory": "countercase.encoders.directory:DirectoryEncoders",
    },
)
"""Functions from `countercase.encoders.base.EncoderOptions` to a set of models, `Encoders`."""

VALIDATORS: Final = Registry(
    "validators",
    {
        "rules": "countercase.counterfactual.lawful:LawfulValidator",
        "llm": "countercase.counterfactual.llm_validator:OpenAIValidator",
    },
)
"""`countercase.counterfactual.validators.Validator` classes."""

REPORT_FORMATS: Final = Registry(
    "report_formats",
    {
        "json": "countercase.reports.analysis_json:JSON",
        "graph": "countercase.reports.graph_files:GRAPH",
        "trec": "countercase.reports.trec:TREC",
        "md": "countercase.reports.markdown:MARKDOWN",
        "html": "countercase.reports.page:HTML",
        "docx": "countercase.reports.word:WORD",
        "memo": "countercase.reports.counsel.memo:MEMO",
        "terminal": "countercase.reports.terminal:TERMINAL",
    },
)
"""`countercase.reports.write.ReportFormat` mappings: the files of each format and what makes them."""

COMMANDS: Final = Registry("commands", {})
"""Typer commands that other distributions add to `countercase`."""

_REGISTRIES: Final = {
    it.kind: it
    for it in (FACT_TYPES, RANKERS, CORPUS_READERS, ENCODERS, VALIDATORS, REPORT_FORMATS, COMMANDS)
}


def register(kind: str, name: str, part: Any) -> None:
    """Add a part of one kind to the running program.

    >>> register("rankers", "tfidf", TfidfRanker)  # doctest: +SKIP

    Raises:
        ConfigError: there is no such kind of part.
    """
    if kind not in _REGISTRIES:
        raise ConfigError(f"no extension point {kind!r} (known: {', '.join(_REGISTRIES)})")
    _REGISTRIES[kind].register(name, part)
