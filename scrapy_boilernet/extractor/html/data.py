"""Names data and programs that are served as pages: JSON, scripts, style sheets, tables, Base64.

They are named only if the beginning and the end agree. A page may begin with anything: with text, a
script that lost its tag, or JSON before the markup.
"""

from __future__ import annotations

import csv
import json
import re

from scrapy_boilernet.extractor.patterns import lazy_pattern

_FIRST_BYTES, _HEAD_BYTES, _TAIL_BYTES = 64, 32_768, 256
_MARK = b"\xef\xbb\xbf"
_SPACES = " \t\r\n\f\v\ufeff\0"
_GUARD = re.compile(r"\)\]\}'?,?\s*|(?:while|for)\s*\((?:1|;;)\)\s*;?\s*")
"""What some servers write before JSON, so that no page can run it as a script."""
_COMMENTS = re.compile(r"(?:/\*(?:[^*]|\*(?!/))*+\*/\s*|//[^\n]*+\n\s*)*+")
_CALL = re.compile(
    r"""(?:try\s*\{\s*)?(?:typeof\s[\w$.\s='"]{1,100}&&\s*)?"""
    r"""[A-Za-z_$][\w$.]{0,200}(?:\[[\w'"]{1,50}\])?\s*\(\s*"""
)
_SCRIPT_START = lazy_pattern(
    r"""["']use\ strict["']
    |(?:[!+;(-]|void\s)*\s*(?:async\s+)?function\b[\s*]*(?:[\w$]{1,100}\s*)?\(
    |\(\s*(?:\([\w$,\s]{0,200}\)|[\w$]+)\s*=>
    |(?:var|let|const)\s+[\w$]{1,100}\s*(?:=|;|,)
    |(?:var|let|const)\s+[\[{]
    |import\b\s*(?:[\w${*][\w${},*\s]{0,500}?from\s*)?["']
    |export\b\s*(?:default|const|let|var|function|class|async|\{|\*)
    |class\s+[\w$]{1,100}\s*(?:extends\s+[\w$.]{1,100}\s*)?\{
    |(?:if|for|while|switch)\s*\(
    |try\s*\{
    |\(?(?:window|self|globalThis|document|module|exports|jQuery|\$)(?:\.[\w$]+)*(?:\s*=[^=]|\(|\s*&&)
    |(?:define|require)\s*\(\s*["'\[f]
    |[A-Za-z_$][\w$]*(?:\.[\w$]+|\[["'\w]+\])*\s*=\s*[\w$({\["'][^<]{0,400};
    """,
    re.VERBOSE,
)
_STYLE_START = lazy_pattern(
    r"""@(?:charset|import|media|font-face|namespace|supports|layer)\b
    |@(?:page|keyframes|container|property|-(?:webkit|moz|ms|o)-[a-z-]{4,30})\b
    |[.#:*\w\[](?:[^{}<;.]|\.(?=[\w-])){0,1000}\{\s*(?:[-*]{0,2}[a-zA-Z_-][\w-]{1,60}\s*:[^{}<>]{1,1000}[;}]|\})
    """,
    re.VERBOSE,
)
_COMMENT_MARKUP = re.compile(r"<!--[^<>]*-->\s*")
_SCRIPT_END = re.compile(r"(?:[;})\],]|\*/|(?:^|[\s;})/])//[^<]*)$")
_CALL_END = re.compile(
    r"\)*\s*[;,]?\s*(?:\}\s*catch\s*\(\w{1,50}\)\s*\{[^{}<]{0,200}\}\s*;?\s*)?(?://[^\n<]*)?$"
)
_CODE_SIGNS = str.maketrans("", "", "{}()[];=:,.\"'")
_MIN_CODE_SIGNS = 0.06
"""The smallest share of such signs in a script; sentences about scripts have half of it."""
_TAG = re.compile(r"</?[a-zA-Z!]")
_BASE64 = re.compile(r"(?:data:[\w.+/;=-]{1,100};base64,)?[A-Za-z0-9+/_-]+={0,2}")
_MIN_BASE64_CHARS, _MIN_BASE64_LINE_CHARS = 200, 60
_SEPARATORS = "\t;,|"
_MAX_RAGGED = 0.02
_MIN_ROWS, _MIN_COLUMNS = 4, 3
_MAX_CELL_CHARS, _MAX_SPACED = 60, 0.2
"""The longest mean of a table's cells, and the largest share of its cells that begin with a space:
where both are larger, lines of text have as many commas by chance."""


def data_name(body: bytes | str, whole: bool = True) -> str:
    """Return the kind of a body that is data or a program, such as ``"JSON data"``; else "".

    ``whole``: whether the end of the body is the end of the file.

    >>> data_name(b'{"title": "Tide pools"}')
    'JSON data'
    """
    if isinstance(body, bytes) and (codec := _wide_codec(body)):
        body = body.decode(codec, errors="replace")
    if _text(body[:_FIRST_BYTES]).lstrip(_SPACES)[:1] == "<":  # as nearly all pages begin
        return ""
    head = _text(body[:_HEAD_BYTES]).lstrip(_SPACES)
    if not head or head[0] == "<":
        return ""
    tail = _text(body[-_TAIL_BYTES:]).rstrip(" \t\r\n\f\0") if whole else ""
    cut_off = not whole or len(body) > _HEAD_BYTES
    return (
        _json_name(head, tail, cut_off)
        or _program_name(head, tail)
        or ("" if _TAG.search(tail) else _base64_name(head) or _table_name(head, cut_off))
    )


