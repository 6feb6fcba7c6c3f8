"""Measures recall: does what was said come back when it is asked for, and nothing else."""
