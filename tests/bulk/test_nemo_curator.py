"""The extractor for NeMo Curator, after Curator's own reader of WARC files."""

from __future__ import annotations

import gzip
import importlib.util
from pathlib import Path

import pytest
from testing.models import PAGES
from testing.warcs import RESPONSE, warc_record

from scrapy_boilernet import extract

pytest.importorskip("nemo_curator", exc_type=ImportError)
pytest.importorskip("warcio")

EXAMPLE = Path(__file__).parents[2] / "docs/examples/bulk_nemo_curator.py"
NAMES = ("article", "recipe", "forum", "russian_windows_1251")


def test_curator_gets_the_text_that_extract_gives(tmp_path: Path) -> None:
    from nemo_curator.stages.text.download.base.extract import DocumentExtractor
    from nemo_curator.stages.text.download.base.iterator import DocumentIterateExtractStage
    from nemo_curator.stages.text.download.common_crawl.warc_iterator import CommonCrawlWarcIterator
    from nemo_curator.tasks import FileGroupTask

    spec = importlib.util.spec_from_file_location("bulk_nemo_curator", EXAMPLE)
    assert spec
    assert spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    pages = {f"https://example.com/{n}": (PAGES / f"{n}.html").read_bytes() for n in NAMES}
    identity = b"WARC-Record-ID: <urn:uuid:0>\r\nWARC-Type"
    (tmp_path / "a.warc.gz").write_bytes(b"".join(
        gzip.compress(warc_record(url, RESPONSE + body).replace(b"WARC-Type", identity, 1))
        for url, body in [*pages.items(), ("https://a.example/", b"")]
    ))  # fmt: skip
    extractor = example.BoilerNetExtractor(favor="recall")
    assert isinstance(extractor, DocumentExtractor)
    records = CommonCrawlWarcIterator().iterate(str(tmp_path / "a.warc.gz"))
    assert all({*record} == {*extractor.input_columns()} for record in records)
    stage = DocumentIterateExtractStage(CommonCrawlWarcIterator(), extractor)
    task = FileGroupTask(dataset_name="pages", data=[str(tmp_path / "a.warc.gz")])
    found = stage.process(task).data
    assert [*found] == [*extractor.output_columns(), "file_name"]
    assert dict(zip(found["url"], found["text"], strict=True)) == {
        url: extract(body, url=url, favor="recall").text for url, body in pages.items()
    }
