"""Of what, or whose, the numbers of short notes are."""

from __future__ import annotations

import math

from labelled_rows import labelled

from countercase.fact_types.numerical.recognise import find_figures


@labelled("owners_of_figures")
def test_every_figure_has_its_owner_in_at_most_five_words(
    note: str, figures: list[tuple[str, float, str]]
) -> None:
    read = [mention.value for mention in find_figures(note)]
    assert all(len(value.context.split()) <= 5 for value in read)
    for kind, value, owner in figures:
        contexts = [
            v.context.lower()
            for v in read
            if v.kind == kind and math.isclose(v.value, value, rel_tol=0.01)
        ]
        assert any(owner in context for context in contexts), (kind, value, contexts)
