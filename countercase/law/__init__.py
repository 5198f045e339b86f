"""The law as tables: Acts, provisions, citations, and the lines that the law draws."""
