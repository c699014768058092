"""The rules that users write for sites, and what such a rule says of a page."""
