"""Grounded question answering."""
