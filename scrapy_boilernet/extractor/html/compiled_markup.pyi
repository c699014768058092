from scrapy_boilernet.extractor.html.compiled_walk import CompiledWalk
from scrapy_boilernet.extractor.html.style_sheets import Rules

class CompiledMarkupWalk(CompiledWalk):
    def __init__(self, rules: Rules | None = None) -> None: ...
