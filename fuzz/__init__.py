"""Fuzzing of the way from bytes to labels: see README.md. Run by ``python -m`` from the root."""
