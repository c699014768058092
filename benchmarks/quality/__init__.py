"""The quality of rules, models and label spreading, and pictures and tables of it."""
