"""Which places of a narrative a stated fact takes."""

from __future__ import annotations

import pytest
from labelled_rows import labelled

from countercase.fact_types.evidence.recognise import locate_evidence
from countercase.fact_types.numerical.recognise import locate
from countercase.facts.model import EvidenceValue, NumericalValue
from countercase.text.spans import Span

WALK = "He walked home along the river, past the mill and the two temples, before it got dark."


def _words(text: str, spans: tuple[Span, ...]) -> list[str]:
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize("context", ["", "price of the cow", "cheque of 4 May"])
def test_a_sum_stated_once_takes_all_the_ways_it_is_written(context: str) -> None:
    text = "The price of the cow was Rs. 5,50,000. Later he wrote a cheque for Rs. 5.5 lakh."
    value = NumericalValue("amount", 550_000.0, "INR", context)
    [(_, spans)] = locate(text, [value])
    assert _words(text, spans) == ["Rs. 5,50,000", "Rs. 5.5 lakh"]


def test_a_figure_stated_of_two_things_is_shared_out_by_what_it_is_of() -> None:
    text = f"The fine was Rs. 500. {WALK} The bribe was Rs. 500."
    values = [NumericalValue("amount", 500.0, "INR", word) for word in ("bribe", "fine")]
    bribe, fine = (spans for _, spans in locate(text, values))
    assert [span.start for span in fine] == [text.index("Rs.")]
    assert [span.start for span in bribe] == [text.rindex("Rs.")]
    text = f"They had been married for two years. {WALK} He was in jail for two years."
    [(_, spans)] = locate(text, [NumericalValue("duration", 2.0, "years", "in jail")])
    assert [span.start for span in spans] == [text.rindex("two years")]


@labelled("places_of_evidence")
def test_an_item_takes_the_mentions_that_speak_of_it(
    text: str, items: list[tuple[str, str]], places: list[tuple[str, ...]]
) -> None:
    located = locate_evidence(text, [EvidenceValue(kind, said) for kind, said in items])
    assert [tuple(_words(text, spans)) for spans in located] == places
