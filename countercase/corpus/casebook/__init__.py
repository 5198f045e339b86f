"""Supreme Court decisions in the project's own words, and those added here: facts, holding, what decided."""
