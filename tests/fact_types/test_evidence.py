"""Which sentences say that there is evidence, and of what type."""

from __future__ import annotations

from labelled_rows import labelled, read_rows

from countercase.fact_types.evidence.naming import name_item
from countercase.fact_types.evidence.recognise import CIRCUMSTANCE, evidence_items
from countercase.fact_types.evidence.triggers import Trigger
from countercase.facts.vocabulary import EVIDENCE_TYPES
from countercase.io import read_table


def _types(text: str) -> list[str]:
    return [item.value.evidence_type for item in evidence_items(text)]


@labelled("evidence_kinds")
def test_each_type_is_known_by_its_words(text: str, kind: str) -> None:
    assert kind in _types(text)


def test_every_type_of_the_vocabulary_has_words_and_an_example() -> None:
    triggers = read_table("fact_types/evidence_triggers", Trigger)
    named = set(EVIDENCE_TYPES) - {CIRCUMSTANCE}
    assert {trigger.evidence_type for trigger in triggers} == named
    assert {row["kind"] for row in read_rows("evidence_kinds")} == named


@labelled("absent_evidence")
def test_what_is_denied_or_missing_or_never_looked_for_is_absent(text: str, kind: str) -> None:
    states = [(item.value.evidence_type, item.value.strength) for item in evidence_items(text)]
    assert states == [(kind, "absent")]


def test_company_decides_what_ambiguous_words_mean() -> None:
    told = "That night she told her mother everything."
    assert _types(f"The girl was raped. {told}") == ["victim_testimony"]
    assert _types(f"The tenant left. {told}") == []
    assert _types("P.W. 8 conducted the autopsy after the assault.") == ["medical"]
    assert "eyewitness" not in _types("P.W. 9 recorded the assault in his diary.")


def test_a_body_found_on_a_disclosure_is_a_recovery() -> None:
    assert _types("At his instance the body was recovered from a well.") == ["recovery"]


def test_an_extrajudicial_confession_is_not_a_confession_too() -> None:
    assert _types("He made an extra-judicial confession to the barber.") == [
        "extrajudicial_confession"
    ]


def test_at_most_one_of_a_type_in_a_sentence() -> None:
    text = "The post-mortem report and the injury report agree."
    assert _types(text) == ["medical"]
    (item,) = evidence_items(text)
    assert [text[s.start : s.end] for s in item.spans] == ["post-mortem report", "injury report"]


def test_neighbouring_sentences_of_a_type_are_one_item_and_distant_ones_two() -> None:
    near = "A cheque was given. The cheque bounced."
    far = "A cheque was given. He went home. It rained. The lease deed was lost."
    assert [len(item.spans) for item in evidence_items(near)] == [2]
    assert [len(item.spans) for item in evidence_items(far)] == [1, 1]


def test_each_document_of_a_list_is_an_item_of_its_own_named_by_itself() -> None:
    text = "The sale deed, two rent receipts and the ration card were produced by the tenant."
    values = [item.value for item in evidence_items(text)]
    assert [name_item(value) for value in values] == ["sale deed", "rent receipts", "ration card"]
    assert [value.description for value in values][1:] == [
        "two rent receipts",
        "the ration card were produced by the tenant.",
    ]


def test_a_record_told_again_later_is_the_same_item_and_another_of_its_noun_is_not() -> None:
    again = (
        "The lease deed is on file. He left; it rained. Nobody came. The deed has his thumb mark."
    )
    other = "The birth certificate is on file. It rained. The school certificate names 2004."
    assert [len(item.spans) for item in evidence_items(again)] == [2]
    assert [len(item.spans) for item in evidence_items(other)] == [1, 1]


def test_what_a_record_is_and_what_holds_it_are_one_item() -> None:
    (item,) = evidence_items("The footage of the shop camera was played in court.")
    assert len(item.spans) == 2


def test_there_is_one_dying_declaration_however_far_its_mentions() -> None:
    text = "A dying declaration exists. He left. It rained. The dying declaration is short."
    assert [len(item.spans) for item in evidence_items(text)] == [2]


def test_descriptions_are_short_lines_that_end_with_a_word() -> None:
    text = (
        "On the evening of the fair, while the shops were closing and the lamps had been lit along "
        "the whole length of the bazaar, the chowkidar, who had\nworked there since his youth, "
        "saw the accused running away with a stick in his hand."
    )
    item = next(i for i in evidence_items(text) if i.value.evidence_type == "eyewitness")
    assert len(item.value.description) <= 160
    assert "saw the accused running away" in item.value.description
    assert item.value.description in " ".join(text.split())
