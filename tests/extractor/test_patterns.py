"""Tests of the patterns that their first use compiles."""

import re
import subprocess
import sys

import pytest

from scrapy_boilernet.extractor.patterns import lazy_pattern


def test_a_lazy_pattern_finds_what_a_compiled_one_finds():
    text = "Related stories, RELATED news"
    lazy, compiled = (
        lazy_pattern(r"related\s(\w+)", re.IGNORECASE),
        re.compile("(?i)related\\s(\\w+)"),
    )
    assert lazy.findall(text) == compiled.findall(text) == ["stories", "news"]
    assert lazy.search(text)[1] == lazy.match(text)[1] == "stories"
    assert lazy.fullmatch(text) is None
    assert lazy.sub("x", text) == "x, x"
    assert [match.start() for match in lazy.finditer(text)] == [0, 17]
    assert lazy.split("a related b")[0] == "a "
    assert lazy.pattern == r"related\s(\w+)"
    assert lazy.flags & re.IGNORECASE


def test_a_wrong_pattern_raises_when_it_is_used_and_other_names_are_unknown():
    lazy = lazy_pattern("(")
    with pytest.raises(re.error):
        lazy.search("text")
    with pytest.raises(AttributeError, match="no_such"):
        _ = lazy.no_such


def test_all_lazy_patterns_of_the_package_compile():
    code = """
import gc, importlib, pkgutil
import scrapy_boilernet.extractor as package
from scrapy_boilernet.extractor.patterns import _Lazy
for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    try:
        importlib.import_module(found.name)
    except ImportError:
        pass
lazy = [one for one in gc.get_objects() if isinstance(one, _Lazy)]
for one in lazy:
    one.pattern
print(len(lazy))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert int(done.stdout) > 20
