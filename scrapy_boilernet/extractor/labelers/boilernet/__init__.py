"""The labeler BoilerNet, with its engines."""
