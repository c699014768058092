# Written by compiled_constants.py from the Python modules; do not change it here.

# scrapy_boilernet/extractor/html/paths.py
cdef enum:
    NOSCRIPT = 1
    CODE = 2
    PREFORMATTED = 4
    MARKED = 8
    ASIDE = 16
    INNER_FLAGS = 31
