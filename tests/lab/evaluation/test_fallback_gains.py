"""The gain of each step of the fallback, by hand."""

from __future__ import annotations

from scrapy_boilernet.lab.evaluation.evaluate import PageRow
from scrapy_boilernet.lab.evaluation.summary import fallback_gains, summarize
from scrapy_boilernet.lab.evaluation.systems import Extraction, System
from scrapy_boilernet.lab.report.markdown import markdown


def row(system: str, f1: float, source: str | None, gold: bool = True) -> PageRow:
    metrics = {"word_precision": f1, "word_recall": f1, "word_f1": f1}
    if gold:
        metrics["empty"] = float(f1 == 0)
    return PageRow("one", "p", None, None, system, metrics, 0.5, 0.01, source)


ROWS = [
    row("mine", 0.9, "model"),
    row("mine", 0.5, "main-element"),
    row("mine", 1.0, "main-element"),
    row("mine", 0.0, "nothing"),
    row("mine", 1.0, "nothing", gold=False),
    row("peer", 0.7, None),
    row("sure", 0.7, "model"),
]


def test_a_step_is_compared_with_no_text_on_its_pages() -> None:
    assert fallback_gains(ROWS, ["mine", "peer", "sure"]) == {
        "mine": {
            "main-element": {"pages": 2, "f1": 0.75, "empty": 0.0},
            "nothing": {"pages": 2, "f1": 0.5, "empty": 0.5},
        }
    }


def test_the_report_has_the_steps_that_were_used_where_the_model_kept_nothing() -> None:
    def never(_page: object) -> Extraction:
        raise AssertionError

    mine = System("mine", "ours", never)
    text = markdown(summarize(ROWS[:5], [mine]), "evaluate", {})
    assert "| mine | main-element | 2 | 0.750 | 0.000 |" in text
    assert "kept nothing" not in markdown(summarize(ROWS[:1], [mine]), "evaluate", {})
