"""Which cases of a corpus a filter allows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.snapshot import Snapshot
from countercase.corpus.judgment.metadata import Metadata
from countercase.retrieval.base import Filters


def allowed_cases(snapshot: Snapshot, filters: Filters) -> NDArray[np.bool_]:
    """True for each case that meets every condition, shape (cases,).

    A judgment whose year is not known meets no condition on years.
    """
    return np.asarray([_meets(metadata, filters) for metadata in snapshot.metadata], dtype=bool)


def _meets(metadata: Metadata, filters: Filters) -> bool:
    year = metadata.year
    if filters.year_from is not None and (year is None or year < filters.year_from):
        return False
    if filters.year_to is not None and (year is None or year > filters.year_to):
        return False
    if filters.court and filters.court.lower() not in metadata.court.lower():
        return False
    if filters.bench and not any(filters.bench.lower() in j.lower() for j in metadata.bench):
        return False
    return not filters.provision or any(
        cited == filters.provision or cited.startswith(filters.provision + "(")
        for cited in metadata.provisions
    )
