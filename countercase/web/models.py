"""Requests and answers of the service, of which the OpenAPI schema is made, and what is stored."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field, model_validator

from countercase.config import Settings
from countercase.corpus.judgment.metadata import area_name
from countercase.corpus.judgment.treatment import Treatment
from countercase.errors import InputError
from countercase.facts.case_schema import CaseFile
from countercase.law.provisions import normal_form
from countercase.registry import FACT_TYPES
from countercase.retrieval.base import Filters, StageScore
from countercase.text.spans import Span
from countercase.web.corpora import Hit

Status: TypeAlias = Literal[
    "queued", "running", "done", "cancelled", "stopped", "failed", "broken", "unreadable"
]
Rows: TypeAlias = list[dict[str, Any]]
MAX_QUERIES: Final = 64
"""Most queries of one request."""
MAX_CHARACTERS: Final = 100_000
"""Most characters of one query or narrative."""
MAX_TOP_K: Final = 100
"""Most results of one query."""
MAX_RESULTS: Final = 2_000
"""Most results of one request, over all its queries."""
MAX_STATES: Final = 500
"""Most states of a tree that is grown here."""

QueryText = Annotated[str, Field(
    min_length=1, max_length=MAX_CHARACTERS, pattern=r"\S",
    description="A text to find similar cases for, in an index of models at most 30,000 characters.",
)]  # fmt: skip
TopK = Annotated[int, Field(ge=1, le=MAX_TOP_K, strict=True, description="Results of a query.")]
Year = Annotated[int, Field(ge=1800, le=2200)]
Words = Annotated[str, Field(max_length=200)]
CorpusName = Annotated[str, Field(
    max_length=100,
    description="A corpus that is indexed here; the one that is served where it is left out.",
)]  # fmt: skip


def _provision(given: str) -> str:
    try:
        return normal_form(given) if given.strip() else ""
    except InputError as error:
        raise ValueError(str(error)) from error


def _fact_type(given: str) -> str:
    if given not in FACT_TYPES:
        raise ValueError(f"no fact type (known: {', '.join(FACT_TYPES.names())})")
    return given


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchRequest(_Request):
    """One query."""

    query: QueryText
    top_k: TopK = 10


class BatchSearchRequest(_Request):
    """Several queries, called `facts` as well, each answered as if it were sent alone."""

    queries: list[QueryText] = Field(
        min_length=1, max_length=MAX_QUERIES, validation_alias=AliasChoices("queries", "facts"),
        description="The queries; also read under the name `facts`.",
    )  # fmt: skip
    top_k: TopK = 10

    @model_validator(mode="after")
    def _not_too_many(self) -> Self:
        if len(self.queries) * self.top_k > MAX_RESULTS:
            raise ValueError(f"more than {MAX_RESULTS} results; ask for fewer at a time")
        return self


class FilterOptions(_Request):
    """Which decisions may be found at all."""

    year_from: Year | None = None
    year_to: Year | None = None
    court: Words = Field("", description="Part of the court's name.")
    bench: Words = Field("", description="Part of a judge's name.")
    provision: Annotated[Words, AfterValidator(_provision)] = Field(
        "", description="A provision that the decision cites: `IPC-302`, `s. 302 IPC`."
    )
    areas: list[Annotated[Words, AfterValidator(area_name)]] = Field(
        [], max_length=50, description="Areas of law, of which the decision's must be one: `land`."
    )
    good_law: bool = Field(False, description="Leave out what was overruled or superseded.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.year_from and self.year_to and self.year_from > self.year_to:
            raise ValueError("the first year is after the last; swap them")
        return self

    def filters(self) -> Filters:
        """Return the same for the retriever."""
        areas = tuple(dict.fromkeys(filter(None, self.areas)))
        named = (self.court, self.bench, self.provision, areas, self.good_law)
        return Filters(self.year_from, self.year_to, *named)


class RetrieveRequest(SearchRequest, FilterOptions):
    """A text whose precedents are wanted, with what they are filtered by."""

    corpus: CorpusName = ""


class AnalysisOptions(FilterOptions):
    """How a case is analysed; what is left out is as the server's settings say."""

    corpus: CorpusName = ""
    top_k: TopK | None = None
    depth: Annotated[int, Field(ge=0, le=4)] | None = None
    max_states: Annotated[int, Field(ge=1, le=MAX_STATES)] | None = None
    max_children: Annotated[int, Field(ge=1, le=200)] | None = None
    min_displacement: Annotated[float, Field(ge=0, le=101, allow_inf_nan=False)] | None = None
    threshold: Annotated[float, Field(ge=0, le=101, allow_inf_nan=False)] | None = None
    criterion: Literal["threshold", "calibrated"] = "threshold"
    types: list[Annotated[str, AfterValidator(_fact_type)]] | None = Field(
        None, min_length=1, max_length=20, description="Fact types to change; all where left out."
    )

    def settings(self) -> dict[str, Any]:
        """Return the settings that are asked for, by name."""
        asked = {name.upper(): value for name, value in self}
        asked["DISPOSITIVE_THRESHOLD"] = asked.pop("THRESHOLD")
        return {k: v for k, v in asked.items() if k in Settings.model_fields and v is not None}


