"""How well rules, models and label spreading do, and the pictures and tables that show it."""
