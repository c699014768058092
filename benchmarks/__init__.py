"""Benchmarks of the package: each is a program, run by ``python -m`` from the repository root."""
