"""The two halves of the development pairs: one to choose and calibrate by, one to report."""

from __future__ import annotations

import zlib

from training.mining import TrainingSet


def halves(found: TrainingSet) -> tuple[list[int], list[int]]:
    """Development rows to choose by, and development rows to report on.

    All questions of one judgment fall into the same half.
    """
    rows = found.rows("development")
    odd = {at for at in rows if zlib.crc32(found.pairs[at].case_id.encode()) % 2}
    return [at for at in rows if at not in odd], [at for at in rows if at in odd]
