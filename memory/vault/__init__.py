"""The vault: one encrypted folder, its keys and its copies.

Owns the key file, the only connection to the store, the writer lock, backups and repair; the layout of every
byte is in FORMAT.md. Knows nothing of what the tables mean, of screens or of models.
"""
