"""Settings of the example project."""

import scrapy

BOT_NAME = "example"
SPIDER_MODULES = ["example.spiders"]
NEWSPIDER_MODULE = "example.spiders"

# ---- The two lines that switch scrapy-boilernet on ----
ADDONS = {"scrapy_boilernet.Addon": 500}
BOILERNET_ENABLED = True
# -------------------------------------------------------

# Also Markdown and metadata, in fields with these names.
BOILERNET_MARKDOWN_FIELD = "main_text_markdown"
BOILERNET_METADATA_FIELD = "metadata"
# Keep the headline, so that the Markdown begins with it.
BOILERNET_TITLE = "keep"
# Write the Markdown of each item to a file.
ITEM_PIPELINES = {"example.markdown_files.MarkdownFiles": 900}

FEEDS = {"output/pages.jsonl": {"format": "jsonlines", "encoding": "utf8", "overwrite": True}}
EXTENSIONS = {"example.summary.Summary": 500}

LOG_LEVEL = "INFO"
ROBOTSTXT_OBEY = False  # the site is our own and has no robots.txt
TELNETCONSOLE_ENABLED = False

# Scrapy < 2.12 warns when this is not set, later versions warn when it is.
if scrapy.version_info < (2, 12):
    REQUEST_FINGERPRINTER_IMPLEMENTATION = "2.7"
