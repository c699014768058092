"""Reads the bytes of a page, with lxml, into a :class:`~scrapy_boilernet.extractor.page.Page`."""
