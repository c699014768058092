"""Decides which blocks are kept: threshold, tables, kinds of content, fallback."""
