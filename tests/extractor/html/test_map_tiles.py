"""Images of which a map is put together are no images of the text."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

IMAGE = "![](https://e.example/t.png)"


def markdown(html: str) -> str:
    page = blockify(f"<p>Above.</p>{html}<p>Below.</p>", "https://e.example/a", markup=True)
    return written(page).markdown or ""


@pytest.mark.parametrize(
    "tiles",
    [
        "<img class=leaflet-tile src=/t.png>",
        "<img class='leaflet-tile leaflet-tile-loaded' alt='' src=/t.png>",
        "<div class=leaflet-container><div class='leaflet-pane leaflet-tile-pane'><div>"
        "<img src=/t.png></div></div></div>",
        "<img class='leaflet-marker-icon leaflet-zoom-animated' alt=Marker src=/t.png>",
        "<img class=leaflet-marker-shadow src=/t.png>",
        "<div class=gm-style><div><div><img src=/t.png></div></div></div>",
        "<div class='ol-layer'><img src=/t.png></div>",
        "<img class=olTileImage src=/t.png>",
        "<div class='mapboxgl-marker mapboxgl-marker-anchor-center'><img src=/t.png></div>",
        "<div class=maplibregl-canvas-container><img src=/t.png></div>",
    ],
)
def test_tiles_and_markers_of_maps_are_no_images(tiles: str) -> None:
    assert markdown(tiles) == "Above.\n\nBelow."
    assert markdown(f"<div id=map>{tiles * 5}</div>") == "Above.\n\nBelow."


@pytest.mark.parametrize(
    "image",
    [
        "<img class=leaflet src=/t.png>",
        "<img class=tile src=/t.png>",
        "<figure class=leaflet-figure><img src=/t.png></figure>",
        "<div class=leaflet-container><div class=leaflet-popup-pane><img src=/t.png></div></div>",
        "<div class=gm-style><div class=gm-style-iw><p><img src=/t.png></p></div></div>",
        "<div class=my-gm-style><img src=/t.png></div>",
    ],
)
def test_other_images_are_kept(image: str) -> None:
    assert IMAGE in markdown(image)


@pytest.mark.parametrize("piece", ["<img class=leaflet-tile src=t>", "<div class=gm-style><img>"])
def test_many_tiles_take_linear_time(piece: str) -> None:
    assert blockify(f"<p>Above.</p>{piece * 20_000}").blocks
