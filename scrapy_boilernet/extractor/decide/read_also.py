"""Lines among the paragraphs of an article that lead to another one: "Read also: …".

So do a label, "Read also", with the links below it, and a link that says only "Read more".

A model decides by the place of a block, and such a line stands where a paragraph does.
``benchmarks/quality/boxes.py`` measures how many of them are in the gold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.navigation import lead_to_pages_beside
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_READ = (
    "read also|also read|watch also|must[- ]read|read next|up next|in case you missed it|icymi|"
    "you (?:may|might) (?:also (?:like|be interested in)|be interested in)|don['’]t miss|"
    "recommended for you|more like this|lesen sie (?:auch|mehr|dazu|hier)|lies auch|"
    "auch interessant|(?:das )?könnte (?:sie|dich) auch interessieren|"
    "(?:à |a )?lire (?:aussi|également|ensuite)|(?:lis|lisez) (?:aussi|également)|"
    "le[aeé] (?:también|además)|leer también|mir[ae] también|(?:te|le) (?:puede|podría) interesar|"
    "no te pierdas|leia (?:também|ainda)|confira também|llegiu també|legg[ie] anche|leggi pure|"
    "(?:ti )?potrebbe interessar(?:e|ti)(?: anche)?|lees ook|läs också|läs även|les også|læs også|"
    "lue myös|loe ka|lasi arī|skaitykite taip pat|(?:prze)?czytaj (?:także|też|również)|"
    "čti také|čtěte (?:také|i|více)|přečt(?:i|ěte) si (?:také|i)|prečítaj(?:te)? si (?:aj|tiež)|"
    "olvas(?:d|sa) el ezt is|ez is érdekelheti|citește (?:și|mai multe)|citiți și|"
    "прочет(?:и|ете) (?:още|и)|чита(?:й|йте|ть) также|читай(?:те)? (?:також|ще)|čitajte i|"
    "pročitaj(?:te)? (?:i|još)|preberi(?:te)? tudi|δι(?:άβασε|αβάστε) (?:επίσης|ακόμη|ακόμα)|"
    "(?:ayrıca|bunu da) oku(?:yun)?|ilginizi çekebilir|baca juga|simak juga|đọc thêm|延伸閱讀|"
    "延伸阅读|相关阅读|相關閱讀|相關新聞|相关新闻|推荐阅读|推薦閱讀|相关文章|相關文章|関連記事|"
    "関連ニュース|あわせて読みたい|こちらもおすすめ|관련 ?기사|함께 ?보면 ?좋은|اقرأ أيضا|"
    "اقرأ أيضًا|إقرأ أيضا|شاهد أيضا|طالع أيضا|קראו גם|यह भी पढ़ें|ये भी पढ़ें|"
    "इसे भी पढ़ें|আরও পড়ুন|بیشتر بخوانید"
)
"""How such lines begin in some 35 languages, and what a label says."""
_SEE = (
    "see also our|(?:à )?voir (?:aussi|également)|veja (?:também|ainda)|vedi anche|"
    "bekijk ook|se också|se også|katso myös|vaata ka|zobacz (?:także|też|również)|виж(?:те)? още|"
    "смотри(?:те)? также|див(?:ись|іться) також|(?:δες|δείτε) (?:επίσης|ακόμη|ακόμα)|lihat juga|"
    "xem thêm|ראו גם"
)
"""How such lines begin, too. Alone it is the heading of a section, as on pages of manuals."""
_WITH_COLON = (
    "read(?: (?:more|this|on))?|(?:follow-?up|another (?:great|good)) read|check out|find out more|"
    "see our (?:full |complete )?(?:guide|review|story|article)|related|"
    "related (?:articles?|stor(?:y|ies)|posts?|news|reading|coverage|content)|"
    "more on (?:this|that)|recommended(?: reading)?|from (?:the|our) archives?|"
    "editor['’]s (?:pick|choice)|mehr zum thema|mehr dazu|passend dazu|weiterlesen|lesetipp|"
    "lire la suite|à lire|sur le même sujet|leer más|lea (?:más|aquí)|lee más|más información|"
    "notas? relacionadas?|también (?:puedes?|te puede|le puede) (?:leer|ver|interesar)|"
    "puedes? (?:leer|ver)|leia mais|saiba mais|confira|leggi di più|leggi qui|per approfondire|"
    "approfondimento|lees meer|lees verder|läs mer|les mer|læs mere|lue lisää|czytaj więcej|"
    "polecamy|więcej na ten temat|více k tématu|kapcsolódó|ajánlott|подробнее|по теме|"
    "(?:материалы|ещ[её]|также) по теме|за темою|ilgili haber|baca selengkapnya|artikel terkait|"
    r"(?:next|prev(?:ious)?) (?:message|in thread)(?: \(by thread\))?|messages sorted by|"
    "(?:maybe )?(?:in )?reply(?: to)?|(?:nächste|vorherige) nachricht(?:en)?|"
    "nachrichten sortiert nach|message (?:suivant|précédent)|messages triés par"
)
"""Beginnings that need a colon or the like behind them; the last ones are of archives of mail."""
_MORE = (
    "(?:read|see|view) (?:more|the (?:full|whole) (?:story|article|post))|"
    "(?:continue|keep) reading|read on|weiterlesen|mehr lesen|"
    "lire (?:la suite|plus)|leer más|seguir leyendo|leia mais|"
    "continuar lendo|ler mais|llegir més|leggi (?:di più|tutto|ancora)|continua a leggere|"
    "lees (?:meer|verder)|läs mer|les mer|læs mere|lue lisää|czytaj (?:więcej|dalej)|"
    "číst (?:dále|více)|čítať ďalej|tovább(?: olvasom)?|citește mai (?:mult|departe)|"
    "подробнее|читать (?:далее|дальше|полностью)|читати далі|детальніше|прочетете повече|"
    "διαβάστε περισσότερα|devamını oku|baca selengkapnya|selengkapnya|続きを読む|もっと見る|"
    "더 ?보기|阅读更多|阅读全文|閱讀更多|閱讀全文|繼續閱讀|اقرأ المزيد|קרא עוד|और पढ़ें|আরও পড়ুন|"
    "view this (?:post|profile|reel) on instagram|sieh dir diesen beitrag auf instagram an|"
    "voir cette publication sur instagram|ver (?:esta (?:publicación|foto) en|"
    "est[ae] (?:publicação|foto) no|essa (?:publicação|foto) no) instagram|"
    "(?:visualizza|vedi) questo post su instagram|dit bericht op instagram bekijken|"
    "visa det här inlägget på instagram|se dette (?:opslag|innlegget) på instagram|"
    "wyświetl ten post na instagramie|zobrazit příspěvek na instagramu|"
    "посмотреть эту публикацию в instagram|переглянути цей допис в instagram|"
    "bu gönderiyi instagram['’]da gör|lihat postingan ini di instagram|"
    "この投稿をinstagramで見る|instagram에서 이 게시물 보기|在 ?instagram ?(?:上)?查看这篇帖子"
)
"""What a link below the beginning of a text says, or below a post that is embedded."""
_RELATED = (
    "related(?: (?:articles?|stor(?:y|ies)|posts?|news|reading|coverage|content))?|"
    "mehr zum thema|passend dazu|à lire|sur le même sujet|per approfondire|více k tématu|"
    "по теме|ilgili haberler"
)
"""What a label says, too."""
_CONTENTS = lazy_pattern(
    r"[\W_]*(?:(?:table of )?contents|(?:in|on) this (?:article|page|post|guide)|what['’]s inside|"
    "jump to(?: section)?|inhalt(?:sverzeichnis)?|in diesem (?:artikel|beitrag)|auf dieser seite|"
    "sommaire|table des matières|au sommaire|índice|contenido|tabla de contenidos?|"
    "en este artículo|neste artigo|conteúdo|indice(?: dei contenuti)?|sommario|inhoud(?:sopgave)?|"
    "innehåll|indhold|innhold|sisällys|spis treści|obsah|tartalom|cuprins|содержание|оглавление|"
    "зміст|περιεχόμενα|içindekiler|daftar isi|mục lục|目次|目录|目錄|목차|المحتويات|תוכן עניינים)"
    r"[\W_]*\Z",
    re.IGNORECASE,
)
"""The heading of a list of links to the sections of a page."""
_LINE = lazy_pattern(
    rf"[\W_]*(?:(?:{_READ}|{_SEE})(?=\W)|(?:{_WITH_COLON})\s*[:：>»→–—|]).*[^\W_]|"
    rf"[\W_]*(?:{_READ}|{_MORE})[\W_]*\Z",
    re.IGNORECASE,
)
_LABEL = lazy_pattern(rf"[\W_]*(?:{_READ}|{_RELATED})[\W_]*\Z", re.IGNORECASE)
_MAX_CHARS, _MAX_LABEL_CHARS = 300, 60
_MIN_LINK_SHARE, _MIN_SHARE_BELOW = 0.5, 0.9
_MAX_LINKS, _MAX_STEPS = 10, 2
"""How many links a label may have below it, and how many elements may lead from it to the one
around them all."""


def lead_elsewhere(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which kept blocks are lines that lead to another article: most of their text is a
    link, and they begin with words that say so, or they are links below a label that does, or they
    lead to the pages beside; and headings of lists of links to sections that are not kept. Shape
    (blocks,).
    """
    found, texts, link_chars = np.zeros(len(kept), dtype=np.bool_), page.texts, page.marks[0]
    is_link = link_chars > 0
    linked = (kept & is_link).nonzero()[0]
    for i, chars in zip(linked.tolist(), link_chars[linked].tolist(), strict=True):
        text = texts[i]
        if len(text) <= _MAX_CHARS and chars >= _MIN_LINK_SHARE * len(text) and _LINE.match(text):
            found[i] = True
    for i in (kept[:-1] & ~is_link[:-1] & is_link[1:]).nonzero()[0].tolist():
        is_label = len(texts[i]) <= _MAX_LABEL_CHARS and _LABEL.match(texts[i]) is not None
        links = _links_below(page, i) if is_label else 0
        if 0 < links <= _MAX_LINKS:
            found[i : i + links + 1] = True
    for i in (kept[:-1] & ~is_link[:-1] & is_link[1:] & ~kept[1:]).nonzero()[0].tolist():
        if len(texts[i]) <= _MAX_LABEL_CHARS and _CONTENTS.match(texts[i]):
            found[i] = True
    return (found | lead_to_pages_beside(page, kept)) & kept


def list_contents(page: Page, places: Sequence[int]) -> bool:
    """Return whether these blocks, which follow each other, are the links of a list of contents."""
    texts, link_chars, before = page.texts, page.marks[0], places[0] - 1
    return (
        before >= 0
        and len(texts[before]) <= _MAX_LABEL_CHARS
        and _CONTENTS.match(texts[before]) is not None
        and all(link_chars[i] >= _MIN_SHARE_BELOW * len(texts[i]) for i in places)
    )


def _links_below(page: Page, label: int) -> int:
    """Return how many blocks behind a label are links and near it; at most one more than a label
    has.
    """
    texts, link_chars = page.texts, page.marks[0]
    nodes, depths = page.nodes
    ends = depths.cumsum()
    box = nodes[max(ends[label] - 1 - _MAX_STEPS, ends[label] - depths[label])]
    links = 0
    for i in range(label + 1, min(label + 2 + _MAX_LINKS, len(texts))):
        is_near = box in nodes[ends[i] - depths[i] : ends[i]]
        if not is_near or link_chars[i] < _MIN_SHARE_BELOW * len(texts[i]):
            break
        links += 1
    return links
