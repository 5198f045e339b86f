"""Settings: every tunable constant with its default, its meaning and its bounds.

`Settings` are those of one run. They come from the defaults below, `settings.py`, `COUNTERCASE_*`
environment variables and the flags of a command; later sources win. `settings.py` holds literals
only: it is parsed, never executed.

Functions below the session take the values that they use, or one of two groups:
`RetrievalSettings` and `TreeSettings`.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from countercase.errors import ConfigError, InputError, did_you_mean
from countercase.io import read_literal, shown
from countercase.registry import RANKERS as REGISTERED_RANKERS

SETTINGS_FILE = "settings.py"
ENV_PREFIX = "COUNTERCASE_"
ENV_OTHER = frozenset(
    ENV_PREFIX + n for n in ("HOME", "DATA", "TOKEN", "LLM_API_KEY", "JUDGE_API_KEY", "JUDGE_KEY")
)
"""Environment variables with our prefix that are not settings."""
_WITHOUT_EFFECT = {"THREADS", "MAX_INPUT_BYTES", "MAX_CHARACTERS", "MAX_SENTENCES", "JUDGMENT_URL"}


class UnknownSettingWarning(UserWarning):
    """An environment variable with our prefix names no setting."""


def _registered(given: Any) -> Any:
    names = [*filter(None, map(str.strip, given.split(",")))] if isinstance(given, str) else given
    if not names or not isinstance(names, list | tuple):
        raise ValueError(f"name one or more of {', '.join(REGISTERED_RANKERS.names())}")
    for name in names:
        if isinstance(name, str) and name not in REGISTERED_RANKERS:
            raise ValueError(REGISTERED_RANKERS.unknown(name))
        if names.count(name) > 1:
            raise ValueError("a ranker stands there twice; give it a weight instead")
    return tuple(names)


RankerNames: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_registered)]
Switch: TypeAlias = Annotated[bool, Field(strict=False)]
"""The environment may say `0`, `off` or `false`."""

_CHANNELS: Final = ("dpr", "chroma", "lexical")
_LARGEST: Final[Mapping[type, int]] = {int: 10**9, float: 1_000}
"""How far from zero a number of each type may be: beyond it lies no use, but overflow."""


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @field_validator("*")
    @classmethod
    def _within_use(cls, value: Any) -> Any:
        if (most := _LARGEST.get(type(value))) and abs(value) > most:
            raise ValueError(f"it must lie between -{most:,} and {most:,}")
        return value


class Settings(_Group):
    """All settings of one run; immutable."""

    # Retrieval
    RANKERS: RankerNames = Field((*_CHANNELS, "quotations"), description="channels that RRF fuses")
    QUERY_READING: Literal["segments", "whole"] = Field(
        "segments", description="how a narrative is read: per segment, or as one vector (classic)"
    )
    SEARCH: Literal["exact", "chroma"] = Field(
        "exact", description="how chunks are found: all compared, or candidates from Chroma"
    )
    RRF_K: int = Field(20, ge=1, le=10_000, description="the k of 1 / (k + rank) in rank fusion")
    DPR_WEIGHT: float = Field(0.5, gt=0, description="weight of the DPR channel in the fusion")
    CHROMA_WEIGHT: float = Field(0.2, gt=0, description="weight of the Chroma channel in fusion")
    LEXICAL_WEIGHT: float = Field(1.0, gt=0, description="weight of the lexical channel in fusion")
    MMR_LAMBDA: float = Field(
        0.7, ge=0, le=1, description="relevance against novelty in MMR: 1 is relevance alone"
    )
    MMR_HEAD: int = Field(45, ge=1, description="cases of the fused head that MMR chooses from")
    RERANK_POOL: int = Field(30, ge=1, description="cases that MMR hands to the cross-encoder")
    RERANK_WEIGHT: float = Field(
        0.3, ge=0, description="the cross-encoder's vote beside the channels' in the final ranking"
    )
    CONTRAST_WEIGHT: float = Field(
        0.6, ge=0, description="gain of a decision for a point on its side; 0: none"
    )
    RERANK_SEGMENTS: int = Field(
        40, ge=1, description="most segments of a narrative that the cross-encoder reads"
    )
    TOP_K: int = Field(10, ge=1, le=100, description="precedents of a ranking; the K of K + 1")
    USE_MMR: Switch = Field(True, description="whether stage 4 (MMR) runs")
    USE_RERANKER: Switch = Field(True, description="whether stage 5 (the cross-encoder) runs")
    RERANKER: Literal["apart", "joint"] = Field(
        "apart", description="how the cross-encoder reads a segment and a chunk: alone or together"
    )
    STANDOUT_Z: float = Field(
        2.5, description="standard deviations above the corpus at which a match counts (log10 n)"
    )
    HUBNESS_WEIGHT: float = Field(
        0.5, ge=0, le=1, description="share of a judgment's mean best cosine that is taken off"
    )
    PROVISION_WEIGHT: float = Field(11.0, ge=0, description="of a cited provision beside BM25")
    STATEMENT_POWER: float = Field(
        1.5, ge=0, le=6, description="power of the salience by which statements weigh; 0: all alike"
    )
    STATEMENT_WEIGHT: float = Field(
        1.5, gt=0, le=10, description="weight of a statement of salience 1 beside the residue's 1"
    )
    NEAR_DUPLICATE: float = Field(0.98, gt=0, le=1, description="cosine of the case itself again")
    # Text
    CHUNK_PIECES: int = Field(200, ge=32, le=400, description="word pieces of a chunk, about")
    SEGMENT_PIECES: int = Field(128, ge=16, le=256, description="most word pieces of a segment")
    PAIR_PIECES: int = Field(384, ge=64, le=512, description="most word pieces of a scored pair")
    # Counterfactuals
    DEPTH: int = Field(2, ge=0, le=4, description="edits on the longest path of the tree")
    MAX_CHILDREN: int = Field(
        24, ge=1, le=200, description="what-ifs tried at one state below the case as it is"
    )
    MAX_STATES: int = Field(
        160, ge=1, le=10_000, description="states of a tree, at most; at least one of every fact"
    )
    MIN_DISPLACEMENT: float = Field(
        1.0, ge=0, description="mean displacement below which a branch is not grown"
    )
    DISPOSITIVE_THRESHOLD: float = Field(
        1.5, ge=0, description="mean displacement above which a fact is called dispositive"
    )
    NULL_EDITS: int = Field(
        40, ge=0, description="restatements measured to learn how far words alone move a ranking"
    )
    # Input
    MAX_CHARACTERS: int = Field(300_000, ge=1000, description="longest narrative, in characters")
    MAX_SENTENCES: int = Field(3_000, ge=10, description="longest narrative, in sentences")
    MAX_INPUT_BYTES: int = Field(20_000_000, ge=1000, description="largest case file, in bytes")
    FACT_TAGGER: Switch = Field(
        True, description="whether the trained tagger names parties, courts, witnesses and dates"
    )
    # Machine and reports
    THREADS: int = Field(0, ge=0, description="threads of the encoders; 0: one per core")
    PRECISION: Literal["auto", "bf16", "f32"] = Field(
        "auto", description="arithmetic of the encoders; auto: bf16 where the processor has it"
    )
    JUDGMENT_URL: str = Field(
        "",
        pattern=r'^(https?://[^\s/{}<>"@]+/[^\s<>"]*\{(title|citation|case_id)\}[^\s<>"]*)?$',
        description="your source of judgments: http(s) and {title}, {citation} or {case_id}",
    )

    def retrieval(self, others: Mapping[str, float] | None = None) -> RetrievalSettings:
        """The settings of retrieval; `others` are weights of rankers that no setting names."""
        weights = {name: getattr(self, f"{name.upper()}_WEIGHT") for name in _CHANNELS}
        own = self._group(RetrievalSettings)
        return RetrievalSettings(weights={**(others or {}), **weights}, **own)

    def reading(self) -> dict[str, Any]:
        """What reading a case takes: `read_case(path, **settings.reading())`, `extract` alike."""
        return {"tagger": self.FACT_TAGGER, "longest": (self.MAX_CHARACTERS, self.MAX_SENTENCES)}

    def tree(self) -> TreeSettings:
        """The settings of a perturbation tree and its verdicts."""
        return TreeSettings(**self._group(TreeSettings))

    def encoding(self) -> dict[str, Any]:
        """What opening the encoders takes: `open_encoders(models, **settings.encoding())`."""
        return {it: getattr(self, it.upper()) for it in ("threads", "precision", "pair_pieces")}

    def _group(self, group: type[BaseModel]) -> dict[str, Any]:
        names = {name: name.upper() for name in group.model_fields}
        return {name: getattr(self, field) for name, field in names.items() if hasattr(self, field)}

    def fingerprint(self) -> dict[str, Any]:
        """The settings that can change a result, for `settings` of a report."""
        return self.model_dump(mode="json", exclude=_WITHOUT_EFFECT)


def _same_as(name: str) -> Any:
    return copy(Settings.model_fields[name])


class RetrievalSettings(_Group):
    """How a corpus is ranked. `top_k` is an argument of a retrieval, not a setting.

    A ranker that `weights` leaves out weighs what its class says (`default_weight`), else 1.
    """

    rankers: RankerNames = _same_as("RANKERS")
    query_reading: Literal["segments", "whole"] = _same_as("QUERY_READING")
    search: Literal["exact", "chroma"] = _same_as("SEARCH")
    rrf_k: int = _same_as("RRF_K")
    weights: Mapping[str, float] = Field(default_factory=dict, validate_default=True)
    mmr_lambda: float = _same_as("MMR_LAMBDA")
    mmr_head: int = _same_as("MMR_HEAD")
    rerank_pool: int = _same_as("RERANK_POOL")
    rerank_weight: float = _same_as("RERANK_WEIGHT")
    contrast_weight: float = _same_as("CONTRAST_WEIGHT")
    rerank_segments: int = _same_as("RERANK_SEGMENTS")
    standout_z: float = _same_as("STANDOUT_Z")
    hubness_weight: float = _same_as("HUBNESS_WEIGHT")
    provision_weight: float = _same_as("PROVISION_WEIGHT")
    near_duplicate: float = _same_as("NEAR_DUPLICATE")
    use_mmr: Switch = _same_as("USE_MMR")
    use_reranker: Switch = _same_as("USE_RERANKER")
    reranker: Literal["apart", "joint"] = _same_as("RERANKER")

    @field_validator("weights")
    @classmethod
    def _with_defaults(cls, weights: Mapping[str, float]) -> Mapping[str, float]:
        if not all(0 < weight <= _LARGEST[float] for weight in weights.values()):
            raise ValueError(f"weights lie between 0 and {_LARGEST[float]:,}")
        fields = Settings.model_fields
        return {name: fields[f"{name.upper()}_WEIGHT"].default for name in _CHANNELS} | {**weights}

    def by_name(self) -> dict[str, Any]:
        """The same settings by their names in `Settings`."""
        weights = {f"{name.upper()}_WEIGHT": self.weights[name] for name in _CHANNELS}
        return weights | {name.upper(): value for name, value in self if name != "weights"}

    def weight_of(self, ranker: str) -> float:
        """The weight of a ranker in the fusion."""
        if (weight := self.weights.get(ranker)) is None:
            weight = getattr(REGISTERED_RANKERS.get(ranker), "default_weight", 1.0)
        if isinstance(weight, float | int) and 0 <= weight <= _LARGEST[float]:
            return float(weight)
        raise InputError(f"rankers {ranker!r}: its default_weight must be a number from 0 to 1,000")


class TreeSettings(_Group):
    """How a perturbation tree is grown and its facts are judged."""

    depth: int = _same_as("DEPTH")
    max_children: int = _same_as("MAX_CHILDREN")
    max_states: int = _same_as("MAX_STATES")
    min_displacement: float = _same_as("MIN_DISPLACEMENT")
    dispositive_threshold: float = _same_as("DISPOSITIVE_THRESHOLD")
    null_edits: int = _same_as("NULL_EDITS")
    top_k: int = _same_as("TOP_K")


def load_settings(
    directory: Path | None = None,
    environ: Mapping[str, str] | None = None,
    flags_from: str = "command line",
    **flags: Any,
) -> Settings:
    """Settings of a run started in `directory` (the working directory by default).

    `flags` are settings by name, None: not given; messages say that they come from `flags_from`. An
    environment variable that names no setting is a warning (`UnknownSettingWarning`). ConfigError
    for an unknown name in the file or among the flags (the nearest known one is named), a value of
    the wrong type or out of bounds, or a `settings.py` that holds more than literals.
    """
    values: dict[str, Any] = {}
    origin: dict[str, str] = {}
    path = (directory or Path.cwd()) / SETTINGS_FILE
    for source, layer in (
        (str(path), read_settings_file(path) if os.path.lexists(path) else {}),
        ("environment", _from_environment(os.environ if environ is None else environ)),
        (flags_from, {name: value for name, value in flags.items() if value is not None}),
    ):
        for name, value in layer.items():
            if name not in Settings.model_fields:
                raise ConfigError(
                    f"{source}: unknown setting {name}{did_you_mean(name, Settings.model_fields)}"
                )
            values[name], origin[name] = value, source
    try:
        return Settings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        name, problem = str(first["loc"][0]), first["msg"].removeprefix("Value error, ")
        problem = problem.replace("Input should be", "it must be")
        option = f"--{name.removeprefix('DISPOSITIVE_').lower().replace('_', '-')}"
        own = {"environment": f"{ENV_PREFIX}{name} =", "command line": option}
        where = own.get(origin[name], f"{origin[name]}: {name} =")
        raise ConfigError(f"{where} {shown(values.get(name))}: {problem}") from error


def read_settings_file(path: Path) -> dict[str, Any]:
    """Names and literal values of a `settings.py`, parsed and never executed."""
    if not path.is_file():
        raise ConfigError(f"{path}: must be a file; rename what stands there")
    try:
        tree = ast.parse(path.read_text(encoding="utf-8-sig"), filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError) as error:
        raise ConfigError(f"{path}: not readable as Python: {str(error) or 'too deep'}") from error
    values: dict[str, Any] = {}
    for node in tree.body if ast.get_docstring(tree) is None else tree.body[1:]:
        where = f"{path}, line {node.lineno}"
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if name not in values:
                try:
                    values[name] = read_literal(node.value)
                except ValueError as error:
                    raise ConfigError(f"{where}: {name} is not a literal") from error
            case _:
                raise ConfigError(f"{where}: only NAME = literal may stand here, each once")
    return values


def settings_template() -> str:
    """The `settings.py` that `countercase init` writes: every default with its meaning."""
    lines = [
        '"""Settings of this CounterCase workspace: literal constants only, read and never run.',
        "",
        "A line that is taken out falls back to the default. `COUNTERCASE_<NAME>` in the",
        "environment and flags on the command line win over this file.",
        '"""',
        "",
    ]
    for name, info in Settings.model_fields.items():
        value = info.default
        literal = f"{value:_}" if type(value) is int else repr(value).replace("'", '"')
        lines.append(f"{name} = {literal}  # {info.description}")
    return "\n".join(lines) + "\n"


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key in sorted(key for key in environ.keys() - ENV_OTHER if key.startswith(ENV_PREFIX)):
        name, raw = key.removeprefix(ENV_PREFIX), environ[key]
        if name not in Settings.model_fields:
            told = f"environment: {key} names no setting{did_you_mean(name, Settings.model_fields)}"
            warnings.warn(told, UnknownSettingWarning, stacklevel=3)
            continue
        with suppress(ValueError):
            raw = read_literal(raw)
        values[name] = raw
    return values
