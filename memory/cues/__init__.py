"""The rules: from one message to the candidates that the user's own words state.

Downwards, and never up: ``message`` goes through sentences and clauses; ``corrections``, ``notes`` and
``keeping`` are the ways to read one, beside and above ``statements``; these ask ``subjects`` and ``values``
what the parts mean, and ``making`` puts a candidate together. Below them are the words themselves
(``clauses``, ``rewording``, ``speaker``, ``binding``, ``lasting``), which know no message.
"""
