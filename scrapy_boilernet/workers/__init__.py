"""Where pages are labeled in a crawl: off the reactor's thread, in worker processes, or later."""
