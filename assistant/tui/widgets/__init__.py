"""Widgets; each takes records, never a store."""
