"""Planted worlds: cases and corpora in which the facts that matter are known by construction."""
