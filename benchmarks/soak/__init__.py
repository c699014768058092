"""A long crawl of broken pages whose workers are killed: what grows and what is lost."""
