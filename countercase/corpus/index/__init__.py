"""The index of a corpus: store, snapshot, lexicon."""
