"""Provisions cited."""
