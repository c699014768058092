"""The labeler ``grf``: labels that spread over a graph of similar blocks."""
