"""Amounts, ages, durations and quantities."""
