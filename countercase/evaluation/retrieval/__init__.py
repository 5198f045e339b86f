"""How well rankings find what was judged relevant."""
