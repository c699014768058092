"""Labels of links and buttons that act on a page: "Reply", "Add to cart", "Show more".

They stand below posts, products and paragraphs, so a model that decides by the place of a block
keeps some of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.ad_labels import only_labels, signs_of_labels
from scrapy_boilernet.extractor.decide.line_signs import LineSigns
from scrapy_boilernet.extractor.page import Page

_LABELS = frozenset("""
reply|reply to this|log in to reply|sign in to reply|login to reply|reply with quote|report abuse
flag as inappropriate|report inappropriate content|report this post|report this comment
antworten|antworten auf diesen beitrag|répondre|responder|rispondi|beantwoorden|reageren|odpowiedz
ответить|відповісти|svara|svar|vastaa|odpovědět|odpovedať|válasz|răspunde|yanıtla|cevapla|απάντηση
返信|返信する|回复|回覆|답글|답글 달기|رد|הגב|balas|trả lời|отговор|odgovori
add to cart|add to bag|add to basket|add to trolley|add to wishlist|add to wish list|quick view
add to favorites|add to favourites|add to compare|add to registry|in den warenkorb|auf die merkliste
in den einkaufswagen|ajouter au panier|añadir al carrito|agregar al carrito|añadir a la cesta
afegeix a la cistella|aggiungi al carrello|adicionar ao carrinho|in winkelwagen|in winkelmand
lägg i varukorg|lägg i varukorgen|læg i kurv|legg i handlekurv|lisää ostoskoriin|dodaj do koszyka
do koszyka|do košíku|přidat do košíku|pridať do košíka|kosárba|kosárba teszem|adaugă în coș
в корзину|добавить в корзину|до кошика|добави в количката|dodaj u košaricu|v košarico
προσθήκη στο καλάθι|sepete ekle|加入购物车|加入購物車|カートに入れる|カートに追加|장바구니 담기
장바구니에 담기|أضف إلى السلة|הוסף לסל|הוספה לסל|tambah ke keranjang|thêm vào giỏ hàng
show more|show less|see more|see less|load more|mehr anzeigen|weniger anzeigen|mehr laden|voir plus
voir moins|afficher plus|ver más|ver menos|mostrar más|mostra altro|vedi altro|ver mais|mostrar mais
toon meer|meer weergeven|visa mer|visa fler|vis mere|vis mer|näytä lisää|pokaż więcej|zobacz więcej
zobrazit více|zobraziť viac|mutass többet|több megjelenítése|afișează mai mult|показать ещё
показать еще|показати ще|покажи още|prikaži više|εμφάνιση περισσότερων|daha fazla göster
展开|展开全部|收起|顯示更多|显示更多|もっと見る|더보기|عرض المزيد|הצג עוד
twitter facebook|facebook twitter|share this article|share this post|share this page|share this
share this story|share on facebook|share on twitter|share on x|share on linkedin|share on whatsapp
give this article|gift this article|gift article|share full article|artikel verschenken
offrir cet article|offrir l’article|regalar artículo|regala este artículo|regala questo articolo
email this article|email this page|print this article|print this page|tweet this|copy link|pin it
artikel teilen|beitrag teilen|seite drucken|partager cet article|imprimer|compartir este artículo
condividi questo articolo|deel dit artikel|udostępnij artykuł|поделиться статьей
click to expand|click to shrink|click to enlarge|back to top|nach oben|zum seitenanfang
haut de page|retour en haut|volver arriba|torna su|naar boven|skip to content|skip to main content
play video|loading|rate this article|post a comment|leave a comment|leave a reply
comments are closed|the comments to this entry are closed|comments for this entry are closed
comments closed|kommentar schreiben|laisser un commentaire|deja un comentario|lascia un commento
""".strip().replace("\n", "|").split("|"))  # fmt: skip
_signs = LineSigns(signs_of_labels(_LABELS))
_NOT_IN = frozenset("h1 h2 h3 h4 h5 h6 th td dt dd pre code figcaption".split())
"""Tags of elements in which such words are what a text is about."""
_ITEM, _COLONS = "li", ":："
"""An item of a list has a link or a button around its label. What has a colon names what follows.
"""


def label_controls(page: Page, kept: NDArray[np.bool_]) -> list[int]:
    """Return which of the kept blocks are nothing but such a label. ``kept``: (blocks,)."""
    texts, (pairs, places) = page.texts, page.paths
    found = only_labels(page, [i for i in _signs.on(page) if kept[i]], _LABELS, _NOT_IN)
    return [i for i in found if texts[i][-1] not in _COLONS and pairs[places[i]][0][-1] != _ITEM]
