"""The machinery of recall: from words to the few items that belong in a prompt, each with its reason."""
