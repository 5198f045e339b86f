"""How far words alone move the list, and how sure that makes one of a fact."""
