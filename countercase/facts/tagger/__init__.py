"""The fact tagger: a small spaCy recogniser of names, courts, witnesses, dates and provisions.

Importing this package loads neither spaCy nor the weights; `find_entities` does.
"""

from countercase.facts.tagger.checks import Check, verify

__all__ = ["Check", "verify"]
