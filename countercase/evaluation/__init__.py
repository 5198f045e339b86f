"""Evaluations: sets, benchmarks, planted worlds, and what people say of explanations.

Whatever reads a file raises InputError where the file cannot be read or is not of its form; the
message names file, line and field.
"""
