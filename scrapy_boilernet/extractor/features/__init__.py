"""Turns a page into the arrays of ids and numbers that a model reads, with NumPy only."""
