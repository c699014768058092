from collections.abc import Mapping

from lxml import etree

from scrapy_boilernet.extractor.html.compiled_walk import CompiledWalk
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.style_sheets import Rules

class CompiledMarkupWalk(CompiledWalk):
    def __init__(
        self, rules: Rules | None = None, readings: Mapping[etree._Element, Reading] | None = None
    ) -> None: ...
