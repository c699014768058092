"""Labelers, which give every block of a page its probability of being content."""
