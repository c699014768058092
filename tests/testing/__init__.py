"""Helpers that tests, fuzzing and benchmarks share: sites, crawls, pages, stand-ins."""
