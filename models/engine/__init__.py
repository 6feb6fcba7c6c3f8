"""A model in a child process, and the line to it.

`client` is for whoever wants answers, `server` is the child's own main; between them run only the frames
of `protocol`. Importing any of them loads no native library.
"""
