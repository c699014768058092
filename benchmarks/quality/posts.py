"""Posts of threads: how often their number is right, and where they begin and end.

    python -m benchmarks.quality.posts harvest-forums --articles by-hand

The gold of a set has a post per line. Pages of ``--articles`` are those that the set calls
articles: they must have no posts, except readers' comments.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.workers.progress import progress

_WORD = re.compile(r"\w+")
_FIRST, _WITHIN = 3, 15
"""Words of a boundary of ours, and words of the gold post among which they must be."""
_EXPLAINED = f"""\
A post begins where a gold post does if its first {_FIRST} words are among the first \
{_WITHIN} of the gold post, in the order of the posts; it ends likewise. The gold leaves out names \
and dates, but not what a post quotes.

An article has false posts if it has some that are no comment of a reader: none of their text is \
in blocks of the kind `comment`."""


class Score(NamedTuple):
    """The posts of a page against its gold."""

    gold: int
    found: int
    right: int
    """Boundaries of ours that are right, at most two per post."""
    authors: int
    """Posts of ours with an author."""
    dates: int


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--articles", type=Path, nargs="*", default=[], help="sets with articles")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Posts of threads")
    report.text(_EXPLAINED)
    for path in options.sets:
        pages = [*read_pages(open_dataset(path, options.cache))]
        threads(path.name, pages, report)
    for path in options.articles:
        folder = open_dataset(path, options.cache)
        articles(path.name, [*read_pages(folder)], report)
    report.write(options, None)


def threads(name: str, pages: Sequence[GoldPage], report: Report) -> None:
    """Add to the report how well the posts of a set of threads are found."""
    scores = {}
    for page in progress(pages, len(pages), name):
        result = extract(page.html, page.url, formats=("posts",))
        scores[page.id] = score((page.gold or "").splitlines(), result)
    exact = sum(one.gold == one.found for one in scores.values())
    right = sum(one.right for one in scores.values())
    found = sum(one.found for one in scores.values())
    gold = sum(one.gold for one in scores.values())
    shares = (
        ("pages with the right number of posts", exact, len(scores)),
        ("precision of boundaries", right, 2 * found),
        ("recall of boundaries", right, 2 * gold),
        ("F1 of boundaries", right, found + gold),
        ("posts with an author", sum(one.authors for one in scores.values()), found),
        ("posts with a date", sum(one.dates for one in scores.values()), found),
    )
    report.text(f"## {name}")
    report.table(
        ("", "share", "of"), [(what, f"{n / max(of, 1):.3f}", f"{of:,}") for what, n, of in shares]
    )
    wrong = [f"{id_} ({one.found} for {one.gold})" for id_, one in scores.items()
             if one.gold != one.found]  # fmt: skip
    report.text(f"Pages with another number: {'; '.join(wrong) or 'none'}.")
    report.figures[name] = {what: n / max(of, 1) for what, n, of in shares}


def score(gold: Sequence[str], result: LabeledPage) -> Score:
    """Return how many posts and boundaries are right."""
    posts = result.posts or ()
    wanted = [words for line in gold if (words := _words(line))]
    ours = [_words(post.text) for post in posts]
    right = _in_order(ours, wanted) + _in_order(
        [words[::-1] for words in ours], [words[::-1] for words in wanted]
    )
    named, dated = (sum(getattr(post, name) is not None for post in posts)
                    for name in ("author", "date"))  # fmt: skip
    return Score(len(gold), len(ours), right, named, dated)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _in_order(ours: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> int:
    """Return how many of ours begin as one of the gold posts, each after the one before."""
    right, next_gold = 0, 0
    for words in ours:
        first = f" {' '.join(words[:_FIRST])} "
        for number in range(next_gold, len(gold)):
            if words and first in f" {' '.join(gold[number][: _WITHIN + _FIRST])} ":
                right, next_gold = right + 1, number + 1
                break
    return right


def articles(name: str, pages: Sequence[GoldPage], report: Report) -> None:
    """Add to the report how many articles have posts that are no comments."""
    counts: Counter[str] = Counter()
    false = []
    wanted = [page for page in pages if page.page_type == "article"]
    for page in progress(wanted, len(wanted), name):
        result = extract(page.html, page.url, formats=("posts",))
        comments = {
            text
            for text, kind in zip(result.page.texts, result.kinds, strict=True)
            if kind == "comment"
        }
        others = [
            post for post in result.posts or () if comments.isdisjoint(post.text.splitlines())
        ]
        counts["articles"] += 1
        counts["with comments"] += bool(comments)
        counts["with posts"] += bool(result.posts)
        counts["with false posts"] += bool(others)
        if others:
            false.append(f"{page.id} ({len(others)})")
    report.text(f"## Articles of {name}")
    share = 1 - counts["with false posts"] / max(counts["articles"], 1)
    report.text(f"{share:.3f} of {counts['articles']:,} articles have no false posts.")
    report.table(("", "pages"), [(what, f"{n:,}") for what, n in counts.items()])
    report.text(f"With false posts: {'; '.join(false) or 'none'}.")
    report.figures[f"articles of {name}"] = dict(counts)


if __name__ == "__main__":
    main()
