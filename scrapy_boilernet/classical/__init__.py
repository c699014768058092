"""What the classical labelers read of a page, and plain arithmetic on it; no library but NumPy."""
