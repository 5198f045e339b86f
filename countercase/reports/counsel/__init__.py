"""What counsel reads: authorities for and against, suppositions, and the memo."""
