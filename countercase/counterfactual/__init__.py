"""Edits, the tree of states they span, and what the tree says of each fact."""
