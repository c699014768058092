def needs_rendering(labeled): return None
