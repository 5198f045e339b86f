"""Every sentence of a judgment gets one label, by headings first and by its words and place."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from countercase.corpus.judgment.sections import CAPS, SECTIONS, Cue, Heading, label_sections
from countercase.io import read_table
from countercase.text.sentences import sentence_spans

PLAIN = """Ramesh Gowda v State of Karnataka
Supreme Court of India

4 March 1987
Criminal Appeal No. 61 of 1981
The Judgment was delivered by : P. Q. Sharma, J.
1. This appeal by special leave is from the order of the High Court that upheld a conviction.
2. The appellant was convicted of theft by the Magistrate at Hassan on 12 June 1979. He was \
sentenced to rigorous imprisonment for one year. The complaint was lodged by the owner of a mill.
3. Mr. Rao, learned counsel for the appellant, contended that the bags were never shown to be \
stolen. He submitted that the owner had not counted them.
4. The question is whether possession alone proves theft. Section 114 provides that the court may \
presume certain facts. It is well settled that the presumption must be drawn with care. The word \
"soon" in the illustration cannot be given a fixed meaning.
5. For these reasons we are of the opinion that the presumption was wrongly drawn.
6. The appeal is allowed. The bail bonds are discharged.
Appeal allowed.
"""


def labels_of(text: str) -> list[tuple[str, str]]:
    spans = sentence_spans(text)
    labels = label_sections(text, spans)
    return [(text[start:end], label) for (start, end), label in zip(spans, labels, strict=True)]


def label_at(text: str, words: str) -> str:
    (label,) = {label for sentence, label in labels_of(text) if words in sentence}
    return label


class TestWithoutHeadings:
    def test_a_judgment_goes_from_its_header_to_its_order(self) -> None:
        runs = [label for label, _ in groupby(label for _, label in labels_of(PLAIN))]
        assert runs == ["header", "facts", "arguments", "analysis", "holding", "order"]

    def test_the_order_of_a_court_below_is_no_order_of_this_court(self) -> None:
        text = PLAIN.replace("upheld a conviction", "said that the appeal is dismissed")
        assert label_at(text, "said that the appeal is dismissed") == "facts"


class TestHeadings:
    def test_headings_decide_where_there_are_any(self) -> None:
        text = (
            "FACTS\n\nThe lorry stood at the gate. It was loaded with rice.\n\n"
            "ARGUMENTS\n\nThe lorry was empty. Nobody saw rice.\n\n"
            "ANALYSIS\n\nA gate is a place. Rice is a good.\n\n"
            "HOLDING\n\nA lorry at a gate is in a place. Rice in it is in that place.\n\n"
            "ORDER\n\nThe lorry goes back to its owner. The rice does so too.\n"
        )
        found = dict(labels_of(text))
        assert found["It was loaded with rice."] == "facts"
        assert found["Nobody saw rice."] == "arguments"
        assert found["A gate is a place."] == "analysis"
        assert found["A lorry at a gate is in a place."] == "holding"
        assert found["Rice in it is in that place."] == "holding"

    def test_an_unknown_heading_ends_the_part_before_it(self) -> None:
        body = " ".join(["The clause must be read with the proviso."] * 12)
        text = f"FACTS\n\nThe lease began in May.\n\nTHE CLAUSE IN QUESTION\n\n{body}\n"
        assert labels_of(text)[-1][1] != "facts"


class TestAlways:
    @given(
        st.text(st.sampled_from("Aİß we hold.\n1)v appeal is allowed counsel urged"), max_size=300)
    )
    def test_as_many_labels_as_sentences_and_the_header_only_first(self, text: str) -> None:
        spans = sentence_spans(text)
        labels = label_sections(text, spans)
        assert len(labels) == len(spans)
        assert set(labels) <= set(SECTIONS)
        first = next((i for i, label in enumerate(labels) if label != "header"), len(labels))
        assert "header" not in labels[first:]

    def test_letters_that_grow_in_lower_case_do_not_move_the_cues(self) -> None:
        padded = "İ" * 400 + " was the mark on the wall. " + PLAIN.split("\n", 6)[6]
        assert label_at(padded, "wrongly drawn") == "holding"
        assert label_at(padded, "The appeal is allowed.") == "order"

    def test_the_tables_name_labels_only(self) -> None:
        cues = read_table("corpus/judgment/section_cues", Cue)
        headings = read_table("corpus/judgment/section_headings", Heading)
        assert {cue.label for cue in cues} == {*CAPS, "holding"} == set(SECTIONS[1:])
        assert {heading.label for heading in headings} == set(SECTIONS[1:])
