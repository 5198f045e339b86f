"""Text as Indian lawyers write it: sentences, clauses, numbers, dates."""
