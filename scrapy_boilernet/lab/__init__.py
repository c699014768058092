"""With which models are made and measured."""
