"""Annotations that people made in the browser: reads them, places them on the pages' blocks,
compares people, and writes data sets to train on.
"""