def _wide_codec(body: bytes) -> str:
    """Return the codec of text in UTF-16, found by its mark or the first character's NUL; or ""."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    first = body[:2]
    return "" if first.count(0) != 1 else "utf-16-be" if first[0] == 0 else "utf-16-le"


def _text(part: bytes | str) -> str:
    """Return a part as text that has its ASCII characters, whatever its encoding is."""
    if isinstance(part, str):
        return part
    return part.replace(b"\0", b"").replace(_MARK, b"").decode("latin-1")


def _json_name(head: str, tail: str, cut_off: bool) -> str:
    """Return the name of JSON, lines of JSON, or JSON in a call; "" for others."""
    guard = _GUARD.match(head)
    comments = _COMMENTS.match(head)
    start = max(guard.end() if guard else 0, comments.end() if comments else 0)
    if head[start : start + 1] in ("{", "[") and (
        tail.rstrip(";")[-1:] in ("", "}", "]") or (not cut_off and tail.endswith("-->"))
    ):
        return "JSON data" if _is_json(head[start:], cut_off) else ""
    call = _CALL.match(head, start)
    if call and head[call.end() : call.end() + 1] in ("{", "[") and _ends_program(tail):
        is_json = _is_json(head[call.end() :], cut_off, ends_call=True)
        return "JSON with padding (JSONP)" if is_json else ""
    return ""


def _is_json(text: str, cut_off: bool, ends_call: bool = False) -> bool:
    """Return whether a text is JSON, or lines of JSON, up to where it is cut off.

    ``ends_call``: whether a closing bracket follows.
    """
    decoder = json.JSONDecoder(strict=False)
    try:
        _, end = decoder.raw_decode(text)
    except RecursionError:  # no page begins with that many brackets
        return True
    except ValueError as error:
        place = getattr(error, "pos", 0)
        unended = str(error).startswith("Unterminated string")
        return cut_off and (unended or place >= len(text) - 8) and place > 0
    rest = text[end:].lstrip(" \t\r\n\f;")
    if ends_call:
        return bool(_CALL_END.match(text, end))
    if not _COMMENT_MARKUP.sub("", rest):
        return True
    try:
        return rest[0] in "{[" and bool(decoder.raw_decode(rest))
    except (RecursionError, ValueError):
        return cut_off


def _program_name(head: str, tail: str) -> str:
    """Return the name of a script or a style sheet that begins and ends as one."""
    comments = _COMMENTS.match(head)
    start = head[comments.end() :] if comments else head
    signs = len(start) - len(start.translate(_CODE_SIGNS))
    if not _ends_program(tail) or signs < _MIN_CODE_SIGNS * len(start):
        return ""
    if _SCRIPT_START.match(start):
        return "JavaScript"
    return "a style sheet" if tail[-1:] in ("", "}", "/") and _STYLE_START.match(start) else ""


def _ends_program(tail: str) -> bool:
    """Return whether a program may end so; True if the end is not known."""
    return not tail or _SCRIPT_END.search(tail.rpartition("\n")[2]) is not None


def _base64_name(head: str) -> str:
    lines = head.split()
    text = "".join(lines)
    if len(text) < _MIN_BASE64_CHARS or len(lines[0]) < _MIN_BASE64_LINE_CHARS or text.isalpha():
        return ""
    longest = len(lines[0])
    even = all(len(line) == longest for line in lines[1:-1]) and len(lines[-1]) <= longest
    return "Base64 data" if even and _BASE64.fullmatch(text) else ""


def _table_name(head: str, cut_off: bool) -> str:
    if _TAG.search(head):
        return ""
    rows = [line for line in head.splitlines() if line.strip()]
    rows = rows[:-1] if cut_off else rows
    is_table = any(_is_table(rows, sign) for sign in _SEPARATORS)
    return "a table of values (CSV)" if is_table else ""


def _is_table(rows: list[str], separator: str) -> bool:
    """Return whether all rows have as many cells, and the cells are short."""
    if len(rows) < _MIN_ROWS or separator not in rows[0]:
        return False
    try:
        cells = list(csv.reader(rows, delimiter=separator))
    except csv.Error:
        return False
    columns = len(cells[0])
    if columns < _MIN_COLUMNS or sum(len(row) != columns for row in cells) > _MAX_RAGGED * len(
        cells
    ):
        return False
    spaced = sum(cell[:1] == " " for row in cells for cell in row[1:])
    characters = sum(len(cell) for row in cells for cell in row)
    count = columns * len(cells)
    return spaced <= _MAX_SPACED * count and characters <= _MAX_CELL_CHARS * count
