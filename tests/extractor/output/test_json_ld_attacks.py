"""JSON-LD that repeats itself costs no more than its size: the steps are counted, not the time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from testing.labeled import from_kept

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.output import metadata as metadata_module
from scrapy_boilernet.extractor.output import named, people
from scrapy_boilernet.extractor.output.metadata import page_metadata

NAME = "A, b; " * 330
"""No name, so that each further value is tried."""


def spelled(word: str, number: int) -> str:
    """Return the word with capitals at the places of the number's bits."""
    return "".join(c.upper() if number >> bit & 1 else c for bit, c in enumerate(word))


def person(number: int) -> dict[str, str]:
    return {"@type": "Person", "@id": f"#{number}", "name": f"{NAME}{number}"}


def works(kind: str, authors: Sequence[int], count: int) -> Any:
    own = [{"@id": f"#{number}"} for number in authors]
    each = [{"@type": kind, "name": f"River {i}", "author": own} for i in range(count)]
    return {"@graph": [*map(person, sorted(set(authors))), *each]}


ATTACKS: dict[str, Callable[[int], Any]] = {
    "references of one work to one author": lambda n: works("Article", [1] * n, 1),
    "references of many works to one author": lambda n: works("Product", [1] * 50, n // 10),
    "references of many articles to one author": lambda n: works("Article", [1] * 50, n // 10),
    "references to fifty authors": lambda n: works("Recipe", range(50), n // 10),
    "names in other spellings": lambda n: [
        {
            "@type": "Article",
            spelled("headline", i): [spelled(NAME[:90].lower(), k + i) for k in range(50)],
        }
        for i in range(n // 10)
    ],
    "authors in other spellings": lambda n: {
        "@type": "Article",
        **{spelled("author", i): [f"{NAME}{i}"] * 50 for i in range(n)},
    },
    "main objects in other spellings": lambda n: {
        "@type": "WebPage",
        **{
            spelled("mainentityofpage", i): {"@type": "Article", "headline": f"River {i}"}
            for i in range(n)
        },
    },
    "types in other spellings": lambda n: [
        {"@type": spelled("newsarticle", i), "headline": ["River", NAME], "author": NAME}
        for i in range(n)
    ],
    "works of many authors": lambda n: [
        {"@type": "Product", "author": [f"{NAME}{i} {k}" for k in range(20)]}
        for i in range(n // 20)
    ],
    "works with bad dates": lambda n: [
        {"@type": "Product", "datePublished": [f"20 foo 2024 {i} {k}" for k in range(50)]}
        for i in range(n // 10)
    ],
}


class Steps:
    """Counts calls, and the characters of their arguments."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = self.chars = 0
        for module, name in (
            (people, "split_names"), (metadata_module, "iso_date"), (named, "likeness"),
        ):  # fmt: skip
            monkeypatch.setattr(module, name, self._counting(getattr(module, name)))

    def _counting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            self.calls += 1
            self.chars += sum(len(one) for one in arguments if isinstance(one, str))
            return function(*arguments)

        return counted


def values_of(value: Any) -> Iterator[str]:
    html = f'<title>River</title><script type="application/ld+json">{json.dumps(value)}</script>'
    page = blockify(f"{html}<h1>River</h1><p>Some text.</p>", "https://x.example/", stated=True)
    assert page.stated
    yield from (text for one in page.stated.objects for _, text in one.values)
    page_metadata(from_kept(page, [True] * 2, [1.0] * 2, 0.5, 0.9, "m", "model"))


@pytest.mark.parametrize("attack", ATTACKS)
def test_steps_do_not_grow_with_repetition(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ATTACKS[attack]
    for count in (200, 2_000):
        steps = Steps(monkeypatch)
        read = sum(map(len, values_of(made(count))))
        assert read <= 2_200_000
        assert steps.calls <= 1_000
        assert steps.chars <= 500_000


def test_an_author_of_many_works_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch)
    assert [*values_of(works("Product", [1] * 50, 100))].count(f"{NAME}1") == 101
    assert steps.calls < 10
