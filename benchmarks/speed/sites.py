"""What the rules of sites cost: reading many of them, and a page with a rule.

python -m benchmarks.speed.sites wcxb-dev --pages 200 --out-markdown FILE
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.extractor.site_rules import SiteRule, SiteRules, read_site_rules
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval

DOMAINS, ROUNDS = 10_000, 5
_RULE = SiteRule(
    ".", keep=("body",), drop=(".newsletter", "[role=dialog]", "#related"), title="h1", date="time"
)
HOSTILE = {
    "following siblings": ("p ~ p", "<p>a</p>" * 50_000),
    "numbered children": ("p:nth-child(3n)", "<p>a</p>" * 50_000),
    "descendants": ("div:has(b)", "<div>" * 400 + "<p>a</p>" * 50_000),
    "attributes": ("[class*=a][class*=b]", "<p class=ab>a</p>" * 50_000),
}


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--pages", type=int, help="so many of each set only")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Rules of sites")
    seconds = seconds_to_read()
    report.figures["seconds_to_read"] = seconds
    report.text(f"{DOMAINS:,} domains with four selectors each are read in {seconds:.2f} s.")
    pages = evaluation_pages(options.sets, options.cache, "all", options.pages, None).pages
    ratios = []
    others = SiteRules([SiteRule(f"site{n}.example", drop=("p",)) for n in range(1_000)])
    elsewhere = []
    for page in pages:
        best = [float("inf")] * 3
        for _ in range(ROUNDS):
            for i, rules in enumerate((SiteRules(), SiteRules([_RULE]), others)):
                begin = process_time()
                extract(page.html, page.url or "http://a.example/", sites=rules)
                best[i] = min(best[i], process_time() - begin)
        ratios.append(best[1] / best[0])
        elsewhere.append(best[2] / best[0])
    rows = []
    for name, own in (("a rule of six selectors", ratios), ("rules of other sites", elsewhere)):
        low, high = bootstrap_interval(own)
        mean = sum(own) / len(own)
        report.figures[name] = [mean, low, high]
        rows.append([name, f"{mean:.3f} [{low:.3f}, {high:.3f}]"])
    report.text(f"CPU time of `extract` over that without rules, mean of {len(pages):,} pages:")
    report.table(["pages with", "times"], rows)
    report.text("Selectors that may take long, on pages of 50,000 elements:")
    report.table(["selector", "seconds", "seconds without it"], [*map(hostile_row, HOSTILE)])
    report.write(options, None)


def seconds_to_read() -> float:
    """Return the seconds that a file with many domains takes."""
    tables = [
        f'["site{n}.example"]\nkeep = ["#c{n}", "section.specs"]\ndrop = [".also", ".x{n} > a"]'
        for n in range(DOMAINS)
    ]
    with TemporaryDirectory() as folder:
        file = Path(folder, "sites.toml")
        file.write_text("\n".join(tables), encoding="utf-8")
        begin = process_time()
        read_site_rules(file)
        return process_time() - begin


def hostile_row(name: str) -> list[str]:
    """Return the row of one of ``HOSTILE``."""
    selector, html = HOSTILE[name]
    seconds = []
    for rules in (read_site_rules({"a.example": {"drop": [selector]}}), SiteRules()):
        begin = process_time()
        extract(html, "http://a.example/", sites=rules)
        seconds.append(f"{process_time() - begin:.2f}")
    return [f"`{selector}` ({name})", *seconds]


if __name__ == "__main__":
    main()
