"""The labeler ``gbdt``: boosted trees over the block tree, with its features."""
