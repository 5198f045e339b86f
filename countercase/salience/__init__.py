"""How much a segment or a fact weighs in the query: two small models with named features."""
