"""The verbs of the command line, one file a family; each imports what it needs when it runs."""
