"""Images of which scripts put together a map, and those of its markers: they are none of the text.

Leaflet, OpenLayers, Mapbox GL, MapLibre and Google Maps write them. Pictures in what opens over a
map are kept.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.images import IMAGE_TAGS
from scrapy_boilernet.extractor.html.reading import Reading

_STEMS = ("leaflet-", "gm-style", "ol-layer", "oltileimage", "mapboxgl-", "maplibregl-")
SIGNS = tuple(stem.encode() for stem in _STEMS)
"""A page with such a map has one of them."""
_OF_MAP = re.compile(
    r"(?:^|\s)(?:leaflet-(?:tile|tile-(?:pane|container)|(?:marker|shadow)-pane|marker-(?:icon|shadow))|"
    r"gm-style|ol-layers?|olTileImage|(?:mapbox|maplibre)gl-(?:canvas-container|marker))(?!\S)",
    re.IGNORECASE,
)
"""The class of such an image, or of an element that holds them."""
_OVER_MAP = "gm-style-iw"
"""The class of what opens over a map of Google, in the same element."""
_LEFT_OUT = Reading("", 0, "span")
_MAX_CLASS_CHARS, _MAX_LEVELS = 500, 12


def may_have_tiles(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such maps."""
    return not signs.isdisjoint(SIGNS)


def tiles_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for each image of a map."""
    named = [elements[place] for place in elements.naming("class", _STEMS, _MAX_CLASS_CHARS)]
    maps = [one for one in named if _OF_MAP.search((one.get("class") or "")[:_MAX_CLASS_CHARS])]
    images = {*elements.of_tags(IMAGE_TAGS)} if maps else set()
    found: dict[etree._Element, Reading] = {}
    for first, last in elements.ranges(maps):
        inside = (elements[i] for i in range(first, last + 1) if i in images)
        found |= {image: _LEFT_OUT for image in inside if not _is_over_map(image)}
    return found


def _is_over_map(image: etree._Element) -> bool:
    around = islice(image.iterancestors(), _MAX_LEVELS)
    return any(_OVER_MAP in (one.get("class") or "")[:_MAX_CLASS_CHARS] for one in around)
