"""Measured sensitivities against labelled facts."""
