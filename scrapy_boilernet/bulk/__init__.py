"""Stored crawls: pages in, a record per page out, in worker processes or on a cluster."""
