"""Explanations of a page's labels, for a terminal and as an HTML page."""
