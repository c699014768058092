from scrapy_boilernet.html.compiled_walk import CompiledWalk

class CompiledMarkupWalk(CompiledWalk):
    def __init__(self) -> None: ...
