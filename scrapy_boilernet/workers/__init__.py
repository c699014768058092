"""Labels a crawl's pages off the reactor's thread, in worker processes, or after the crawl."""
