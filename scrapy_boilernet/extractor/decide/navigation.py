"""Lines that lead to the pages before and behind: "Previous | Contents | Next".

A manual has them above and below its text, and a model that decides by the place of a block keeps
them. Texinfo names the pages: "Next: Notation, Previous: Feedback, Up: Top [Contents]".
``benchmarks/quality/boxes.py`` measures how many of them are in the gold.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.page import Page

_NEXT = frozenset(
    "prev previous next vorherige vorheriger vorheriges vorige voriger voriges nächste nächster "
    "nächstes précédent précédente suivant suivante anterior anteriores siguiente siguientes "
    "próximo próxima próximos próximas seguinte següent precedente successivo successiva volgende "
    "föregående nästa forrige næste neste edellinen seuraava poprzedni poprzednia poprzednie "
    "następny następna następne předchozí další následující predchádzajúci predchádzajúca "
    "predchádzajúce ďalší ďalšia ďalšie nasledujúci nasledujúca nasledujúce előző következő "
    "precedentul precedenta precedentă următorul următoarea următor предишна предишен предишно "
    "следваща следващ следващо предыдущая предыдущий предыдущее пред следующая следующий следующее "
    "след попередня попередній попереднє наступна наступний наступне προηγούμενη προηγούμενο "
    "επόμενη επόμενο önceki sonraki prethodna prethodni prethodno sljedeća sljedeći sljedeće "
    "претходна претходни следећа следећи prejšnja prejšnji naslednja naslednji eelmine järgmine "
    "iepriekšējā iepriekšējais nākamā nākamais ankstesnis ankstesnė kitas kita sebelumnya "
    "selanjutnya berikutnya trước 前へ 次へ 前のページ 次のページ 前の記事 次の記事 上一页 下一页 "
    "上一頁 下一頁 上一章 下一章 上一节 下一节 上一節 下一節 上一篇 下一篇 上一个 下一个 上页 下页 "
    "이전 다음 السابق التالي السابقة التالية הקודם הבא قبلی بعدی".split()
)
"""How the page before or behind is called."""
_BACK = frozenset(
    "back forward return zurück weiter retour revenir atrás volver voltar indietro avanti "
    "torna tornar terug verder tillbaka tilbage tilbake takaisin wstecz powrót wróć dalej zpět "
    "späť vissza înapoi назад вперёд вперед вернуться далее повернутися πίσω geri ileri natrag "
    "nazaj tagasi atpakaļ atgal kembali 戻る 進む 返回 뒤로".split()
)
"""What such a link says, too. Before a colon it may be the name of something else."""
_PLACES = frozenset(
    "up top home contents content toc index main start first last beginning begin end parent help "
    "search overview dir list inhalt inhaltsverzeichnis übersicht hoch oben anfang startseite "
    "sommaire matières accueil haut index remonter índice contenido contenidos inicio arriba subir "
    "conteúdo início topo acima indice sommario inizio inhoud inhoudsopgave omhoog boven "
    "innehåll upp indhold hjem opp innhold sisällys ylös spis treści góra początek obsah nahoru "
    "domů domov hore tartalom tartalomjegyzék fel cuprins sus содержание оглавление наверх вверх "
    "начало главная указатель съдържание нагоре зміст вгору περιεχόμενα πάνω αρχή "
    "yukarı sadržaj vrh kazalo sisukord üles saturs turinys daftar isi 目次 索引 上へ トップ "
    "ホーム 目录 目錄 首页 首頁 목차 위로 처음 المحتويات الفهرس תוכן".split()
)
"""Other places to which such a line leads."""
_PARTS = frozenset(
    "page chapter section part topic node lesson post article entry message document seite kapitel "
    "abschnitt beitrag artikel eintrag chapitre partie capítulo página sección artículo entrada "
    "artigo pagina capitolo sezione articolo capítol hoofdstuk bericht strona rozdział artykuł "
    "kapitola strana stránka článek sida avsnitt side sivu luku oldal fejezet pagină capitol глава "
    "страница раздел стр статья запись сторінка розділ σελίδα κεφάλαιο sayfa bölüm halaman bab "
    "trang".split()
)
"""What the pages are called."""
_SMALL = frozenset(
    "to the of table function and zum zur nach der des la le à au l de du del a al alla all y e do "
    "da o na naar het till til på в к на".split()
)
"""Other words of such lines: "Return to the table of contents"."""
_DIRECTIONS = _NEXT | _BACK
_WORDS = _DIRECTIONS | _PLACES | _PARTS | _SMALL
_LABELS = _NEXT | _PARTS | {"up", "top", "home", "contents", "index"}
"""Words before the colons of lines that name the pages."""
_LABEL = re.compile(r"([^\W\d_]+)(?: ([^\W\d_]+))?\s?[:：]")
"""One or two words before a colon."""
_ARROWS = frozenset("< > << >> « » ‹ › ← → ↑ ^ ?".split())
"""What stands alone in the cells that texi2html makes: ``[ << ]``."""
_WORD, _SEPARATOR = re.compile(r"[^\W_]+"), re.compile(r"[|\[\]·•<>«»/→←,-]")
_MAX_CHARS, _MAX_DIGITS, _MAX_RUN = 400, 3, 20
"""Characters of a line, digits of the number of a page, and how many blocks before and behind one
may belong to the same line."""
_MAX_LINK_FACTOR = 8
"""How many times as long as its links a line may be."""
_MIN_WORDS = 2
_NOT_IN = frozenset("h1 h2 h3 h4 h5 h6 th dt code tt kbd samp var pre button label".split())
"""Tags of elements in which such a word heads a text, or is a name in a program."""
_NEAR = 3
"""How many of the innermost elements around a block are looked at."""
_ITEMS = {"li": frozenset(("ul", "ol", "menu")), "td": frozenset(("tr",))}
"""Elements that may hold one of several links of another kind, and the elements around those."""


class _Line(NamedTuple):
    """What a block or several ones say if they are nothing but links to other pages."""

    words: int
    has_direction: bool


def lead_to_pages_beside(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which kept blocks are nothing but links to the pages before and behind, and to others
    that such a line has. Shape (blocks,).
    """
    found, texts, link_chars = np.zeros(len(kept), dtype=np.bool_), page.texts, page.marks[0]
    may_be = kept & (link_chars > 0) & (page.chars <= _MAX_LINK_FACTOR * link_chars)
    for i in (may_be & (page.chars <= _MAX_CHARS)).nonzero()[0].tolist():
        first = _WORD.search(texts[i])
        if found[i] or not first or not _belongs(first[0].lower()) or not _may_lead(page, i):
            continue
        if _names_pages(texts[i], int(link_chars[i])):
            found[i] = True
        elif _line_of(texts[i]):
            run = _run_around(page, i)
            found[run.start : run.stop] |= _leads(page, run)
    return found & kept


