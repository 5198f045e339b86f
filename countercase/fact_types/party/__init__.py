"""What the parties are in law."""
