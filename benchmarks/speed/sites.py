"""What rules of sites cost: a page with rules, the start, and hostile selectors and pages.

    python -m benchmarks.speed.sites wcxb-dev mercury --pages 100 --out-markdown FILE

Per page the least CPU time of seven interleaved rounds counts, each after a collection of garbage.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.common.measuring import one_core, seconds_of
from benchmarks.common.reporting import Report
from benchmarks.common.subjects import page_options, requested_pages
from benchmarks.speed.formats import least_seconds
from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.sites.rules import SiteRule, SiteRules, SitesError
from scrapy_boilernet.workers.progress import progress

DOMAINS = 10_000
URL = "https://shop.example/1"
RULES: dict[str, dict[str, Any]] = {
    "keep and drop": {"keep": ["main", "article"], "drop": ["nav", ".sidebar", "[role=dialog]"]},
    "drop": {"drop": [".related", "aside .box", "footer", "[role=dialog]"]},
    "drop, with predicates": {"drop": ["li:first-child", "div:has(> form)", "h2 ~ .more"]},
    "none of this domain": {},
}
"""Rules of up to five lines; the last one is of another domain."""
FILES: dict[str, Callable[[int], str]] = {
    "the same selectors": lambda _: 'keep = ["#product", "section.specs"]\ndrop = ".also"',
    "other selectors each": lambda n: f'keep = ["#p-{n}", "section.s-{n} > p"]\ndrop = ".a-{n}"',
    "other predicates each": lambda n: f'keep = ["p:not(.p-{n})", "li.a-{n} + p"]\ndrop = ".a{n}"',
    "other XPaths each": lambda n: f"keep = \"//p[@id='{n}']\"\ndrop = \"//div[@id='d{n}']/p\"",
}
HOSTILE_SELECTORS = {
    "a megabyte long": "div " * 250_000,
    "10,000 brackets": "(" * 10_000,
    "nested predicates": "//div[.//p[.//a[.//b]]]",
    "a predicate behind siblings": "div ~ p:has(a)",
    "60 predicates": "p" + ":first-of-type" * 60,
}
HOSTILE_PAGES = {
    "100,000 siblings": "<p class=a>x" * 100_000,
    "1,900 deep above 90,000": "<div class=a>" * 1_900 + "<p>x" * 90_000,
    "300 chains of 500": ("<div class=a>" * 500 + "<p>x" + "</div>" * 500) * 300,
    "9,900 siblings, below the limit": "<p class=a>x" * 9_900,
    "9,900 below 100, below the limit": "<div class=a>" * 95 + "<p>x" * 9_900,
}
HOSTILE_RULE = SiteRule(
    "shop.example",
    keep=("div p", ".a .a .a p", "div > div > p", "//div//div//p"),
    drop=("p ~ p", "p + p", "p:first-child", "p:nth-last-of-type(3)", "//div[.//i]", "div:has(i)"),
)


def main() -> None:
    """Measure and write."""
    one_core()
    options = page_options(__doc__ or "")
    report = Report("What rules of sites cost")
    pages = requested_pages(report, options)
    sites = {
        name: SiteRules.of({("shop.example" if rule else "other.example"): rule or {"drop": "p"}})
        for name, rule in RULES.items()
    }
    ratios: dict[str, list[float]] = {name: [] for name in RULES}
    for source in progress(pages, len(pages), "pages"):

        def labeled(rules: SiteRules | None = None, html: bytes = source.html) -> object:
            return extract(html, URL, model=options.model, sites=rules)

        works: dict[str, Callable[[], object]] = {
            name: lambda rules=rules: labeled(rules)  # type: ignore[misc]
            for name, rules in sites.items()
        }
        seconds = least_seconds({"no rules": labeled, **works})
        for name in RULES:
            ratios[name].append(seconds[name] / seconds["no rules"])
    report.text(f"CPU time of `extract` with rules, as a ratio to `extract` on {len(pages)} pages:")
    rows = [[name, f"{median(own):.3f}", f"{mean(own):.3f}"] for name, own in ratios.items()]
    report.table(["rule", "median page", "mean"], rows)
    report.figures["pages"] = {name: median(own) for name, own in ratios.items()}
    measure_start(report)
    measure_hostile(report)
    report.write(options, None)


def measure_start(report: Report) -> None:
    """Measure how long files of many domains take to load."""
    loads = {}
    with TemporaryDirectory() as folder:
        for name, rule in FILES.items():
            file = Path(folder) / "sites.toml"
            text = "\n".join(f'["site{n}.example"]\n{rule(n)}' for n in range(DOMAINS))
            file.write_text(text, encoding="utf-8")
            loads[name] = seconds_of(lambda file=file: SiteRules.of(file))  # type: ignore[misc]
    report.text(f"CPU time to load a file of {DOMAINS:,} domains, once per crawl:")
    report.table(["selectors", "seconds"], [[name, f"{s:.2f}"] for name, s in loads.items()])
    report.figures["load"] = loads


def measure_hostile(report: Report) -> None:
    """Measure how long hostile selectors take to be refused, and hostile pages to be read."""
    refusals = {name: seconds_of(lambda s=s: refused(s)) for name, s in HOSTILE_SELECTORS.items()}  # type: ignore[misc]
    report.text("CPU time until a hostile selector is refused, at the start:")
    report.table(["selector", "ms"], [[name, f"{1000 * s:.2f}"] for name, s in refusals.items()])
    reads = {}
    for name, html in HOSTILE_PAGES.items():
        body = f"<body>{html}".encode()
        plain = seconds_of(lambda body=body: blockify(body, URL))  # type: ignore[misc]
        with_rule = seconds_of(lambda body=body: blockify(body, URL, rule=HOSTILE_RULE))  # type: ignore[misc]
        reads[name] = (plain, with_rule)
    report.text(
        f"CPU time to read a hostile page, with a rule of the selectors "
        f"{', '.join(f'`{one}`' for one in (*HOSTILE_RULE.keep, *HOSTILE_RULE.drop))}:"
    )
    rows = [[name, f"{plain:.2f}", f"{ruled:.2f}"] for name, (plain, ruled) in reads.items()]
    report.table(["page", "seconds without a rule", "with it"], rows)
    report.figures |= {"refused": refusals, "hostile pages": reads}


def refused(selector: str) -> None:
    """Check that a rule with the selector is refused."""
    try:
        SiteRules.of({"shop.example": {"drop": selector}})
    except SitesError:
        return
    raise AssertionError(selector[:80])


if __name__ == "__main__":
    main()
