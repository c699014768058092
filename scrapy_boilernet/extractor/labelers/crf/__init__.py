"""The labeler ``crf``, after Victor, with its features and segments."""
