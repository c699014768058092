"""Every setting, and the functions that read their values."""
