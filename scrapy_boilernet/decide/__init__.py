"""Which blocks are kept: threshold, tables, kinds of content, and the fallback if none is."""
