"""A long crawl of broken pages while its workers are killed: what grows and what is lost."""
