"""Requests and responses of the service; its OpenAPI schema is made from these."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator

MAX_QUERIES: Final = 64
"""Most queries of one request."""
MAX_CHARACTERS: Final = 100_000
"""Most characters of one query."""
MAX_TOP_K: Final = 100
"""Most results of one query."""
MAX_RESULTS: Final = 2_000
"""Most results of one request, over all its queries."""
MAX_BODY_BYTES: Final = 8_000_000
"""Most bytes of one request."""

QueryText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_CHARACTERS,
        pattern=r"\S",
        description="A text to find similar cases for: facts, a question, a whole narrative.",
    ),
]
TopK = Annotated[int, Field(ge=1, le=MAX_TOP_K, strict=True, description="Results of a query.")]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchRequest(_Request):
    """One query."""

    query: QueryText
    top_k: TopK = 10


class BatchSearchRequest(_Request):
    """Several queries, each answered as if it were sent alone.

    The list may be called `facts` as well.
    """

    queries: Annotated[
        list[QueryText],
        Field(
            min_length=1,
            max_length=MAX_QUERIES,
            validation_alias=AliasChoices("queries", "facts"),
            description="The queries; also read under the name `facts`.",
        ),
    ]
    top_k: TopK = 10

    @model_validator(mode="after")
    def _not_too_many(self) -> Self:
        if len(self.queries) * self.top_k > MAX_RESULTS:
            raise ValueError(f"more than {MAX_RESULTS} results; ask for fewer at a time")
        return self


class Hit(BaseModel):
    """One result."""

    id: Annotated[str, Field(description="The document's id in its corpus.")]
    rank: Annotated[int, Field(ge=1, description="From 1.")]
    score: Annotated[float, Field(description="Higher is better; see `rankers` of /health.")]
    title: str = ""
    text: Annotated[str, Field(description="The document's text.")]
    metadata: Annotated[
        dict[str, Any],
        Field(description="What the corpus says about it: court, date, charges, ..."),
    ] = {}


class SearchResponse(BaseModel):
    """The results of one query, best first."""

    results: list[Hit]


class BatchSearchResponse(BaseModel):
    """The results of each query, in the order of the queries."""

    results: list[list[Hit]]


class Health(BaseModel):
    """What is being served."""

    status: Literal["ok"] = "ok"
    corpus: str
    documents: int
    rankers: list[str]


class Invalid(BaseModel):
    """One thing that is wrong with a request."""

    loc: list[str | int]
    msg: str


class Problem(BaseModel):
    """Why a request was not answered."""

    detail: str | list[Invalid]
