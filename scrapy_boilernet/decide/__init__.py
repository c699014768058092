"""Which blocks are kept: threshold, titles, captions and comments, and the fallback if none is."""
