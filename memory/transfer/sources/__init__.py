"""Other programs' exports, each walked by a generator that believes nothing about what it is given."""
