"""What a user supposes is read by the readers of cases into typed edits, one fact each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest
from example_cases import example
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_rows import labelled
from readers_to_fuzz import PIECES

import countercase as cc
from countercase.counterfactual.proposals import (
    SAYS_MORE,
    UNREAD,
    NoChangeError,
    make_edit,
    propose,
)
from countercase.counterfactual.states import Renderer, State
from countercase.counterfactual.suppose import read_suppositions
from countercase.errors import InputError
from countercase.fact_types.suppositions import statements_of
from countercase.facts.edits import BY_HAND, STATED, Edit
from countercase.facts.extraction import extract
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.retrieval.base import Query

TEXT = (
    "The accused, aged 24 years, struck one blow in a quarrel. He was convicted under section 302 "
    "of the Indian Penal Code. The deceased made a dying declaration before the Tehsildar. The "
    "police recovered 45 grams of heroin from his bag."
)
SHEET = extract(TEXT, "made-up", tagger=False)


def supposed(words: str, sheet: FactSheet = SHEET) -> Edit:
    """The edit of a supposition, which has no problem."""
    reading = read_suppositions(sheet, [words])
    assert reading.problems == ()
    [edit] = reading.edits
    assert edit.by_hand
    return edit


def figure_of(edit: Edit) -> tuple[str, str, float, str]:
    """The fact of an edit and the figure that it becomes."""
    assert isinstance(edit.after, NumericalValue)
    return edit.fact_id, edit.operation, edit.after.value, edit.after.unit


@labelled("supposed_figures")
def test_a_figure_replaces_the_one_of_the_case_that_measures_the_same(
    name: str, words: str, fact_id: str, value: float, unit: str
) -> None:
    edit = supposed(words, example(name))
    assert figure_of(edit) == (f"numerical:{fact_id}", "replace", value, unit)
    assert edit.supposition.startswith(f"Suppose {words}")


@pytest.mark.parametrize(
    ("words", "upper", "note"),
    [
        ("the loan had been Rs. 5 lakh to 8 lakh", 800_000, ""),
        ("the loan had been Rs. 5-8 lakh", 800_000, ""),
        ("the loan had been from Rs. 5 lakh to Rs. 8 lakh", None, SAYS_MORE),
        ("the loan were raised from Rs. 3 lakh to Rs. 5 lakh", None, ""),
    ],
)
def test_a_range_keeps_both_ends_or_says_that_one_was_taken(
    words: str, upper: float | None, note: str
) -> None:
    sheet = extract("The accused took a loan of Rs. 3 lakh.", "made-up", tagger=False)
    edit = supposed(words, sheet)
    assert isinstance(edit.after, NumericalValue)
    assert (edit.after.value, edit.after.upper, edit.note) == (500_000, upper, note)


def test_a_time_that_no_one_names_replaces_no_custody_and_another_drug_no_drug() -> None:
    """The only time of a case is not meant by every other time, least of all in another script."""
    sheet = extract("The accused was in custody for 7 months.", "made-up", tagger=False)
    for words in ("he had looked away for 3 years", "उसकी आयु 17 वर्ष थी"):
        assert supposed(words, sheet).operation == "add"
    assert supposed("the custody had been 3 years", sheet).operation == "replace"
    drug = supposed("20 kg of ganja were found", example("charas-search.json"))
    assert figure_of(drug)[1:] == ("add", 20, "kg")


@pytest.mark.parametrize("stated", ["He served for 26 years as a clerk.", "It took 10 minutes."])
def test_a_figure_of_another_measure_is_added_and_replaces_nothing(stated: str) -> None:
    """A marriage of eight years is no service of eight years, though no other time is told; it is
    added where the law draws a line through it, else it is kept as a sentence.
    """
    for charge, added in (("", None), (" He was charged under section 304B IPC.", 8.0)):
        edit = supposed("the marriage had lasted 8 years", extract(stated + charge, "made-up"))
        assert (edit.operation, edit.before) == ("add", None)
        assert getattr(edit.after, "value", None) == added


def test_what_the_law_draws_from_a_figure_changes_with_it() -> None:
    longer = supposed("the marriage had lasted 8 years", example("dowry-death.json"))
    assert {c.fact_id: c.perturbed_value for c in longer.consequences} == {
        "section:IPC-304B": "IPC-306", "section:IEA-113B": "",
    }  # fmt: skip
    lighter = supposed("it was 900 grams", example("charas-search.json"))
    assert [c.perturbed_value for c in lighter.consequences] == ["NDPS-20(b)(ii)(B)"]
    boy = supposed("he was 17", example("sudden-fight.json"))
    [party] = boy.consequences
    assert isinstance(party.after, PartyValue)
    assert party.after.party_type == "Minor"


@pytest.mark.parametrize(("year", "days"), [(2010, 2006), (2005, 3832)])  # to 2 July 2015
def test_a_date_moves_the_length_of_time_that_begins_with_it(year: int, days: int) -> None:
    edit = supposed(f"the marriage was on 3 January {year}", example("dowry-death.json"))
    fact_id, _, value, unit = figure_of(edit)
    assert (fact_id, unit) == ("numerical:duration:1", "years")
    assert value == pytest.approx(days / 365.25, abs=0.01)
    assert bool(edit.consequences) == (days > 7 * 365.25)


def test_a_date_at_the_end_is_counted_from_the_day_that_the_case_gives_for_the_beginning() -> None:
    text = "The cheque came back on 24.09.2024. The notice went out on 07.10.2024."
    length = NumericalValue("duration", 13, "days", "dishonour to notice")
    sheet = FactSheet("made-up", text, (Fact("numerical:duration:1", "Numerical", length),))
    edit = supposed("the notice had been sent on 2 November 2024", sheet)
    assert figure_of(edit) == ("numerical:duration:1", "replace", 39, "days")
    unknown = FactSheet("made-up", "A cheque came back.", sheet.facts)
    assert supposed("the notice was sent on 2 November 2024", unknown).fact_type == STATED


@labelled("supposed_evidence")
def test_evidence_is_denied_doubted_supplied_or_added(
    name: str, words: str, fact_id: str, operation: str, strength: str
) -> None:
    edit = supposed(words, example(name))
    assert isinstance(edit.after, EvidenceValue)
    assert (edit.fact_id, edit.operation) == (fact_id, operation)
    assert edit.after.strength == strength


@pytest.mark.parametrize(
    ("name", "words", "after"),
    [
        ("charas-search.json", "he was a juvenile", "Minor"),
        ("dishonoured-cheque.json", "the complainant were an individual", "Individual"),
        ("trap-case.json", "the accused was not a public servant", "Individual"),
        ("shop-tenancy.txt", "the tenant were a licensee", "Licensee"),
    ],
)
def test_a_party_is_another_kind_of_party(name: str, words: str, after: str) -> None:
    edit = supposed(words, example(name))
    assert isinstance(edit.after, PartyValue)
    assert (edit.fact_id, edit.after.party_type) == ("party:petitioner", after)


def charged(*named: str) -> FactSheet:
    """A matter in which these provisions are charged."""
    facts = tuple(Fact(f"section:{name}", "Section", SectionValue(name)) for name in named)
    return FactSheet("made-up", "She died of burns.", facts, occurred_on="2024-08-19")


@labelled("supposed_charges")
def test_a_charge_is_exchanged_dropped_or_added_and_a_bare_number_is_of_the_act_of_the_matter(
    words: str, fact_id: str, operation: str, after: str
) -> None:
    edit = supposed(words, charged("BNS-80", "BNS-85"))
    assert (edit.fact_id, edit.operation, edit.perturbed_value) == (fact_id, operation, after)


@pytest.mark.parametrize("new", ["section 306", "section 108 of the Bharatiya Nyaya Sanhita"])
def test_a_charge_by_hand_draws_what_the_same_question_of_the_catalogue_draws(new: str) -> None:
    """Without dowry death its presumption (113B) gives way to that of abetment (113A)."""
    sheet = example("dowry-death.json")
    by_hand = supposed(f"{new} were charged instead of 304B", sheet)
    [asked] = [edit for edit in propose(sheet) if edit.rule == "IPC-304B>IPC-306"]
    assert {c.fact_id: c.perturbed_value for c in by_hand.consequences} == {
        "section:IEA-113B": "IEA-113A"
    }
    assert [c.after for c in by_hand.consequences] == [c.after for c in asked.consequences]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sudden-fight.json", "the moon was up"),
        # near to a question of the catalogue in words alone
        ("dishonoured-cheque.json", "the signature was forged"),
        ("trap-case.json", "the demand was proved"),
        ("dowry-death.json", "the accused was a woman"),
    ],
)
def test_what_is_not_read_is_kept_as_a_statement_and_says_that_it_is(name: str, words: str) -> None:
    case = example(name)
    edit = supposed(words, case)
    assert (edit.fact_type, edit.operation, edit.note) == (STATED, "add", UNREAD)
    said, before = (Renderer(case).query(it).segments for it in (State.of([edit]), State()))
    assert {*said} - {*before} == {f"T{words[1:]}."}


def test_a_date_moves_every_length_of_time_that_ends_with_it() -> None:
    edit = supposed("the death had occurred on 2 July 2020", example("dowry-death.json"))
    assert figure_of(edit)[2:] == (11, "years")
    assert [c.perturbed_value.partition(" (")[0] for c in edit.consequences] == [
        "74.02 months", "IPC-306", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "measure", "days"),
    [
        ("the cheque was presented on 20 November 2024", "cheque to presentation", 102),
        ("the cheque had been returned unpaid on 13 November 2024", "dishonour to notice", 21),
        ("the notice was received on 18 December 2024", "receipt of notice to complaint", 33),
        ("the complaint was filed on 30 January 2025", "receipt of notice to complaint", 50),
    ],
)
def test_a_date_is_the_end_of_what_happened_on_it(words: str, measure: str, days: int) -> None:
    case = extract(
        "The cheque is dated 10 August 2024. It was presented on 6 November 2024 and came back on 8 "
        "November 2024. The notice was sent on 4 December 2024. It was received on 11 December 2024 "
        "and the complaint under section 138 NI Act filed on 20 January 2025.",
        "made-up",
    )
    edit = supposed(words, case)
    assert isinstance(edit.after, NumericalValue)
    begins, ends = map(date.fromisoformat, (edit.after.begins, edit.after.ends))
    assert (edit.after.context, (ends - begins).days) == (measure, days)


@pytest.mark.parametrize("opening", ["", "Suppose ", "suppose that ", "What if ", "If "])
def test_an_opening_is_left_aside(opening: str) -> None:
    assert supposed(f"{opening}there was no dying declaration.") == supposed(
        "there was no dying declaration"
    )


def test_the_short_forms() -> None:
    reading = read_suppositions(
        SHEET,
        change=["45 grams = 300 grams", "section 302 = section 304 Part II", "24 years = 1,7"],
        remove=["dying declaration"],
        add=["An eyewitness saw the blow from her roof", "Section 34 IPC"],
    )
    assert reading.problems == ()
    amount, section, age, gone, seen, added = reading.edits
    assert figure_of(amount)[2:] == (300, "g")
    assert section.after == SectionValue("IPC-304-II")
    assert figure_of(age)[2:] == (17, "years")
    assert (gone.operation, gone.after) == ("remove", None)
    assert isinstance(seen.after, EvidenceValue) and seen.after.evidence_type == "eyewitness"
    assert (added.operation, added.after) == ("add", SectionValue("IPC-34"))
    assert read_suppositions(SHEET, change=["24 years = 130 years"]).edits  # nobody is older


@pytest.mark.parametrize(
    ("how", "words", "says"),
    [
        ("suppositions", "Suppose .", "supposes nothing"),
        ("suppositions", "suppose that", "supposes nothing"),
        ("suppositions", "section 302 were charged instead of 302", "no other provision is read"),
        ("suppositions", "section 302 IPC instead of section 302", "no other provision is read"),
        ("suppositions", "999 IPC instead of 302", "no other provision is read"),
        ("suppositions", "he were 17 " * 200, "longer than 1,000 characters"),
        ("suppositions", "section 34 were not charged", str(NoChangeError())),
        ("suppositions", "the accused were 24 years old", str(NoChangeError())),
        ("suppositions", "section 103 were charged instead of 80", "does not cite section"),
        ("suppositions", "section 302 in place of section 307 IPC", "does not cite section"),
        ("suppositions", "the marriage \ud800 had lasted 8 years", "surrogate pair U+D800"),
        ("suppositions", "the accused was 17", "the same as one before it"),
        ("suppositions", "he was minus 8 years old", "below zero"),
        ("suppositions", "he was minus eight years old", "below zero"),
        ("change", "45 grams", 'write the words of a fact, "="'),
        ("change", "99 grams = 5 grams", "names no fact of the case; facts: "),
        ("change", "24 years = hat", "'hat' is not read as a number"),
        ("change", "45 grams = -8 grams", "below zero"),
        ("change", "24 years = 131 years", "nobody is 131 years old; the most is 130 years"),
        ("change", "section 302 = 304 r/w 34", "names several provisions"),
        ("suppositions", "section 302", str(NoChangeError())),
        *(
            ("change", f"45 grams = {it}", "not read as a number")
            for it in ("nan", "inf", "1e400", "1e16")
        ),
        ("remove", "test identification", "names no fact of the case; facts: "),
        ("remove", "e", "names more than one fact"),
        ("remove", "", "supposes nothing"),
        ("add", "", "supposes nothing"),
        ("add", "Suppose .", "supposes nothing"),
    ],
)
def test_one_bad_item_says_why_and_never_ends_the_run(how: str, words: str, says: str) -> None:
    wishes = {"suppositions": ["he was 17"]}
    wishes[how] = [*wishes.get(how, []), words]
    reading = read_suppositions(SHEET, **wishes)  # type: ignore[arg-type]
    [problem] = reading.problems
    assert says in problem
    assert repr(words) in problem
    assert len(reading.edits) == 1


@settings(max_examples=60)
@given(
    st.sampled_from(["suppositions", "change", "remove", "add"]),
    st.lists(st.sampled_from((*PIECES, "= ", "instead of ")), max_size=8).map("".join) | st.text(),
)
def test_whatever_is_typed_gives_one_edit_that_can_be_ranked_or_one_problem(
    how: str, words: str
) -> None:
    reading = read_suppositions(SHEET, **{how: [words]})  # type: ignore[arg-type]
    assert len(reading.edits) + len(reading.problems) == 1
    for edit in reading.edits:
        assert edit.supposition.startswith("Suppose ") and edit.supposition.endswith(".")
        assert Renderer(SHEET).query(State.of([edit])).segments


def test_what_the_case_has_cannot_be_added_to_it() -> None:
    [declaration] = [fact for fact, _ in SHEET.valued(EvidenceValue) if "dying" in fact.fact_id]
    assert make_edit(SHEET, declaration, "remove", None).rule == BY_HAND
    with pytest.raises(NoChangeError):
        make_edit(SHEET, declaration, "add", declaration.value)
    assert read_suppositions(SHEET, add=["He was convicted under section 302 IPC."]).problems


def ranked(queries: Sequence[Query]) -> list[list[str]]:
    """The same three cases, the other way round where the query speaks of 300 grams."""
    return [["c", "b", "a"] if "300 grams" in q.text else ["a", "b", "c"] for q in queries]


def test_it_is_measured_apart_from_the_proposed_edits() -> None:
    """Turned round, two of three cases move two places: 4/3."""
    plainly = cc.analyze(SHEET, retriever=ranked, top_k=3)
    asked = cc.analyze(
        SHEET, retriever=ranked, top_k=3, change=["45 grams = 300 grams", "24 years = 115 years"]
    )
    assert asked.sensitivity == plainly.sensitivity
    nodes = [node for node in asked.tree.nodes() if node.status == "by_hand"]
    moves = [move.mean for edge, move in asked.tree.measured() if edge.edit.by_hand]
    assert moves == [pytest.approx(4 / 3), 0]
    assert [bool(node.reason) for node in nodes] == [False, True]  # nobody is 115 years old


@pytest.mark.parametrize("wishes", ["the accused were 17 years old", None, [17]])
def test_suppositions_are_a_list_of_texts(wishes: object) -> None:
    with pytest.raises(InputError, match="suppose must be a list of str"):
        read_suppositions(SHEET, wishes)  # type: ignore[arg-type]


def test_of_several_facts_in_a_supposition_one_is_supposed_and_it_says_so() -> None:
    case = extract("The accused, aged 19 years, had 45 g of charas. An eyewitness saw it.")
    several = "the accused were 17 years old and there was no eyewitness"
    two, known = read_suppositions(case, [several, "45 g of charas had been 2 kg"]).edits
    assert str(two.after) == "17 years (accused)"
    assert two.note == SAYS_MORE
    assert str(known.after) == "2 kg (charas)"


def test_a_question_that_says_far_more_is_not_what_was_asked() -> None:
    case = extract("The accused was tried under sections 304B and 498A IPC for demands of dowry.")
    [edit] = read_suppositions(case, ["the State were the petitioner"]).edits
    assert edit.note.startswith("It is put to no fact")


def test_the_same_in_another_unit_is_the_same_supposition() -> None:
    case = extract("She died by burns four years after the marriage. 45 g of charas was found.")
    for one, other in (
        ("the marriage had lasted 8 years", "the marriage had lasted 96 months"),
        ("the charas had been 2 kg", "the charas had been 2000 g"),
    ):
        [edit] = read_suppositions(case, [one, other]).edits
        assert edit.supposition.startswith(f"Suppose {one}")


def test_a_fact_is_met_in_other_words_and_a_new_point_stands_by_itself() -> None:
    later = supposed("he hung on for ten weeks after the blow", example("sudden-fight.json"))
    assert (later.fact_id, figure_of(later)[2:]) == ("numerical:duration:1", (10, "weeks"))
    shop = example("shop-tenancy.txt")
    paid = supposed("I paid every month by bank transfer", shop)
    assert (paid.fact_id, paid.operation) == ("evidence:circumstance:4", "replace")
    assert statements_of(shop, paid)[1] == "I paid every month by bank transfer."
    assert supposed("the landlord lives abroad", shop).note == UNREAD


@pytest.mark.parametrize("said", ["he were 17", "section 302 were dropped", "it was 5 g of heroin"])
def test_what_stands_in_quotation_marks_is_put_to_no_fact(said: str) -> None:
    kept = supposed(f"suppose “{said}.”")
    assert kept == supposed(f'"{said}"') and kept != supposed(said)
    assert (kept.fact_type, kept.note, kept.supposition) == (STATED, UNREAD, f"Suppose {said}.")
    assert read_suppositions(SHEET, ['"."', "“”"]).edits == ()