class CaseInput(_Request):
    """A case: its narrative, or a case file."""

    text: QueryText | None = Field(None, description="The narrative; its facts are read from it.")
    case: CaseFile | None = Field(None, description="A case.json; what it leaves out is read.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.case is None):
            raise ValueError("give either text or case")
        if self.case is not None and len(self.case.text) > MAX_CHARACTERS:
            raise ValueError(f"the text of the case has more than {MAX_CHARACTERS:,} characters")
        return self


class AnalysisRequest(CaseInput):
    """A case to be analysed."""

    options: AnalysisOptions = Field(default_factory=lambda: AnalysisOptions.model_validate({}))


class SearchResponse(BaseModel):
    """The results of one query, best first."""

    results: list[Hit]


class BatchSearchResponse(BaseModel):
    """The results of each query, in the order of the queries."""

    results: list[list[Hit]]


class Queue(BaseModel):
    """The analyses that wait."""

    running: bool
    waiting: int
    room: int = Field(description="How many more may wait.")
    workers: int = Field(description="How many threads analyse; 0: none lives.")
    oldest: float = Field(description="Seconds that the one has waited which waits longest.")


class Health(BaseModel):
    """What is being served."""

    status: Literal["ok", "stopping", "no worker"] = "ok"
    version: str
    corpus: str
    documents: int
    rankers: list[str]
    queue: Queue | None = Field(None, description="Absent where nothing is analysed.")


class RetrievedPrecedent(BaseModel):
    """A precedent with its trace through the stages."""

    case_id: str
    title: str
    date: str
    court: str
    outcome: str
    rank: int
    score: float
    stages: dict[str, StageScore]
    standing: str = Field(description="`overruled` or `superseded`: bad law; else empty.")
    passage: str = Field(description="The passage that answers a segment of the text best.")


class RetrieveResponse(BaseModel):
    """The precedents of a text."""

    results: list[RetrievedPrecedent]
    weak_match: bool = Field(description="Whether these are only the nearest that there were.")


class FactOut(BaseModel):
    """One fact of a case."""

    fact_id: str
    fact_type: str
    value: str
    label: str
    spans: list[Span]


class FactsResponse(BaseModel):
    """The facts of a case, and the case file that states them."""

    facts: list[FactOut]
    occurred_on: str
    case: dict[str, Any]


class PrecedentResponse(BaseModel):
    """One decision of the corpus."""

    case_id: str
    title: str
    court: str
    date: str
    docket: str
    bench: list[str]
    provisions: list[str]
    areas: list[str]
    outcome: str
    turned_on: list[str]
    standing: str = Field(description="`overruled` or `superseded`: bad law; else empty.")
    treatment: list[Treatment]
    later: list[str] = Field(description="The same in sentences.")
    text: str


class ProgressOut(BaseModel):
    """How far an analysis is."""

    what: str = "reading the case"
    done: int = 0
    of: Annotated[int, Field(description="0 where it is not known.")] = 0
    seconds: float = 0.0
    left: float | None = Field(default=None, description="Seconds to go, as far as can be said.")


class AnalysisResponse(BaseModel):
    """An analysis: how far it is, and once it is over what it gave."""

    id: str
    status: Status
    case_id: str
    title: str
    detail: str = Field(description="Why it failed, or what was left unmeasured.")
    position: int = Field(description="Its place in the queue, from 1; 0 where it does not wait.")
    progress: ProgressOut | None = None
    links: dict[str, str]
    analysis: dict[str, Any] | None = Field(None, description="As analysis.json.")
    tree: dict[str, Any] | None = Field(None, description="As tree.json.")


class StoredCase(CaseFile):
    """A case file with where its text mentions each fact, by the fact's id, as it was first read.

    Looked up again, a mention may be longer or shorter, and the search would read another text.
    """

    model_config = ConfigDict(strict=False)

    mentions: dict[str, list[Span]] = Field(default_factory=dict)


class StoredResult(BaseModel):
    """What an analysis gave, as far as its pages rest on it."""

    class Analysis(BaseModel):
        """The parts of an analysis that its pages cannot do without."""

        precedents: Rows
        facts: Rows
        what_ifs: Rows
        settings: dict[str, Any]
        filters: Any
        complete: bool

    class Tree(BaseModel):
        """Those of its tree."""

        nodes: Rows
        links: Rows

    analysis: Analysis
    tree: Tree
    items: Rows
    lines: Rows
    notes: list[str]


class StoredRating(BaseModel):
    """What a rater says of an explanation, as it is stored."""

    scores: dict[str, int]
    notes: str
