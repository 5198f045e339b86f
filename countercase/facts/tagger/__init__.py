"""The fact tagger: a small spaCy recogniser of names, courts, witnesses, dates and provisions.

Importing this package loads neither spaCy nor the weights; `find_entities` does.
"""
