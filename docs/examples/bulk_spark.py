"""The main text of pages in Parquet files, on Spark.

spark-submit bulk_spark.py /data/pages /data/texts
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

import pandas as pd
from pyspark.sql import DataFrame, SparkSession

from scrapy_boilernet import extract

SCHEMA = "url string, main_text string, main_text_confidence double, main_text_source string"
ROWS_PER_BATCH = 200
"""Rows that Spark gives a Python process at a time; its default is far more, for small rows."""


def texts_of(batches: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Yield the texts of batches with the columns ``url`` and ``html``."""
    for batch in batches:
        pages = [
            extract(html, url=url or None)
            for url, html in zip(batch["url"].fillna(""), batch["html"].fillna(""), strict=True)
        ]
        yield pd.DataFrame(
            {
                "url": batch["url"],
                "main_text": [page.text for page in pages],
                "main_text_confidence": [float(page.confidence) for page in pages],
                "main_text_source": [page.source for page in pages],
            }
        )


def labeled(pages: DataFrame) -> DataFrame:
    """Return the texts of a table with the columns ``url`` and ``html``."""
    return pages.select("url", "html").mapInPandas(texts_of, SCHEMA)


def main(arguments: list[str] | None = None) -> None:
    """Read the pages, and write their texts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", help="folder of Parquet files with the columns url and html")
    parser.add_argument("texts", help="folder of the results, which is made")
    options = parser.parse_args(arguments)
    spark = SparkSession.builder.appName("main texts").getOrCreate()
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", ROWS_PER_BATCH)
    labeled(spark.read.parquet(options.pages)).write.parquet(options.texts)


if __name__ == "__main__":
    main()
