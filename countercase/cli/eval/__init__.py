"""`countercase eval` and its parts."""
