"""Labels the pages of stored crawls and writes a record per page, on one machine or a cluster."""
