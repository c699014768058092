"""Compiles the walk over a page and the inner loops of the featurizer, where that is possible.

All else stands in setup.cfg. Without a compiler, or without Cython and lxml where the package is
built without build isolation, the package installs all the same: the same work is done in Python.
"""

import sys

from setuptools import Extension, setup

HTML = "scrapy_boilernet/html"
ARGUMENTS = [] if sys.platform == "win32" else ["-g0"]  # symbols for a debugger are most of a file


def extensions() -> list[Extension]:
    """Return what is compiled; none of it has to be."""
    try:
        import lxml
        from Cython.Build import cythonize
    except ImportError:
        return []
    walks = ("paths", "walk", "markup", "elements", "scan")
    found = [
        Extension(
            f"scrapy_boilernet.html.compiled_{name}",
            [f"{HTML}/compiled_{name}.pyx"],
            include_dirs=[HTML, *lxml.get_include()],
            extra_compile_args=ARGUMENTS,
        )
        for name in walks
    ]
    texts = Extension(
        "scrapy_boilernet.features.compiled",
        ["scrapy_boilernet/features/compiled.pyx"],
        extra_compile_args=ARGUMENTS,
    )
    compiled: list[Extension] = cythonize([*found, texts], build_dir="build/cython", quiet=True)
    for extension in compiled:
        extension.optional = True  # a failure is a warning
    return compiled


setup(ext_modules=extensions())
