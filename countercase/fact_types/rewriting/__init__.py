"""How edits are put into words: citations, figures, parties, and the sentences around them."""
