"""What was found, written down: JSON, Markdown, graph files, a TREC run, the terminal."""
