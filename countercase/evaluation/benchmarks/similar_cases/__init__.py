"""Similar criminal cases."""
