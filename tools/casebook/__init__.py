"""Check the casebook against the judgments that it summarises."""
