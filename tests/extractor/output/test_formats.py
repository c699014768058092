"""Formats are added to a result, which keeps its computed values."""

from __future__ import annotations

from testing.labeled import from_kept

from scrapy_boilernet.bulk.records import row_of
from scrapy_boilernet.crawl.item_values import page_values
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.options import FORMATS
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.settings.config import Config


def test_what_was_computed_of_a_result_is_not_computed_again() -> None:
    page = blockify("<h1>Rock pools</h1><p>Limpets cling on.", markup=True)
    result = from_kept(page, [True, True], [0.9, 0.9], 0.5, 0.9, "tiny", "model")
    alone = with_formats(result, ("markdown",))
    before = result.text, result.kinds, result.label_columns
    after = with_formats(result, ("markdown",))
    assert all(
        one is other
        for one, other in zip(before, (after.text, after.kinds, after.label_columns), strict=True)
    )
    assert (alone.text, alone.kinds, alone.label_columns) == before
    assert after == alone


def test_items_and_records_have_every_format() -> None:
    page = blockify("<h1>Rock pools</h1><p>Limpets cling on.", markup=True, thread=True)
    result = from_kept(page, [True, True], [0.9, 0.9], 0.5, 0.9, "tiny", "model")
    full = with_formats(result, FORMATS)
    config = Config(**{f"{name}_field": name for name in FORMATS})
    assert {*FORMATS} <= {*config.item_fields}
    assert {*FORMATS} <= page_values(full, config, "tiny").keys()
    added = row_of({}, full).keys() - row_of({}, result).keys()
    assert {name.removeprefix("main_text_") for name in added} == {*FORMATS}
