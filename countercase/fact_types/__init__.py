"""The four types of fact, each with how it is recognised and changed."""
