"""The plot of a card: well-formed, and the same file each time."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from scrapy_boilernet.training.calibration import write_calibration_plot


@pytest.mark.parametrize("pages", [1, 5, 300])
def test_the_plot_is_an_svg_that_says_how_many_pages(tmp_path: Path, pages: int) -> None:
    confidences = np.random.default_rng(0).random(pages)
    files = [tmp_path / "one.svg", tmp_path / "other.svg"]
    for file in files:
        write_calibration_plot(file, confidences, confidences**2)
    root = ET.fromstring(files[0].read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    texts = " ".join(root.itertext())
    assert f"{pages} pages that were not trained on" in texts
    assert "confidence" in texts
    assert files[0].read_bytes() == files[1].read_bytes()
