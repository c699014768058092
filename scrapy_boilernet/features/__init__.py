"""What a model sees of a page: its blocks as arrays of ids and numbers. NumPy only."""
