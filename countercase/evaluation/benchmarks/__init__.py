"""Benchmarks in the formats of others."""
