"""Span-grounded passage retrieval."""
