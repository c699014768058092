"""Copies and near copies of texts in a stored crawl: found in order, and after any stop."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from testing.bulk_runs import Stopped, carried_out

from scrapy_boilernet.bulk import copies
from scrapy_boilernet.bulk.copies import COPY, NEAR_COPY, Copies, TextPrint, read_entries
from scrapy_boilernet.bulk.output import LinesFile
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.records import RecordOptions
from scrapy_boilernet.bulk.task import Run, RunError
from scrapy_boilernet.extractor.output.fingerprint import NEAR_BITS
from scrapy_boilernet.settings.config import Config

DRAW = random.Random(0)
WORDS = [f"word{number}" for number in range(5_000)]


def article(number: int, changed: int = 0) -> str:
    """Return a text of 600 words, of which so many at its end are others."""
    draw = random.Random(number)
    words = [draw.choice(WORDS) for _ in range(600)]
    words[600 - changed :] = [f"changed{i}" for i in range(changed)]
    return " ".join(words)


def flipped(text: TextPrint, bits: int) -> TextPrint:
    mask = sum(1 << place for place in DRAW.sample(range(64), bits))
    return TextPrint(text.fingerprint ^ mask, text.digest + 1)


def printed() -> TextPrint:
    return TextPrint(DRAW.getrandbits(64), DRAW.getrandbits(63))


def test_near_prints_are_found_up_to_the_limit_and_not_beyond() -> None:
    known, others = Copies(), [printed() for _ in range(500)]
    for one in others:
        assert known.reason_against(one) == ""
        known.add(one)
    for one in others:
        assert known.reason_against(one) == COPY
        for bits in range(NEAR_BITS + 1):
            assert known.reason_against(flipped(one, bits)) == NEAR_COPY
        assert known.reason_against(flipped(one, NEAR_BITS + 1)) == ""


def test_old_texts_are_forgotten_in_halves_and_the_same_ones_after_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "MAX_TEXTS", 20)
    known, others = Copies(20), [printed() for _ in range(47)]
    for number, one in enumerate(others, 1):
        known.add(one)
        assert len(known) <= 20
        (tmp_path / "texts.bin").write_bytes(b"".join(each.entry() for each in others[:number]))
        again = Copies(20)
        for each in read_entries(tmp_path / "texts.bin", 16 * number):
            again.add(each)
        reasons = [known.reason_against(each) for each in others]
        assert [again.reason_against(each) for each in others] == reasons
        assert all(reasons[max(number - 10, 0) : number])
        assert not any(reasons[: max(number - 20, 0)])


def test_bits_are_counted_the_same_without_numpy_2() -> None:
    known = np.array([DRAW.getrandbits(64) for _ in range(50)], dtype=np.uint64)
    one = known[7]
    expected = [(int(each) ^ int(one)).bit_count() for each in known]
    assert copies.differing_by_table(known, one).tolist() == expected
    assert copies.differing(known, one).tolist() == expected


@pytest.mark.parametrize("text", ["", " \n ", "… — !"])
def test_a_text_without_words_is_no_copy(text: str) -> None:
    assert TextPrint.of(text) is None


def test_a_copy_has_the_same_characters_and_a_near_copy_almost_the_same_words() -> None:
    known = Copies()
    known.add(TextPrint.of(article(1)) or printed())
    for text, reason in {
        article(1): COPY,
        article(1).upper(): NEAR_COPY,
        article(1).replace(" ", "\n"): NEAR_COPY,
        article(1, changed=5): NEAR_COPY,
        article(1, changed=300): "",
        article(2): "",
    }.items():
        assert known.reason_against(TextPrint.of(text) or printed()) == reason, text[-40:]


# Whole runs.

PAGES = [1, 2, 1, 3, -1, 2, 4, 4, -3, 5, 6, -5, 7, 1, 8, 9]
"""The number of each page's article; negative: a near copy of it."""
LEFT_OUT = {COPY: 4, NEAR_COPY: 3}


@pytest.fixture(scope="module")
def config(tiny_model: Path) -> Config:
    return config_of(tiny_model, 1)


def config_of(model: Path, workers: int) -> Config:
    """Return a config with which every block is content."""
    return Config(
        model=str(model), engine="numpy", mode="process", workers=workers, cache_blocks=0,
        threshold=0.0,
    )  # fmt: skip


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    lines = [
        {"url": f"https://a.example/{place}", "html": f"<p>{article(abs(n), 5 * (n < 0))}</p>"}
        for place, n in enumerate(PAGES)
    ]
    (tmp_path / "crawl.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    return tmp_path / "crawl.jsonl"


def run_of(crawl: Path, dedupe: bool = True, name: str = "out.jsonl") -> Run:
    wanted = RecordOptions(dedupe=dedupe)
    return Run((str(crawl),), crawl.with_name(name), "jsonl", wanted)


def numbers(run: Run) -> list[int]:
    """Return the places of the pages that have a record."""
    lines = run.output.read_bytes().splitlines()
    return [int(json.loads(line)["url"].rpartition("/")[2]) for line in lines]


FIRST = [
    place for place, n in enumerate(PAGES) if n not in PAGES[:place] and -n not in PAGES[:place]
]


@pytest.mark.parametrize("workers", [1, 3])
def test_the_first_page_is_kept_with_any_number_of_workers(
    crawl: Path, tiny_model: Path, workers: int
) -> None:
    run, config = run_of(crawl), config_of(tiny_model, workers)
    with Pool(config) as pool:
        files = carried_out(run, config, pool, "same")
    assert numbers(run) == FIRST
    assert files.summary.left_out == LEFT_OUT
    assert files.summary.read == len(PAGES)


def test_without_the_option_copies_have_records(crawl: Path, config: Config, pool: Pool) -> None:
    run = run_of(crawl, dedupe=False)
    carried_out(run, config, pool, "same")
    assert numbers(run) == [*range(len(PAGES))]
    assert not run.output.with_name("out.jsonl.texts.bin").exists()


@pytest.mark.parametrize("rows_per_mark", [1, 2, 5])
def test_kills_lose_and_double_nothing(
    crawl: Path, config: Config, pool: Pool, monkeypatch: pytest.MonkeyPatch, rows_per_mark: int
) -> None:
    monkeypatch.setattr(LinesFile, "rows_per_mark", rows_per_mark)
    run, draw = run_of(crawl), random.Random(rows_per_mark)
    for _ in range(8):
        try:
            carried_out(run, config, pool, "same", stop_after=draw.randint(1, 9))
        except Stopped:  # what was written after the last mark may be torn, or not there
            texts = run.output.with_name("out.jsonl.texts.bin")
            texts.write_bytes(texts.read_bytes() + b"\x01" * draw.randint(0, 40))
    files = carried_out(run, config, pool, "same")
    assert numbers(run) == FIRST
    assert files.summary.left_out == LEFT_OUT


def test_a_lost_file_of_texts_is_refused(crawl: Path, config: Config, pool: Pool) -> None:
    run = run_of(crawl)
    carried_out(run, config, pool, "same")
    run.output.with_name("out.jsonl.texts.bin").unlink()
    with pytest.raises(RunError, match=r"texts\.bin has 0 bytes, but its run wrote 144"):
        carried_out(run, config, pool, "same")


def test_a_run_is_resumed_with_the_same_option_only(
    crawl: Path, config: Config, pool: Pool
) -> None:
    carried_out(run_of(crawl), config, pool, "same")
    with pytest.raises(RunError, match="other values of --dedupe"):
        carried_out(run_of(crawl, dedupe=False), config, pool, "same")
