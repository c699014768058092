"""Pages, sites and items that cause failures: what is kept, what is lost and what it costs."""
