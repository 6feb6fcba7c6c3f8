"""Forgetting for real: what holds the words, how they leave, and the proof that they left."""
