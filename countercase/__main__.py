"""`python -m countercase`: the command line."""

from countercase.cli.main import main

main()
