"""Language models on this machine, each in a process of its own.

Owns finding, checking and running model files. Knows nothing of memory, of screens or of who asks.
Importing this package, or any module of it that a parent process uses, never loads a native runtime.
"""
