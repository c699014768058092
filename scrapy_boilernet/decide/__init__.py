"""Which blocks are kept: threshold, titles and comments, and the fallback if none is."""
