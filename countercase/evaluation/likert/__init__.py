"""Ratings by people."""
