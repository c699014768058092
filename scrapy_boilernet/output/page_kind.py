from typing import Literal
PageKind = Literal["article", "forum", "product", "collection", "listing", "documentation", "service"]
def page_kind(page): return None
