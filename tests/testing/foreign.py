"""Files in formats that are not read, and pages that look like them at first."""

from __future__ import annotations

import io
import json
import lzma
import sqlite3
import struct
import tarfile
import zipfile
from collections.abc import Iterable

from .warcs import RESPONSE, warc_record

_HTML = "<html><body><p>Das Meer ist weit. \u0414\u0430\u043b\u044c. \u6d77</p></body></html>"
_ROWS = [{"url": f"https://example.com/{n}", "html": _HTML} for n in range(3)]
_PLAIN_ROWS = json.dumps(_ROWS).encode()
_HAR = {"log": {"version": "1.2", "entries": [{"request": {"url": "https://a.example/"}}]}}


def tar_of(members: Iterable[tuple[str, bytes]], form: int = tarfile.GNU_FORMAT) -> bytes:
    """Return a tar archive of these names and contents."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def zip_of(members: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of these names and contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members:  # the time is that of ZipInfo: the same bytes each time
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


def _sqlite() -> bytes:
    base = sqlite3.connect(":memory:")
    base.execute("create table pages (url, html)")
    return base.serialize()


FOREIGN: dict[str, tuple[str, list[bytes]]] = {
    "a HAR file": (
        ".log.entries[]",
        [json.dumps(_HAR, indent=n).encode() for n in (None, 0, 2)]
        + [json.dumps(_HAR, separators=(",", ":")).encode()],
    ),
    "JSON in UTF-16": (
        "UTF-8",
        ['{"url": "u", "html": "h"}\n'.encode("utf-16"), json.dumps(_ROWS).encode("utf-16")],
    ),
    "a WET file": (
        "text already",
        [b"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\nWARC/1.0\r\nWARC-Type: conversion\r\n",
         b"WARC/1.1\r\nwarc-type: conversion\r\nContent-Type: text/plain\r\n"],
    ),
    "a WAT file": (
        "no pages",
        [b"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/json\r\n\r\n{}"],
    ),
    "an XML file that is not XHTML": (
        "JSON lines",
        [
            b"<?xml version='1.0'?><items><item><html>x</html></item></items>",
            b'<?xml version="1.0" encoding="utf-8"?>\n<!-- feed -->\n<rss version="2.0"><channel/>',
            b'<rss version="2.0"><channel><title>News</title></channel></rss>',
            b'<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>',
            b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
            b'xmlns:xhtml="http://www.w3.org/1999/xhtml"><url/></urlset>',
            b'<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg/>',
            b'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><page/></mediawiki>',
            "<?xml version='1.0'?><Seiten/>".encode("utf-16"),
        ],
    ),
    "a pickle": (
        "never loaded",
        [
            b"(lp0\n(dp1\nVurl\np2\nVu\np3\nsa.", b"]q\x00}q\x01X\x03\x00\x00\x00urlq\x02sa.",
            b"\x80\x02]q\x00}q\x01X\x03\x00\x00\x00urlq\x02sa.", b"\x80\x03]q\x00}q\x01sa.",
            b"\x80\x04\x95\x0f\x00\x00\x00\x00\x00\x00\x00]\x94}\x94\x8c\x03url\x94sa.",
            b"\x80\x05\x95\x0f\x00\x00\x00\x00\x00\x00\x00]\x94}\x94\x8c\x03url\x94sa.",
            b"\x80\x04N.", b"\x80\x04K\x01K\x02\x86\x94.", b"\x80\x05\x95C\x06<html>\x94.",
            b"(dp0\nVa\np1\nI1\ns.", b"cos\nsystem\n(S'true'\ntR.", b"cmy.module\nName\np0\n.",
        ],
    ),
    "an ORC file": ("JSON lines", [b"ORC\x11\x00\x00\x0a\x06" + bytes(90)]),
    "an Avro file": ("JSON lines", [b"Obj\x01\x04\x14avro.codec" + bytes(90)]),
    "an Arrow file": ("JSON lines", [b"ARROW1\x00\x00" + bytes(90), b"FEA1" + bytes(90)]),
    "an HDF5 file": ("JSON lines", [b"\x89HDF\r\n\x1a\n" + bytes(90)]),
    "a NumPy file": ("JSON lines", [b"\x93NUMPY\x01\x00" + _HTML.encode()]),
    "a dbm database": (
        "FilesystemCacheStorage",
        [
            struct.pack("<L", 0x13579ACE) + bytes(90), struct.pack(">L", 0x13579ACF) + bytes(90),
            bytes(12) + struct.pack("<L", 0x061561) + bytes(90),
            bytes(12) + struct.pack("<L", 0x053162) + bytes(90),
            b"'0f1e_data', (0, 512)\n'0f1e_time', (512, 18)\n",
        ],
    ),
    "an MHTML file": (
        "save the page as HTML",
        [
            b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://a.example/\r\n"
            b"Subject: Tide\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ta=b\r\n",
            b"MIME-Version: 1.0\nContent-Type: multipart/related\n\n",
            b"Subject: =?utf-8?B?5rW3?=\n =?utf-8?B?5rW3?=\nmime-version: 1.0\n\n<html>",
        ],
    ),
    "an HTTP response with its header": (
        "WARC files", [RESPONSE + b"<html><p>Text", b"HTTP/2 404\r\nServer: x\r\n\r\n<html>"],
    ),
    "an office document": (
        "save the page as HTML",
        [
            zip_of([("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"<w:document/>")]),
            zip_of([("mimetype", b"application/vnd.oasis.opendocument.text")], zipfile.ZIP_STORED),
        ],
    ),
    "an LZ4 file": ("unpack it first", [b"\x04\x22\x4d\x18\x64\x40" + _HTML.encode()]),
    "an LZMA file": ("unpack it first", [lzma.compress(b"<p>" * 99, lzma.FORMAT_ALONE)]),
    "an lzip file": ("unpack it first", [b"LZIP\x01\x0c" + bytes(60)]),
    "a file packed with compress": ("unpack it first", [b"\x1f\x9d\x90<html>", b"\x1f\xa0<html>"]),
    "a Snappy file": ("unpack it first", [b"\xff\x06\x00\x00sNaPpY\x00<html>"]),
    "a 7-Zip archive": ("unpack it first", [b"7z\xbc\xaf\x27\x1c\x00\x04<html>"]),
    "a RAR archive": ("unpack it first", [b"Rar!\x1a\x07\x00<p>", b"Rar!\x1a\x07\x01\x00<p>"]),
    "an ar archive": ("unpack it first", [b"!<arch>\ndebian-binary   "]),
    "a cpio archive": ("unpack it first", [b"070701" + b"0" * 104, b"070707" + b"0" * 70]),
}  # fmt: skip
"""Per name of a format: a part of its remedy, and files of it."""


def _marked_up(text: str) -> bytes:
    return f"{text}<html><body><h1>Seite</h1><p>Text.</p></body></html>".encode()


PAGES: dict[str, bytes] = {
    "XHTML": _marked_up("<?xml version='1.0' encoding='utf-8'?>\n"),
    "XHTML with a document type": _marked_up(
        '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
        '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n'
    ),
    "XHTML with comments": _marked_up("<?xml version='1.0'?><!-- <rss> --><!-- a > b -->\n"),
    "XHTML with a style sheet": _marked_up(
        "<?xml version='1.0'?>\n<?xml-stylesheet href='a.css'?>\n<!DOCTYPE html [<!ENTITY a 'b'>]>"
    ),
    "XHTML with a prefix": b"<?xml version='1.0'?><h:html xmlns:h='x'><h:body>T</h:body></h:html>",
    "XHTML whose root is another": b"<?xml version='1.0'?>"
    b'<book xmlns="http://www.w3.org/1999/xhtml"><p>Text</p></book>',
    "XHTML in UTF-16": _marked_up("<?xml version='1.0'?>").decode().encode("utf-16"),
    "a part of XHTML": b"<?xml version='1.0'?>\n<div><p>Ein Absatz.</p></div>",
    "WML": b"<?xml version='1.0'?><!DOCTYPE wml PUBLIC 'x' 'y'><wml><card><p>Text</p></card></wml>",
    "a long comment first": _marked_up(f"<?xml version='1.0'?><!-- {'licence ' * 900} -->"),
    "blank lines first": _marked_up("\n\n \t\n"),
    "a byte order mark": b"\xef\xbb\xbf" + _marked_up("<!DOCTYPE html>"),
    "HTML in UTF-16": ("\ufeff<!doctype html><p>" + "\u6d77" * 9).encode("utf-16-be"),
    "a drawing first": _marked_up("<svg width='0' height='0'><symbol/></svg>"),
    "text first": _marked_up("Willkommen auf unserer Seite! "),
    "Russian text first": _marked_up("\u0414\u043e\u0431\u0440\u043e "),
    "Chinese text first": "\u8392\u5357\u6d77<br><p>\u6d77".encode("gb18030"),
    "Japanese text first": "\u6d77\u306e\u8a71<br><p>\u6d77".encode("shift_jis"),
    "Arabic text first": "\u0627\u0644\u0628\u062d\u0631<br><p>".encode("cp1256"),
    "a price first": "\u20ac 5, \u20ac 7 and more<br><p>Text".encode("cp1252"),
    "a bracket first": _marked_up("[Home] [Products] "),
    "a footnote first": _marked_up("[1] See below. "),
    "a quote in brackets first": _marked_up('["Tide" is a word] '),
    "a link of a wiki first": _marked_up("[[Main Page]] "),
    "a brace first": _marked_up("{% extends 'base' %}\n"),
    "a placeholder first": _marked_up("{{ title }}\n"),
    "a comment of a template first": _marked_up("{# a comment #}\n"),
    "a list of words first": _marked_up("News, Links, Text, Titel\n"),
    "a menu first": _marked_up("Home; Links; Title; Impressum\n"),
    "an address first": _marked_up("https://example.com/ is our address. "),
    "an address and a date first": _marked_up("https://example.com/ 2026-03-01 12:00\n"),
    "a word with a parenthesis first": _marked_up("Meer(es)rauschen 2026 \u2013 "),
    "a list with a parenthesis first": _marked_up("a) 2026 war ein Jahr. "),
    "a protocol first": _marked_up("HTTP is a protocol. HTTP/1.1 came in 1997. "),
    "a letter first": _marked_up("From: Anna\nTo: Ben\nSubject: The sea\n\nDear Ben,\n"),
    "a definition first": _marked_up("Note: MIME-Version: 1.0 is a header.\n"),
    "a section sign first": "\xa7 1. Das Gesetz<br><p>".encode("latin-1"),
    "numbers first": _marked_up("070 123 456 is our telephone. "),
    "an exclamation mark first": _marked_up("!Importante! "),
    "a quotation mark first": _marked_up("'The tide', (a story)\n"),
    "a name of a format first": _marked_up("PARIS. OBJECTS. ARROW1. ORC and others. "),
    "PHP first": _marked_up("<?php echo 1; ?>\n"),
    "only a paragraph": b"<p>Text",
    "upper case": b"<HTML><BODY><P>TEXT",
    "a fragment": b"<td>Text</td>",
}  # fmt: skip
"""Pages whose first bytes have something of another format."""
STORED: dict[str, bytes] = {
    "warc": warc_record("https://a.example/", RESPONSE + b"<p>A"),
    "zip": zip_of([("a.html", b"<p>A")]),
    "tar": tar_of([("a.html", b"<p>A")]),
    "lines": json.dumps(_ROWS[0]).encode() + b"\n",
}
"""A file of each format that is read."""
READ: dict[str, list[bytes]] = {
    **{kind: [data] for kind, data in STORED.items()},
    "json": [
        _PLAIN_ROWS, json.dumps(_ROWS, indent=2).encode(), b"\xef\xbb\xbf" + _PLAIN_ROWS,
        b"\n\n  " + _PLAIN_ROWS, b"[]", b'["<p>One", "<p>Two"]', b"[{}, {}]",
        b'[["url", "html"], ["a", "b"]]\n', json.dumps([_HTML * 200]).encode(),
        *(json.dumps(_ROWS[0], indent=n).encode() for n in (0, 1, 2, 4)), b'{\r\n\t"a": 1\r\n}',
    ],
    "csv": [
        f"url,html\nhttps://a.example/,{_HTML}\n".encode(), b"id;url;text\r\n1;u;t\r\n",
        b"html\tlang\n<p>A\tde\n", b'"url","title","body"\n"u","t","<p>b"\n',
    ],
    "sqlite": [_sqlite()],
    "parquet": [b"PAR1" + _HTML.encode() + b"PAR1"],
    "arc": [
        b"filedesc://a.arc 0.0.0.0 20260301120000 text/plain 73\n1 0 InternetArchive\n",
        b"https://a.example/ 1.2.3.4 20260301120000 text/html 99\n" + RESPONSE + b"<p>A",
        b"http://a.example/?q=1 fe80::1 20260301120000 text/html 99\r\n" + RESPONSE,
    ],
    "index": [
        b" CDX N b a m s k r M S V g\ncom,example)/ 20260301120000 https://example.com/ ",
        b"com,example)/a?b=c 20260301120000 https://example.com/a?b=c text/html 200 ABC - -\n",
        b'com,example)/ 20260301120000 {"url": "https://example.com/", "status": "200"}\n',
        b"!OpenWayback-CDXJ 1.0\n", b'org,w3)/tr 2026 {"mime": "text/html"}\n',
    ],
}  # fmt: skip
"""Per format that is read, files of it."""
