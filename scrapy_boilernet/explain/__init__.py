"""Why a page's blocks have their labels, for a terminal and as an HTML page."""
