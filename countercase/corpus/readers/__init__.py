"""Readers of corpora, one a format."""
