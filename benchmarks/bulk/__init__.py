"""How fast stored crawls are, and what becomes of them among faults."""
