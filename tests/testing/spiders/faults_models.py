"""A spider per broken model and mode, whose page must never be requested; one with a sound model.

``FAULTS_FOLDER`` holds the models.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from testing.spiders.faults import FaultsSpider
from testing.spiders.faults_labelers import FOLDER


class _ModelSpider(FaultsSpider):
    """Its one page has the spider's name."""

    name: Any = None  # so that it is not run itself

    def requests(self) -> Iterator[Any]:
        yield from super().requests()
        yield self.request({"path": f"/page?n={self.name}"})


def _spider(mode: str, model: str) -> type[_ModelSpider]:
    settings = {"BOILERNET_MODEL": str(FOLDER / model), "BOILERNET_MODE": mode}
    return type(
        f"{mode}{model}", (_ModelSpider,),
        {"name": f"{mode}-{model}", "custom_settings": settings, "__module__": __name__},
    )  # fmt: skip


MODELS = sorted(path.parent.name for path in FOLDER.glob("*/model.json"))
for _mode in ("thread", "process"):
    globals().update({f"{_mode}{name}": _spider(_mode, name) for name in MODELS})
