"""The casebook: Supreme Court decisions in the project's own words, and what is added to them here.

Each record tells the facts and the holding of one decision, with the facts that it turned on.
"""
