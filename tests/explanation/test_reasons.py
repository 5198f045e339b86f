"""A reason is stated only for what makes the fact itself, and a decision is quoted in its own words."""

from __future__ import annotations

from typing import Any

from labelled_rows import labelled
from perturbation_cases import type_of, value_of

from countercase.corpus.documents import Document
from countercase.corpus.index.build import index_in_memory
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.explanation.quotes import Quoter
from countercase.explanation.reasons import nearest_first, reasons_shared
from countercase.facts.extraction import extract
from countercase.facts.model import Fact


@labelled("reasons_shared")
def test_a_passage_is_near_for_what_it_says_of_the_facts(
    facts: list[Any], segment: str, passage: str, reasons: list[str]
) -> None:
    values = [value_of(list(said) if isinstance(said, tuple) else said) for said in facts]
    made = [Fact(f"f{n}", type_of(value), value) for n, value in enumerate(values)]
    assert reasons_shared(made, segment, passage) == tuple(reasons)


HELD = "The owner of the bus pays for the wrong of the man whom he let drive it."
WORDS = "Bus hits a cyclist at dusk; careless driving; compensation from the owner of the bus"
TEXT = f"Facts\n\nA bus struck a boy who was riding home.\n\nHolding\n\n{HELD}"


def test_catchwords_find_a_decision_and_are_never_quoted(encoders: EmbeddedEncoders) -> None:
    told = Document("a", "A v. B", f"{TEXT}\n\nCatchwords\n\n{WORDS}")
    snapshot = index_in_memory([told], encoders, 20)
    chunks = range(int(snapshot.starts[1]))
    assert any("careless driving" in snapshot.text(chunk) for chunk in chunks)
    quoter = Quoter(snapshot, encoders)
    quoted = quoter.quotes([(WORDS, chunk) for chunk in chunks])
    assert {quote.section for quote in quoted.values()} == {"holding"}
    assert {quote.text for quote in quoted.values()} == {HELD}


def test_a_text_of_catchwords_alone_is_quoted_all_the_same(encoders: EmbeddedEncoders) -> None:
    snapshot = index_in_memory([Document("a", "", f"Catchwords\n\n{WORDS}")], encoders, 200)
    [quote] = Quoter(snapshot, encoders).quotes([(WORDS, 0)]).values()
    assert (quote.text, quote.section) == (WORDS, "header")


def test_what_is_nearest_to_the_case_of_what_a_decision_turned_on_stands_first() -> None:
    """A shared provision goes before shared words, and more of its words before more words."""
    order = "order in the other case: it rested on service that the respondent did not have"
    delay = "Article 226 of the Constitution and delay: writ courts help nobody who comes late"
    sleep = "sleeping over his rights: he was dismissed and came after twelve years"
    told = extract(
        "The respondent was dismissed from service and slept over his rights for twelve years. He "
        "then filed a writ petition under Article 226 of the Constitution."
    )
    assert nearest_first([order, sleep, delay], told) == (delay, sleep, order)
    assert nearest_first([order, delay], extract("A bus struck a boy.")) == (order, delay)
