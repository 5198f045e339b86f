"""What a judgment says of itself."""
