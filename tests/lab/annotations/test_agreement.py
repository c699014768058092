"""Agreement beyond chance, of people who annotated the same pages."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.museum import museum_page
from testing.sidecars import Choose, sidecar, write_sidecar
from testing.synthetic import QUICK

from scrapy_boilernet.lab.annotations.agreement import Agreements, cohens_kappa
from scrapy_boilernet.lab.annotations.placing import Placed, place
from scrapy_boilernet.lab.annotations.sidecar import read_sidecars

LABELS = st.sampled_from("abc")


def test_kappa_is_that_of_cohens_own_example() -> None:
    """Table 1 of Cohen 1960: three categories, 200 judgments, kappa .492."""
    joint = {
        ("a", "a"): 88, ("a", "b"): 14, ("a", "c"): 18, ("b", "a"): 10, ("b", "b"): 40,
        ("b", "c"): 10, ("c", "a"): 2, ("c", "b"): 6, ("c", "c"): 12,
    }  # fmt: skip
    assert cohens_kappa(joint) == pytest.approx(0.492, abs=0.0005)


@QUICK
@given(st.lists(st.tuples(LABELS, LABELS), min_size=1))
def test_kappa_is_at_most_one_and_symmetric(pairs: list[tuple[str, str]]) -> None:
    kappa = cohens_kappa(Counter(pairs))
    assert kappa <= 1
    assert kappa == pytest.approx(cohens_kappa(Counter((b, a) for a, b in pairs)))
    assert cohens_kappa(Counter((a, a) for a, _ in pairs)) == 1


def annotation(folder: Path, who: str, number: int, choose: Choose, **others: object) -> Placed:
    html = museum_page(number).encode()
    url = f"https://museum.example/object/{number}"
    document = sidecar(html, choose, annotator=who, url=url, **others)
    (own,) = read_sidecars([write_sidecar(folder, f"{who}{number}", html, document)])
    return place(own)


def test_people_are_compared_on_the_pages_that_both_annotated(tmp_path: Path) -> None:
    def long(text: str) -> tuple[str, str]:
        return ("main" if len(text) > 60 else "boilerplate", "human")

    def longer(text: str) -> tuple[str, str]:
        return ("main" if len(text) > 90 else "caption", "human")

    pages = [
        [annotation(tmp_path, "ann", 1, long), annotation(tmp_path, "ben", 1, long)],
        [annotation(tmp_path, "ann", 2, long), annotation(tmp_path, "cid", 2, longer)],
        [annotation(tmp_path, "ben", 3, long), annotation(tmp_path, "cid", 3, long, nothing=True)],
        [annotation(tmp_path, "dora", 4, long)],
    ]
    agreements = Agreements()
    for placed in pages:
        agreements.add(placed)
    found = {(pair.one, pair.other): pair for pair in agreements}
    assert found.keys() == {("ann", "ben"), ("ann", "cid"), ("ben", "cid")}
    assert found["ann", "ben"].content == found["ann", "ben"].kinds == 1
    assert found["ann", "ben"].blocks == len(pages[0][0].page.blocks)
    assert found["ann", "cid"].kinds < found["ann", "cid"].content <= 1
    assert found["ben", "cid"].content == 0
