"""Plain text in, fact sheet out.

What a court did with the matter is never a fact of it: neither the appeal's dismissal nor an
acquittal is extracted, so that no outcome can reach a query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from countercase.errors import InputError
from countercase.facts.merging import merge
from countercase.facts.model import FactSheet

if TYPE_CHECKING:
    from spacy.language import Language


def extract(
    text: str,
    case_id: str,
    title: str = "",
    outcome: str | None = None,
    nlp: Language | None = None,
) -> FactSheet:
    """The fact sheet of a narrative: its facts, typed, each with every place that states it.

    Args:
        text: the narrative; it becomes the sheet's narrative unchanged.
        title: `A v. B`; it names the parties, whose types follow from the names.
        outcome: carried on the sheet, never read.
        nlp: a pipeline of `countercase.facts.pipeline`; built where none is given (spaCy takes
            about two seconds to load, so pass one for many texts), with the fact tagger as the
            setting FACT_TAGGER has it.

    Raises:
        InputError: the text is blank.
        ConfigError: the settings cannot be read.
        ModelError: the fact tagger is wanted, and missing or damaged.
    """
    from countercase.config import load_settings
    from countercase.facts.pipeline import build_pipeline, read_doc

    if not text.strip():
        raise InputError(f"{case_id}: the narrative is empty; give the facts of the case as text")
    nlp = nlp or build_pipeline(load_settings().FACT_TAGGER)
    mentions = read_doc(nlp, text, title)
    return FactSheet(case_id, text, merge(mentions), title=title, outcome=outcome)
