"""How a page is read: bytes to a :class:`~scrapy_boilernet.page.Page` of text blocks. lxml only."""
