"""What Locket remembers, and how. Knows nothing of screens, models or the assistant."""
