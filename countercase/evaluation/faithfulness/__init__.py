"""Does the passage bear out what an explanation says of it?"""
