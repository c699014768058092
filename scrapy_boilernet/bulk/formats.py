"""Recognizes an input by its first bytes, and names the formats that are not read."""

from __future__ import annotations

import re
import tarfile
from io import BytesIO
from typing import BinaryIO, Literal, NamedTuple

from scrapy_boilernet.bulk.compression import GZIP, ZSTD, DamagedError, is_packed, unpacked_start
from scrapy_boilernet.extractor.html.encoding import media_name
from scrapy_boilernet.workers.files import ENDINGS, PACKED_ENDINGS

START_BYTES = 4_096
FileKind = Literal[
    "warc", "arc", "zip", "tar", "lines", "json", "csv", "parquet", "sqlite", "index", "page",
    "unknown", "other",
]  # fmt: skip
"""``"unknown"``: not a page, found in a folder or in an archive; ``"other"``: a format that has a
name and is not read."""


class Format(NamedTuple):
    """What an input is."""

    kind: FileKind
    name: str = ""
    """Its name with an article, such as ``"a Parquet file"``; "" for ``"page"``, ``"unknown"``."""
    remedy: str = ""
    """What the user can do instead, if the kind is ``"other"``."""

    @property
    def refusal(self) -> str:
        """Why it is not read, and the remedy; "" if it may be read."""
        return f"{self.name}, which is not read: {self.remedy}" if self.kind == "other" else ""


_WARC, _ZIP, _TAR = Format("warc", "a WARC file"), Format("zip", "a zip"), Format("tar", "a tar")
_LINES, _PAGE, _UNKNOWN = Format("lines", "JSON lines"), Format("page"), Format("unknown")
_ARC, _INDEX_FILE = Format("arc", "an ARC file"), Format("index", "an index of WARC files")
_CSV, _JSON = Format("csv", "a CSV file"), Format("json", "JSON")
_PARQUET, _SQLITE = Format("parquet", "a Parquet file"), Format("sqlite", "an SQLite database")
_TEXT_ALREADY = "it has text already, so there is nothing to extract"
_WET = Format("other", "a WET file", f"{_TEXT_ALREADY}; read the WARC file that it was made of")
_WAT = Format(
    "other", "a WAT file", "it has no pages, only facts about them; read the WARC file that it "
    "was made of",
)  # fmt: skip
_PLAIN_TEXT = Format(
    "other", "a text without markup", f"{_TEXT_ALREADY}; if it is HTML, give it a name with .html"
)
_ROWS = "write its rows as JSON lines, with the page in the field html"
_UNPACK = "unpack it first"
_HTML_FILE = "save the page as HTML"
_PICKLE = f"a pickle could run code, so it is never loaded; {_ROWS}"
_CACHE = (
    "an HTTP cache is read only if HTTPCACHE_STORAGE was "
    "scrapy.extensions.httpcache.FilesystemCacheStorage"
)
_XML = Format(
    "other", "an XML file that is not XHTML",
    "if it contains pages, write them as JSON lines, with the page in the field html",
)  # fmt: skip
_BROTLI = Format("other", "a Brotli file", _UNPACK)
_DICTIONARY = Format(
    "other", "a Zstandard file that needs a dictionary",
    "unpack it with zstd -d -D and its dictionary",
)  # fmt: skip
_TWICE = Format("other", "a file that was compressed twice", "unpack it once")
_WIDE_JSON = Format("other", "JSON in UTF-16", "write it in UTF-8")

