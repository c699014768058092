"""Compiles the walk over a page and the inner loops of featurizer and network, if possible.

All other metadata are in setup.cfg. Without a compiler, the package installs too, and its Python
code does the same work. The same holds without Cython and lxml, if build isolation is off.
"""

import sys

from setuptools import Extension, setup

HTML = "scrapy_boilernet/extractor/html"
NETWORK = "scrapy_boilernet/extractor/labelers/boilernet"
HAS_GCC_OPTIONS = sys.platform != "win32"
COMPILE_ARGUMENTS = ["-g0", "-fno-asynchronous-unwind-tables"] if HAS_GCC_OPTIONS else []
"""Without debug symbols, which would be most of a compiled file, and tables for debuggers."""
if sys.platform == "linux":
    COMPILE_ARGUMENTS.append("-fno-plt")  # functions of Python are called directly
_ALIGNED = ("functions", "jumps", "labels", "loops")
SMALL = ["-O2", *[f"-falign-{what}=1" for what in _ALIGNED]] if HAS_GCC_OPTIONS else []
"""Python compiles with ``-O3``, which makes the files larger, and so do gaps before the places to
which code jumps."""
FEW_COPIES = [*SMALL, "-fno-inline-small-functions"] if HAS_GCC_OPTIONS else []
"""Small functions are called. That takes no more time where it goes into Python's objects."""
SMALLEST = ["-Os"] if HAS_GCC_OPTIONS else []
"""The walk waits for memory; the markup is read only for formats, mostly in Python's objects."""
FOR_BYTES = [*SMALL, "-ftree-vectorize"] if HAS_GCC_OPTIONS else []
"""Loops over bytes read 16 at once."""
FOR_FEATURES = [*FEW_COPIES, "-ffp-contract=off", "-ftree-vectorize"] if HAS_GCC_OPTIONS else []
"""A product and a sum stay two operations, as in NumPy."""
FOR_NUMBERS = ["-O3", "-ffp-contract=off", "-fno-trapping-math"] if HAS_GCC_OPTIONS else []
"""The same, for loops over many numbers at once."""
LINK_ARGUMENTS = ["-Wl,-s", "-Wl,--build-id=none"] if sys.platform == "linux" else []
"""Without the names of inner functions, which nobody needs to run a compiled file."""


def extensions() -> list[Extension]:
    """Return the optional extensions; none if Cython or lxml is missing."""
    try:
        import lxml
        from Cython.Build import cythonize
        from Cython.Compiler import Options
    except ImportError:
        return []
    html = [
        Extension(
            f"scrapy_boilernet.extractor.html.compiled_{name}",
            [f"{HTML}/compiled_{name}.pyx"],
            include_dirs=[HTML, *lxml.get_include()],
            extra_compile_args=[*COMPILE_ARGUMENTS, *options],
            extra_link_args=LINK_ARGUMENTS,
        )
        for name, options in (
            ("paths", FEW_COPIES),
            ("walk", SMALLEST),
            ("markup", SMALLEST),
            ("elements", FEW_COPIES),
            ("scan", FOR_BYTES),
        )
    ]
    features = Extension(
        "scrapy_boilernet.extractor.features.compiled",
        ["scrapy_boilernet/extractor/features/compiled.pyx"],
        extra_compile_args=[*COMPILE_ARGUMENTS, *FOR_FEATURES],
        extra_link_args=LINK_ARGUMENTS,
    )
    network = Extension(
        f"{NETWORK.replace('/', '.')}.compiled_network",
        [f"{NETWORK}/compiled_network.pyx"],
        include_dirs=[NETWORK],
        depends=[f"{NETWORK}/compiled_network.h"],
        extra_compile_args=[*COMPILE_ARGUMENTS, *FOR_NUMBERS],
        extra_link_args=LINK_ARGUMENTS,
    )
    Options.docstrings = False  # those who read them read the source
    compiled: list[Extension] = cythonize(
        [*html, features, network],
        build_dir="build/cython",
        quiet=True,
        compiler_directives={"auto_pickle": False, "binding": False},  # nobody needs them
    )
    for extension in compiled:
        extension.optional = True  # a failed build is only a warning
    return compiled


setup(ext_modules=extensions())
