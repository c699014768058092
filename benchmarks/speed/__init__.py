"""Time and memory: of one page, of large pages and of crawls."""
