"""Items of evidence."""
