"""Composes memory and models into a product; the only package that knows both."""