def _belongs(word: str) -> bool:
    return word in _WORDS or (len(word) <= _MAX_DIGITS and word.isdecimal())


def _may_lead(page: Page, index: int) -> bool:
    tags, _ = page.paths.pairs[page.paths.places[index]]
    return _NOT_IN.isdisjoint(tags[-_NEAR:])


@lru_cache(maxsize=128)  # a block is looked at beside each of its neighbors
def _line_of(text: str) -> _Line | None:
    """Return what a text says if it has nothing but words of such lines, or arrows; else None."""
    words = [word.lower() for word in _WORD.findall(text)]
    if words:
        is_line = all(map(_belongs, words))
        return _Line(len(words), not _DIRECTIONS.isdisjoint(words)) if is_line else None
    arrows = text.strip("[] ").split()
    return _Line(len(arrows), True) if arrows and _ARROWS.issuperset(arrows) else None


def _names_pages(text: str, link_chars: int) -> bool:
    """Return whether a text is a line such as "Next: Notation, Up: Top": it begins with such a
    word and a colon, and all but such words is a link.
    """
    labels = [match for match in _LABEL.finditer(text) if _is_label(match)]
    if not labels or _WORD.search(text, 0, labels[0].start()):
        return False
    if all(_DIRECTIONS.isdisjoint(label[0].lower().strip(":： ").split()) for label in labels):
        return False
    letters = sum(map(len, _WORD.findall(text)))
    own = sum(len(word) for label in labels for word in _WORD.findall(label[0]))
    return letters > own and link_chars >= letters - own


def _is_label(match: re.Match[str]) -> bool:
    return all(word is None or word.lower() in _LABELS for word in match.groups())


def _run_around(page: Page, index: int) -> range:
    """Return the indexes of the blocks around one that may belong to the same line."""
    first, end = index, index + 1
    least, most = max(0, index - _MAX_RUN), min(len(page.texts), index + _MAX_RUN + 1)
    while first > least and _continues(page, first - 1):
        first -= 1
    while end < most and _continues(page, end):
        end += 1
    return range(first, end)


def _continues(page: Page, index: int) -> bool:
    """Return whether a block may belong to the line of the block beside it: it has a link, a
    direction or a bracket, since a number alone may be that of a table.
    """
    text = page.texts[index]
    line = _line_of(text) if len(text) <= _MAX_CHARS else None
    if line is None or not _may_lead(page, index):
        return False
    return line.has_direction or text.startswith("[") or bool(page.marks[0, index])


def _leads(page: Page, run: range) -> bool:
    """Return whether the blocks of a run lead to pages beside. In a list or a row, they are all
    that it has, or each of them has several links.
    """
    lines = [line for line in map(_line_of, (page.texts[i] for i in run)) if line]
    if sum(line.words for line in lines) < _MIN_WORDS:
        return False
    if not any(line.has_direction for line in lines):
        return False
    if len(run) == 1 and _SEPARATOR.search(page.texts[run[0]]):
        return True
    return not _is_one_of_several(page, run)


def _is_one_of_several(page: Page, run: range) -> bool:
    """Return whether the blocks of a run are in a list or a row that has others."""
    first = page.blocks_at([run[0]])[0]
    near = range(max(0, len(first.tags) - _NEAR), len(first.tags))
    step = next((step for step in near if first.tags[step] in _ITEMS), 0)
    if not step:
        return False
    around = [at for at in range(step) if first.tags[at] in _ITEMS[first.tags[step]]]
    beside = [i for i in (run.start - 1, run.stop) if 0 <= i < len(page.texts)]
    return any(first.nodes[around[-1]] in one.nodes for one in page.blocks_at(beside) if around)