_BINARY: tuple[tuple[bytes, str, str], ...] = (
    (rb"PARE", "an encrypted Parquet file", _ROWS),
    (rb"\x80[\x02-\x05]|\((?:lp|dp|l|d)\d*\n|[\x5d\x7d]q\x00|"
     rb"c[\w.]{1,99}\n[\w.]{1,99}\n(?:p\d+\n|[(q])", "a pickle", _PICKLE),
    (rb"ORC[\x00-\x08\x0b\x0e-\x1f]", "an ORC file", _ROWS),
    (rb"Obj\x01", "an Avro file", _ROWS),
    (rb"ARROW1\x00\x00|FEA1", "an Arrow file", _ROWS),
    (rb"\x89HDF\r\n\x1a\n", "an HDF5 file", _ROWS),
    (rb"\x93NUMPY", "a NumPy file", _ROWS),
    (rb"[\xcd-\xcf]\x9a\x57\x13|\x13\x57\x9a[\xcd-\xcf]", "a dbm database", _CACHE),
    (rb".{12}(?:\x61\x15\x06\x00|\x62\x31\x05\x00|\x00\x06\x15\x61|\x00\x05\x31\x62)|"
     rb"\x61\x15\x06\x00|\x00\x06\x15\x61|'[^'\n]{1,200}', \(\d+, \d+\)\n", "a dbm database",
     _CACHE),
    (rb"PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/\.rels|"
     rb"mimetypeapplication/vnd\.oasis)", "an office document", _HTML_FILE),
    (rb"\x04\x22\x4d\x18", "an LZ4 file", _UNPACK),
    (rb"\x5d\x00\x00..(?:\xff{8}|.{5}\x00{3})", "an LZMA file", _UNPACK),
    (rb"LZIP\x01", "an lzip file", _UNPACK),
    (rb"\x1f[\x9d\xa0]", "a file packed with compress", _UNPACK),
    (rb"\x89LZO\x00", "an LZO file", _UNPACK),
    (rb"\xff\x06\x00\x00sNaPpY", "a Snappy file", _UNPACK),
    (rb"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK),
    (rb"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (rb"!<arch>\n", "an ar archive", _UNPACK),
    (rb"0707(?:01|02|07)[0-9a-fA-F]{6}", "a cpio archive", _UNPACK),
)  # fmt: skip
"""Per format a pattern for its first bytes, its name, and the remedy."""
_TEXT: tuple[tuple[bytes, str, str], ...] = (
    (rb"""\{\s*"log"\s*:\s*\{""", "a HAR file",
     "write its pages as JSON lines: jq -c '.log.entries[] | {url: .request.url, "
     "html: .response.content.text}'"),
    (rb"(?:[A-Za-z][\w-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){0,60}?MIME-Version:[ \t]*1", "an MHTML file",
     _HTML_FILE),
    (rb"HTTP/\d(?:\.\d)? \d{3}\b", "an HTTP response with its header",
     "remove the header, or store responses as WARC files"),
    (rb"<(?:rss|rdf:RDF|urlset|sitemapindex|mediawiki|opml|plist)[\s>]", *_XML[1:]),
    (rb"<feed\s[^>]*http://www\.w3\.org/2005/Atom", *_XML[1:]),
)  # fmt: skip
"""As above, for texts without a byte order mark and white space at their beginning."""


def _compiled(
    table: tuple[tuple[bytes, str, str], ...], flags: int
) -> list[tuple[re.Pattern[bytes], Format]]:
    return [(re.compile(one, flags), Format("other", *names)) for one, *names in table]


_BINARY_FORMATS = _compiled(_BINARY, re.DOTALL)
_TEXT_FORMATS = _compiled(_TEXT, re.IGNORECASE)
_WARC_START = re.compile(rb"WARC/\d\.\d")
_WARC_TYPES = re.compile(rb"^WARC-Type:[ \t]*(\w+)", re.IGNORECASE | re.MULTILINE)
_ARC_START = re.compile(rb"filedesc://|https?://\S+ [\d.:a-fA-F]+ \d{14} \S+ \d+\r?\n")
_INDEX_START = re.compile(
    rb" ?CDX (?:[A-Za-z] ){2}|!(?:OpenWayback-CDXJ|meta\b|context\b)|"
    rb"(?=\S*\))[^\s<>]+ \d{4,14} (?:\{|\S+ \S+ (?:\d{3}|-) )"
)
_JSON_START = re.compile(
    rb"""\{\s*\n\s*["}]|"""
    rb"""\[\s*(?:\{\s*(?:"|\})|\[\s*["{]|\]\s*\Z|"(?:[^"\\]|\\.)*(?:"\s*,|\Z))"""
)
_ZIP_START = re.compile(rb"PK(?:\x03\x04|\x05\x06|\x07\x08|00PK)")
_OBJECT = re.compile(rb"""\{\s*["}]""")
_HEADER_OF_CSV = re.compile(
    rb"""(?=[^\n]*(?:^|[,;\t"])(?:url|uri|link|html|raw_html|body|content|text|title)["]?"""
    rb"""(?:[,;\t]|\r?\n))["\w.-]{1,60}(?:[,;\t]["\w.-]{1,60})+\r?\n""",
    re.IGNORECASE,
)
"""The first line of a CSV file with one of these columns; in a text, spaces follow the commas."""
_NAME = rb"""(?:"[^"\n<]{1,60}"|[\w.\x80-\xff-]{1,60}(?: [\w.\x80-\xff-]{1,60}){0,5})"""
_NAMES = re.compile(_NAME + rb"(?P<by>[,;\t|])" + _NAME + rb"(?:(?P=by)" + _NAME + rb")*")
"""The first line of a CSV file with any columns."""
_BEFORE_ROOT = re.compile(
    rb"\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?P<name>\s+[\w:.-]+)[^\[>]*(?:\[.*?\]\s*)?>)",
    re.DOTALL | re.IGNORECASE,
)
_ROOT = re.compile(rb"\s*<(?:[\w.-]+:)?([\w.-]+)([^>]*)")
_PAGE_ROOTS = re.compile(
    rb"(?:html|head|body|title|meta|link|base|style|script|noscript|frameset|div|span|p|main|"
    rb"article|section|header|footer|nav|aside|table|tr|td|h[1-6]|ul|ol|dl|form|center|font|img|a|"
    rb"b|i|br|hr|pre|blockquote|wml)\Z",
    re.IGNORECASE,
)
"""XML with one of these roots is a page: HTML, a part of it, or WML."""
_XHTML = re.compile(rb"""xmlns\s*=\s*["']http://www\.w3\.org/1999/xhtml""")
_UTF8_MARK, WIDE_MARKS = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
"""Those of UTF-8 and UTF-16."""
_MARKUP = re.compile(rb"<\x00?[!?/a-zA-Z]|&#?\w+;")
_CSV_ENDINGS, _JSON_ENDINGS = (".csv", ".tsv"), (".json", ".jsonl", ".ndjson")


def format_of_start(file: BinaryIO, first: bytes, name: str, *, named: bool) -> Format:
    """Return what a file is that begins with the bytes ``first``.

    ``file``: the same file at its beginning, which is read if it is packed; ``named``: whether the
    user named it, or it was found in a folder or in an archive.
    """
    if not is_packed(first):
        return format_of_bytes(first[:START_BYTES], name, named=named)
    if _needs_dictionary(first):
        return _DICTIONARY
    try:
        inside = unpacked_start(file, START_BYTES)
    except DamagedError:
        if not _without_packing(name).endswith(ENDINGS):
            raise
        inside = b""
    if not is_packed(inside):
        return format_of_bytes(inside, name, named=named)
    if inside.startswith(GZIP):  # some archives compress again what a server sent compressed
        inmost = format_of_bytes(unpacked_start(BytesIO(inside), START_BYTES), name, named=named)
        if inmost.kind in ("page", "unknown"):
            return inmost
    return _TWICE


def format_of_bytes(start: bytes, name: str, *, named: bool) -> Format:
    """Return what data is that begins with these bytes, which are not packed."""
    if _WARC_START.match(start):
        return _WET_OR_WAT.get(_first_type(start), _WARC)
    if start.startswith(b"PAR1"):
        return _PARQUET
    if start.startswith(b"SQLite format 3\x00"):
        return _SQLITE
    for pattern, found in _BINARY_FORMATS:
        if pattern.match(start):
            return found
    if _ZIP_START.match(start):
        return _ZIP
    if _is_tar(start):
        return _TAR
    short_name = _without_packing(name)
    media = media_name(start)
    if media and (named or short_name.endswith(ENDINGS)):
        return Format("other", media, _HTML_FILE)
    return _UNKNOWN if media else _format_of_text(start, short_name, named=named)


def _first_type(start: bytes) -> bytes:
    """Return the type of the first record of a WARC file that does not describe the file itself;
    of a record of metadata, with its type of content.
    """
    for found in _WARC_TYPES.finditer(start):
        if (kind := found[1].lower()) != b"warcinfo":
            is_json = b"application/json" in start[found.start() : found.start() + 1_000]
            return kind + b" json" if is_json else kind
    return b""


_WET_OR_WAT = {b"conversion": _WET, b"metadata json": _WAT}


def _format_of_text(start: bytes, name: str, *, named: bool) -> Format:  # noqa: C901 - in order
    wide = start.startswith(WIDE_MARKS)
    if wide:
        start = start.decode("utf-16", "replace").encode("utf-8", "replace")
    text = start.removeprefix(_UTF8_MARK).lstrip()
    for pattern, found in _TEXT_FORMATS:
        if pattern.match(text):
            return found
    for pattern, found in _READ_TEXTS:
        if pattern.match(text):
            return _WIDE_JSON if wide and found is _JSON else found
    is_html = name.endswith(ENDINGS)
    if _OBJECT.match(text) or (name.endswith(_JSON_ENDINGS) and not text.startswith(b"<")):
        return _WIDE_JSON if wide else _LINES
    if text.startswith(b"<"):
        return _XML if _is_other_xml(text) else _PAGE
    is_table = _HEADER_OF_CSV.match(text) or (named and _is_table(text))
    if name.endswith(_CSV_ENDINGS) or (is_table and not is_html):
        return _CSV
    if name.endswith(".br"):
        return _BROTLI
    if is_html or (named and _MARKUP.search(start)):
        return _PAGE
    return _PLAIN_TEXT if named and start.strip() else _PAGE if named else _UNKNOWN


_READ_TEXTS = ((_ARC_START, _ARC), (_INDEX_START, _INDEX_FILE), (_JSON_START, _JSON))
"""Texts that are read, without a byte order mark and white space at their beginning."""


def _is_table(text: bytes) -> bool:
    """Return whether the first line has only names, and the second has their delimiter, too."""
    first, second = [*text.split(b"\n", 2), b""][:2]
    found = _NAMES.fullmatch(first.rstrip(b"\r"))
    return found is not None and found["by"] in second


def _without_packing(name: str) -> str:
    """Return the name, lower-case, without an ending of packed files."""
    name = name.lower()
    return name.removesuffix(next((end for end in PACKED_ENDINGS if name.endswith(end)), ""))


def _needs_dictionary(first: bytes) -> bool:
    """Return whether Zstandard data names a dictionary (RFC 8878, 3.1.1.1.1) that it does not have.

    WARC files begin with theirs.
    """
    return first.startswith(ZSTD) and len(first) > len(ZSTD) and first[len(ZSTD)] & 3 != 0


def _is_tar(start: bytes) -> bool:
    """Return whether the data begins with the header of a tar archive, of any age."""
    try:
        tarfile.TarInfo.frombuf(start[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
    except (tarfile.TarError, ValueError):
        return start[257:262] == b"ustar"  # with a damaged header
    return True


def _is_other_xml(text: bytes) -> bool:
    """Return whether the text is XML with a root that is not of a page."""
    if not text.startswith(b"<?xml"):
        return False
    at = 0
    while before := _BEFORE_ROOT.match(text, at):
        if (before["name"] or b"").strip().lower() == b"html":
            return False
        at = before.end()
    root = _ROOT.match(text, at)
    return root is not None and not (_PAGE_ROOTS.match(root[1]) or _XHTML.search(root[2]))
