"""What the three examples of retrieval share: the chunks of a crawl's items, and an embedding.

A crawl writes such items with the settings that begin docs/retrieval.md.
"""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from scrapy_boilernet.extractor.metadata import Metadata

SIZE = 512


def chunks(items: Path) -> Iterator[tuple[str, str, dict[str, str | int]]]:
    """Yield the id, the Markdown and the flat metadata of each chunk of the items."""
    for line in items.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if "chunks" not in item:  # its page has no labels, such as a PDF document
            continue
        page = Metadata.of(item["metadata"]).flat()
        for number, chunk in enumerate(item["chunks"], 1):
            cited = {
                "url": item["url"],
                "cite": chunk["text_url"] or chunk["id_url"] or item["url"],
                "headings": " > ".join(chunk["headings"]),
                "chunk": number,
            }
            yield f"{item['url']}#{number}", chunk["markdown"], {**page, **cited}


def embed(text: str) -> list[float]:
    """Return the counts of the words at places that their checksums choose, of length 1.

    It stands for the model of your choice, and finds texts that have the same words.
    """
    counts = [0.0] * SIZE
    for word in re.findall(r"\w+", text.lower()):
        counts[crc32(word.encode()) % SIZE] += 1
    length = math.hypot(*counts) or 1.0
    return [count / length for count in counts]
