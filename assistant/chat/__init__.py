"""The conversation without a screen."""
