"""Which cases cite which provisions, as terms of the lexical channel.

A provision is matched under the code that was in force longest: sections of the BNS, BNSS and BSA
count as the sections of the IPC, CrPC and Evidence Act that they took the place of, so that a
change of code is no change of law. A sub-section also counts as its section.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from countercase.errors import InputError
from countercase.law.citations import provisions_in
from countercase.law.provisions import predecessors

_SECTION: Final = re.compile(r"^([^-]+-[^-(]+)")


def provision_terms(provisions: Iterable[str]) -> tuple[str, ...]:
    """The distinct terms of some provisions, sorted: each provision and its section."""
    terms: set[str] = set()
    for provision in provisions:
        for known in _matched_as(provision):
            terms.add(known)
            section = _SECTION.match(known)
            if section:
                terms.add(section.group(1))
    return tuple(sorted(terms))


def _matched_as(provision: str) -> tuple[str, ...]:
    try:
        return predecessors(provision) or (provision,)
    except InputError:
        # Given by a corpus in a form of its own (a tariff item, say): it still matches itself.
        return (provision,)


class TermCases:
    """For each term, the cases that have it, given the terms of each case in order."""

    def __init__(self, terms: Sequence[Sequence[str]]) -> None:
        self._terms = [tuple(listed) for listed in terms]
        self._cases: dict[str, list[int]] = {}
        for case, listed in enumerate(self._terms):
            for term in listed:
                self._cases.setdefault(term, []).append(case)
        sizes = np.asarray([len(listed) for listed in self._terms], dtype=np.float64)
        usual = 1.0 + (sizes.mean() if len(sizes) else 0.0)
        self._share: NDArray[np.float64] = np.sqrt(usual / (1.0 + sizes))

    def total(self, terms: Iterable[str]) -> NDArray[np.float64]:
        """Σ over `terms` of idf · √((1 + mean) / (1 + terms of the case)), shape (cases,).

        The mean is over the corpus, so that the scores are of one size in corpora of long
        judgments and of short records. A term that no case has adds nothing.
        """
        total: NDArray[np.float64] = np.zeros(len(self._terms))
        for term in terms:
            cases = self._cases.get(term, [])
            if cases:
                rarity = math.log(1 + (len(self._terms) - len(cases) + 0.5) / (len(cases) + 0.5))
                total[cases] += rarity * self._share[cases]
        return total

    def cases(self, terms: Iterable[str]) -> int:
        """How many cases have one of these terms."""
        return len({case for term in terms for case in self._cases.get(term, ())})

    def save(self, path: Path) -> None:
        """Write the terms as JSON."""
        path.write_text(json.dumps(self._terms), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """What `save` wrote."""
        return cls(json.loads(path.read_text(encoding="utf-8")))


class CitingCases(TermCases):
    """For each provision term, the cases that cite it."""

    def scores(self, text: str) -> NDArray[np.float64]:
        """The `total` of the provisions that `text` cites."""
        return self.total(provision_terms(provisions_in(text)))

    def known_terms(self, text: str) -> tuple[str, ...]:
        """The provision terms of `text` that some case cites."""
        return tuple(term for term in provision_terms(provisions_in(text)) if term in self._cases)
