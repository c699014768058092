"""Pages, sites and items that make trouble: what is kept, what is lost and what it costs."""
