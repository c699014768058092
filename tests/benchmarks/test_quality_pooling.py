"""The counts of the benchmark of pooling, on pages whose logits err within a template."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")
pytest.importorskip("matplotlib")

from testing.learned import learned

from benchmarks.common.reporting import Report
from benchmarks.quality import pooling

PAGES = [learned(number) for number in range(4)]


def erring_logits() -> list[NDArray[np.float32]]:
    """Right logits, except for the first paragraph of each page, which is judged as boilerplate."""
    logits = []
    for page in PAGES:
        of_page = np.where(page.targets > 0.5, 4, -3).astype(np.float32)
        of_page[[block.tags[-1] for block in page.page.blocks].index("p")] = -4
        logits.append(of_page)
    return logits


def test_pooling_mends_one_block_of_a_template() -> None:
    scores = {share: pooling.scores_with(share, PAGES, erring_logits()) for share in pooling.SHARES}
    assert (scores[0.8] > scores[0.0]).all()
    report = Report("Pooling")
    name, count, means, gain = pooling.row_of("made", np.ones(4, dtype=np.bool_), scores, report)
    assert (name, count) == ("made", 4)
    assert means[0.8] == pytest.approx(scores[0.8].mean())
    assert gain.startswith("+")
    assert report.figures["made"]["gain"][1] > 0


def test_a_folder_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"folds\.json"):
        pooling.unseen_pages(
            argparse.Namespace(folds=tmp_path, sets=[], cache=tmp_path, pages=None), share=0.0
        )
