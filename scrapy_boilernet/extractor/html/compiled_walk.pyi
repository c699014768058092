from collections.abc import Mapping, Sequence

from lxml import etree

from scrapy_boilernet.extractor.html.head import Seen
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.style_sheets import Rules
from scrapy_boilernet.extractor.markup import Markup
from scrapy_boilernet.extractor.options import Units
from scrapy_boilernet.extractor.page import LazyBlocks

class CompiledWalk:
    def __init__(
        self,
        units: Units,
        rules: Rules | None = None,
        readings: Mapping[etree._Element, Reading] | None = None,
    ) -> None: ...
    def blocks(
        self, roots: Sequence[etree._Element], most: int, xpaths: bool = True
    ) -> tuple[LazyBlocks, bool]: ...
    def markup(self, most: int) -> Markup | None: ...
    def seen(self) -> Seen: ...
