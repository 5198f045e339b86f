"""Faithfulness: what counts as borne out, what each check finds, and how well it tells."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support
from typer.testing import CliRunner

from countercase.evaluation.explanation_eval import (
    FORMS,
    Fault,
    PairScore,
    SentenceScore,
    detection,
    faithfulness,
    faults,
    recall_by_error,
    score_pairs,
    score_sentences,
)
from countercase.evaluation.faithfulness.mentions import dates_in, figures_in
from countercase.evaluation.faithfulness.own_explanations import (
    OwnExplanation,
    OwnSentence,
    explain_cases,
    own_explanations,
    own_faithfulness,
)
from countercase.evaluation.faithfulness.section import explanation_section
from countercase.evaluation.sets import CounterfactualCase, ExplanationPair, SourceChunk
from countercase.explanation.model import (
    ChangeExplanation,
    MovedCase,
    PrecedentExplanation,
    Quote,
    Reason,
)
from countercase.facts.model import FactSheet
from countercase.text.clauses import clauses_of
from countercase.text.words import content_words, overlap, stem

PASSAGE = (
    "The tenant had not paid rent for eight months, and the landlord sued on 4 March 1981. The "
    "suit was decreed under section 12(3) of the Rent Act. The guarantor promised Rs. 5,00,000 to "
    "the bank, but Mohan signed nothing. The appeal was dismissed and the decree was confirmed."
)


def checks(text: str, passage: str = PASSAGE) -> set[str]:
    return {one.check for one in faults(text, passage)}


def test_stems_meet() -> None:
    for one, other in (
        ("convicted", "conviction"),
        ("appeals", "appeal"),
        ("dismissal", "dismissed"),
        ("injuries", "injury"),
        ("stopped", "stops"),
        ("carried", "carry"),
        ("husband's", "husband"),
    ):
        assert stem(one) == stem(other)
    assert stem("union") != stem("unit")


def test_overlap_by_hand() -> None:
    # tenant, paid, rent, promptly: three of four stand in the passage.
    assert overlap("The tenant paid the rent promptly.", PASSAGE) == 0.75
    assert overlap("It was not so.", PASSAGE) == 1.0


def test_forty_percent_in_one_chunk() -> None:
    # Five content words; two of them make exactly .4.
    sentence = "Ships carry grain, timber, salt."
    one = SourceChunk(chunk_id="a#1", text="Grain and salt.")
    other = SourceChunk(chunk_id="b#1", text="Timber and ships.")
    [score] = score_sentences(sentence, [one])
    assert (score.overlap, score.chunk_id, score.faithful("overlap")) == (0.4, "a#1", True)
    # Words of two chunks are not added up.
    [score] = score_sentences(sentence, [other, one])
    assert score.overlap == 0.4
    [score] = score_sentences(sentence, [SourceChunk(chunk_id="c#1", text="Grain.")])
    assert not score.faithful("overlap")
    [score] = score_sentences(sentence, [])
    assert (score.overlap, score.chunk_id, score.faithful("overlap")) == (0.0, "", False)


def test_a_passage_bears_itself_out_in_every_form() -> None:
    scores = score_sentences(PASSAGE, [SourceChunk(chunk_id="a#1", text=PASSAGE)])
    assert len(scores) == 4
    for form in FORMS:
        assert faithfulness(scores, form) == 1.0


@pytest.mark.parametrize(
    "written", ["five lakh rupees", "Rs. 5 lakh", "Rs. 500000", "Rs 5,00,000/-", "₹ 5,00,000"]
)
def test_a_figure_is_its_value(written: str) -> None:
    assert checks(f"The guarantor promised {written} to the bank.") == set()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("The guarantor promised Rs. 50,000 to the bank.", "50,000"),
        ("The tenant had not paid rent for nine months.", "nine"),
        ("The tenant had not paid rent for eight years.", "eight"),
        ("The landlord sued on 4 March 1982.", "4 March 1982"),
        ("The landlord sued in May 1981.", "May 1981"),
        ("Half of the rent was not paid for eight months.", "Half"),
    ],
)
def test_a_figure_that_is_not_there(text: str, fault: str) -> None:
    assert [one.words for one in faults(text, PASSAGE) if one.check == "figure"] == [fault]


@pytest.mark.parametrize(
    "text",
    [
        "The landlord sued in March 1981.",
        "The landlord sued in 1981.",
        "The tenant had not paid rent for some eight months.",
        "The guarantor promised nearly five and a half lakh to the bank.",
        "The two had quarrelled.",
    ],
)
def test_a_figure_told_in_part_or_roughly(text: str) -> None:
    assert "figure" not in checks(text)


def test_a_year_is_twelve_months() -> None:
    assert "figure" not in checks("He was given two years.", "He was given 24 months.")
    assert [one.value for one in figures_in("one-third of the land")] != []
    assert [(one.day, one.month, one.year) for one in dates_in("on 4th March 1981")] == [
        (4, 3, 1981)
    ]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("The suit was decreed under section 12.", False),
        ("The suit was decreed under section 12(3).", False),
        ("The suit was decreed under s. 12(3).", False),
        ("The suit was decreed under section 12(1).", True),
        ("The suit was decreed under section 13.", True),
        ("The suit was decreed under section 12(3) of the Indian Penal Code.", False),
        ("The suit was decreed under rule 12.", True),
    ],
)
def test_provisions(text: str, missing: bool) -> None:
    # The Rent Act of the passage is no Act of the table, so its code cannot disagree.
    assert ("provision" in checks(text)) == missing


def test_the_same_number_of_another_act() -> None:
    passage = "He was convicted under section 304B of the Indian Penal Code."
    assert checks("He was convicted under s. 304-B IPC.", passage) == set()
    wrong = "He was convicted under section 304B of the Code of Criminal Procedure."
    assert "provision" in checks(wrong, passage)
    assert "provision" in checks("He was convicted under section 304 Part I.", passage)


def test_names() -> None:
    assert "name" not in checks("It is said that Mohan signed nothing.")
    assert [f.words for f in faults("It is said that Sohan signed.", PASSAGE)] == ["Sohan"]
    passage = "The Central Bureau of Investigation took over from the local police."
    assert "name" not in checks("It went to the CBI.", passage)
    assert "name" in checks("It went to the NIA.", passage)
    # A capital at the head of a sentence names nobody.
    assert "name" not in checks("Solvency was not in question for eight months.")


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The tenant had paid rent for eight months.", True),
        ("The tenant had not paid rent for eight months.", False),
        ("The tenant never paid rent for eight months.", False),
        ("The guarantor did not promise Rs. 5,00,000 to the bank.", True),
        ("For eight months the tenant failed to pay the rent.", False),
        ("The suit was not decreed under section 12(3) of the Rent Act.", True),
    ],
)
def test_a_denial_must_be_denied_in_the_passage_and_an_assertion_asserted(
    text: str, denied: bool
) -> None:
    assert ("negation" in checks(text)) == denied


def test_a_denial_of_one_clause_does_not_reach_the_next() -> None:
    passage = "The label did not matter, because the loan had fallen due before the cheque."
    assert checks("The loan had fallen due before the cheque.", passage) == set()
    assert "negation" in checks("The loan had not fallen due before the cheque.", passage)


def test_not_only_denies_nothing() -> None:
    passage = "The officer took the money and hid the notes in his drawer."
    assert checks("The officer not only took the money but hid the notes.", passage) == set()


def test_an_outcome_that_is_told_the_other_way() -> None:
    assert "outcome" in checks("The appeal was dismissed and the decree was set aside.")
    assert "outcome" not in checks("The appeal was dismissed and the decree was upheld.")


SWAP = (
    "The husband lit the stove and ran into the street, while the mother fetched water from the "
    "well. Rule 9 governs the fee, but Rule 14 governs the time of the notice."
)


@pytest.mark.parametrize(
    ("text", "crossed"),
    [
        ("The husband lit the stove and ran into the street.", False),
        ("The mother lit the stove and ran into the street.", True),
        ("The mother fetched water from the well.", False),
        ("The husband fetched water from the well.", True),
        ("He fetched water from the well.", False),
        ("Rule 9 governs the time of the notice.", True),
        ("Rule 14 governs the time of the notice.", False),
    ],
)
def test_words_said_of_another(text: str, crossed: bool) -> None:
    assert ("binding" in checks(text, SWAP)) == crossed


def test_a_clause_added_to_a_passage_that_is_otherwise_repeated() -> None:
    text = (
        "The suit was decreed under section 12(3) of the Rent Act; the appeal was dismissed and "
        "the decree was confirmed, with exemplary damages awarded to orphaned neighbours."
    )
    assert checks(text) == {"addition"}
    # In words of one's own throughout, a strange clause is nothing special.
    free = (
        "Whoever leaves his premises unpaid loses them in the end, with exemplary damages awarded "
        "to orphaned neighbours."
    )
    assert "addition" not in checks(free)


def test_the_words_that_lead_up_to_a_quotation_add_nothing() -> None:
    quote = "“The suit was decreed under section 12(3) of the Rent Act.”"
    assert "addition" not in checks(f"What carried the new wording upward reads {quote}.")


def test_a_fault_knows_its_sentence() -> None:
    text = "The appeal was dismissed. The tenant had not paid rent for nine months."
    assert faults(text, PASSAGE) == (Fault("figure", 1, "nine"),)


@given(st.text(max_size=200), st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_text_can_be_scored(text: str, passage: str) -> None:
    scores = score_sentences(text, [SourceChunk(chunk_id="a#1", text=passage)])
    values = [faithfulness(scores, form) for form in FORMS]
    if scores:
        assert all(value is not None and 0 <= value <= 1 for value in values)
        assert values[0] >= values[1] >= values[2]  # type: ignore[operator]
    else:
        assert values == [None, None, None]


VOCABULARY = (
    "the tenant landlord paid not rent under section 12 Rs. 500 , . and Mohan was who set aside"
)
WORDS = st.lists(st.sampled_from(VOCABULARY.split()), min_size=1, max_size=30).map(" ".join)


@given(WORDS)
@settings(max_examples=60, deadline=None)
def test_clauses_hold_all_words_in_order(text: str) -> None:
    clauses = clauses_of(text)
    joined = "".join(clause.text for clause in clauses)
    assert content_words(" ".join(c.text for c in clauses)) == content_words(text)
    assert "".join(joined.split()) == "".join(text.split())
    assert all(text[clause.start : clause.end] == clause.text for clause in clauses)


@given(WORDS)
@settings(max_examples=60, deadline=None)
def test_what_is_repeated_whole_lacks_no_figure_provision_or_name(text: str) -> None:
    assert checks(text, text) & {"figure", "provision", "name", "addition", "outcome"} == set()


def _pair(number: int, label: str, error: str | None = None) -> ExplanationPair:
    return ExplanationPair.model_validate(
        {
            "pair_id": f"p{number}",
            "case_id": "c",
            "source": [{"chunk_id": "c#1", "text": PASSAGE}],
            "explanation": "The appeal was dismissed.",
            "label": label,
            "error": error,
        }
    )


def _score(pair: ExplanationPair, faithful: bool) -> PairScore:
    return PairScore(pair, (SentenceScore("x", "c#1", 1.0 if faithful else 0.0, ()),))


def test_detection_by_hand() -> None:
    # Told unfaithful: two of three that are, and one of two that are not.
    scores = [
        _score(_pair(1, "unfaithful", "figure"), False),
        _score(_pair(2, "unfaithful", "figure"), False),
        _score(_pair(3, "unfaithful", "negation"), True),
        _score(_pair(4, "faithful"), False),
        _score(_pair(5, "faithful"), True),
    ]
    told = detection(scores, "overlap", "unfaithful")
    assert (told.precision.count, told.precision.of) == (2, 3)
    assert (told.recall.count, told.recall.of) == (2, 3)
    assert told.f1 == pytest.approx(2 / 3)
    other = detection(scores, "overlap", "faithful")
    assert (other.precision.value, other.recall.value, other.f1) == (0.5, 0.5, 0.5)
    found = recall_by_error(scores, "overlap")
    assert {kind: (share.count, share.of) for kind, share in found.items()} == {
        "figure": (2, 2),
        "negation": (0, 1),
    }


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=20))
@settings(max_examples=25, deadline=None)
def test_detection_against_scikit_learn(rows: list[tuple[bool, bool]]) -> None:
    scores = [
        _score(_pair(at, "faithful" if true else "unfaithful", None if true else "figure"), told)
        for at, (true, told) in enumerate(rows)
    ]
    found = detection(scores, "overlap", "faithful")
    precision, recall, f1, _ = precision_recall_fscore_support(
        [true for true, _ in rows],
        [told for _, told in rows],
        average="binary",
        zero_division=0.0,
    )
    assert found.precision.value == (pytest.approx(precision) if found.precision.of else None)
    assert found.recall.value == (pytest.approx(recall) if found.recall.of else None)
    assert found.f1 == (pytest.approx(f1) if found.recall.of else None)
    if found.f1_interval:
        assert 0 <= found.f1_interval[0] <= found.f1_interval[1] <= 1


QUOTE = Quote("v#00003", "The tenant had not paid rent for eight months.", "facts", 7, 0)


def _precedent() -> PrecedentExplanation:
    reason = Reason(
        ("section:RENT-12",), ("section 12",), ("section 12",), "He owed rent.", QUOTE, 1.0, 0.5
    )
    return PrecedentExplanation(
        "v", "A v. B", "", "", "", "", 1, 1.0, (reason,),
        (f"It speaks of section 12: “{QUOTE.text}” (facts, paragraph 7).",),
    )  # fmt: skip


def _change() -> ChangeExplanation:
    moved = MovedCase("v", "A v. B", 2, None, QUOTE, -1.0)
    return ChangeExplanation(
        "n0", "n1", "e", 2.0, (moved,), (), (),
        ("The mean rank displacement is 2.00: 1 left the list, 0 came in.",
         f"A v. B left from rank 2; the words that went had matched “{QUOTE.text}” "
         "(facts, paragraph 7)."),
    )  # fmt: skip


def test_own_explanations_by_sentence() -> None:
    own = own_explanations("m", ([_precedent()], [_change()]), lambda chunk: f"{chunk}: {PASSAGE}")
    assert [one.kind for one in own] == ["precedent", "change"]
    [sentence] = own[0].sentences
    assert sentence.text == f"It speaks of section 12: “{QUOTE.text}”"
    assert (sentence.chunk_id, sentence.passage[:8]) == ("v#00003", "v#00003:")
    # A statement of measurement rests on no passage and is not scored.
    assert [bool(one.passage) for one in own[1].sentences] == [False, True]
    assert len(own[1].scores) == 1
    assert own_faithfulness(own, "overlap") == (1.0, 1.0)
    # The rank is a figure that no judgment states.
    assert own_faithfulness(own, "strict") == (1.0, 0.0)


def test_what_was_explained_is_not_explained_again(tmp_path: Path) -> None:
    from countercase.evaluation.result_store import ResultStore

    case = CounterfactualCase.model_validate(
        {
            "case_id": "m", "area": "rent", "title": "M", "narrative": "He owed rent.",
            "fact_sheet": {}, "dispositive_facts": [], "non_dispositive_facts": [],
            "dispositive_types": [], "non_dispositive_types": [],
            "expert_importance_ranking": {}, "ranking_reason": "", "design": "plain",
        }
    )  # fmt: skip
    calls = []

    class Explaining:
        """A session whose analyses quote PASSAGE."""

        class snapshot:  # noqa: N801 -- an attribute of a session
            manifest = SimpleNamespace(chunks=9)
            chunk_id = staticmethod(lambda at: f"v#{at:05}")
            text = staticmethod(lambda at: PASSAGE)

        def analyze(self, sheet: FactSheet, progress: Any = None) -> Any:
            calls.append(sheet.case_id)
            complete = SimpleNamespace(complete=True)
            return SimpleNamespace(analysis=complete, precedents=[_precedent()], changes=[])

    session: Any = Explaining()
    store = ResultStore(tmp_path / "a.sqlite", {"k": 1})
    first = explain_cases([case], session, store)
    assert explain_cases([case], session, store) == first
    assert calls == ["m"]
    explain_cases([case], session, ResultStore(tmp_path / "a.sqlite", {"k": 2}))
    assert calls == ["m", "m"]


def _lines() -> list[dict[str, object]]:
    source = [{"chunk_id": "c#1", "text": PASSAGE}]
    texts = (
        ("faithful", None, "The appeal was dismissed and the decree was confirmed."),
        ("unfaithful", "figure", "The tenant had not paid rent for nine months."),
        ("unfaithful", "negation", "The tenant had paid rent for eight months."),
        ("faithful", None, "Whoever quarrels with neighbours must reckon with sleepless nights."),
    )
    return [
        {"pair_id": f"ex-{at}", "case_id": "c", "source": source, "explanation": text,
         "label": label, "error": error}
        for at, (label, error, text) in enumerate(texts, start=1)
    ]  # fmt: skip


def test_the_section() -> None:
    pairs = [ExplanationPair.model_validate(line) for line in _lines()]
    own = (
        OwnExplanation(
            explanation_id="m/v",
            kind="precedent",
            sentences=(
                OwnSentence(text="The appeal was dismissed.", chunk_id="v#1", passage=PASSAGE),
            ),
        ),
    )
    section = explanation_section(score_pairs(pairs), own)
    values = {measure.key: measure for measure in section.measures}
    assert values["explanations.overlap.unfaithful.recall"].value == 0.0
    assert values["explanations.strict.unfaithful.recall"].value == 1.0
    assert values["explanations.strict.unfaithful.precision"].value == pytest.approx(2 / 3)
    assert values["explanations.own.strict"].verdict == "meets"
    assert section.to_dict() == explanation_section(score_pairs(pairs), own).to_dict()
    assert len({measure.key for measure in section.measures}) == len(section.measures)
    told = {one["pair_id"]: one["told"]["strict"] for one in section.details["pairs"]}
    assert told == {
        "ex-1": "faithful", "ex-2": "unfaithful", "ex-3": "unfaithful", "ex-4": "unfaithful",
    }  # fmt: skip


def test_the_command(tmp_path: Path) -> None:
    import typer

    from countercase.cli.eval.explanations import explanations

    app = typer.Typer()
    app.command()(explanations)
    path = tmp_path / "explanations.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in _lines()), encoding="utf-8")
    given = ["--set", str(path), "--own", "0"]
    result = CliRunner().invoke(app, [*given, "--json", "--output", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    printed = json.loads(result.stdout)
    assert printed["name"] == "explanations"
    assert json.loads((tmp_path / "out" / "explanations.json").read_text("utf-8")) == printed
    table = CliRunner().invoke(app, given)
    assert table.exit_code == 0 and "What each check finds" in table.stdout


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    import typer

    from countercase.cli.eval.explanations import explanations
    from countercase.errors import InputError

    app = typer.Typer()
    app.command()(explanations)
    path = tmp_path / "explanations.jsonl"
    wrong = _lines()[0] | {"label": "true"}
    path.write_text(json.dumps(_lines()[1]) + "\n" + json.dumps(wrong) + "\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["--set", str(path), "--own", "0"])
    assert isinstance(result.exception, InputError)
    assert f"{path}:2: label" in str(result.exception)
