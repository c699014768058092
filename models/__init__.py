"""The models that ship with the package: one folder each, data only."""
