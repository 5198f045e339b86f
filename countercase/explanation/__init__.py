"""Why a precedent is there, and why an edit moved the ranking."""
