"""How fast stored crawls are, and what they lose when something fails."""
