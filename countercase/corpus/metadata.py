"""What a judgment says of itself: court, date, docket, bench, provisions and outcome."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Metadata:
    """What is known of one judgment; an empty value means not known.

    Args:
        date: of the decision, ISO 8601 (`1973-09-26`), or empty.
        year: of the decision, or None; may be known where the date is not.
        bench: the judges named, without titles of office, in the order of the text.
        provisions: normal forms (`IPC-302`), in the order of first mention.
        outcome: one of `countercase.facts.vocabulary.OUTCOMES`, or empty.
    """

    title: str = ""
    court: str = ""
    date: str = ""
    year: int | None = None
    docket: str = ""
    bench: tuple[str, ...] = ()
    provisions: tuple[str, ...] = ()
    outcome: str = ""
