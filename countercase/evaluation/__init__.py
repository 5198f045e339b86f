"""Evaluation: metrics, calibration on planted worlds, and comparisons with what is known."""
