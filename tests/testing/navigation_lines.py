"""Lines of links to the pages before and behind, and texts that look like them."""

from __future__ import annotations

CELLS = "".join(
    f"<td>[{cell}]</td>"
    for cell in (
        "<a href=a title='Previous section'> &lt; </a>",
        " &gt; ",
        "<a href=u title='Up section'> Up </a>",
        "<a href=c>Contents</a>",
        "<a href=h title='About (help)'> ? </a>",
    )
)
LINES = [
    "<p><a href=a>Previous</a> | <a href=c>Contents</a> | <a href=i>Index</a> | <a href=b>Next</a>",
    "<p><a href=a>Prev</a> - <a href=u>Up</a> - Next</p>",
    "<div class=header><p>Next: <a href=b rel=next>Casting a bell</a>, Previous: <a href=a>Ores</a>"
    ", Up: <a href=u>Foundry</a> &nbsp; [<a href=c>Contents</a>][<a href=i>Index</a>]</p></div>",
    "<p>Previous: <a href=a>Melting the ore</a> | Next: <a href=b>Filling the mould</a></p>",
    "<p><strong>Next page:</strong> <a href=b>The clapper</a></p>",
    "<p>Nächstes Kapitel: <a href=b>Der Klöppel</a></p>",
    "<p>Article suivant : <a href=b>Le battant</a></p>",
    "<p>[ <a href=a>anterior</a> ] [ <a href=c>Conteúdo</a> ] [ <a href=a>1</a> ] [ 2 ] "
    "[ <a href=b>próximo</a> ]</p>",
    "<p><a href=a>« Précédent</a> <a href=c>Table des matières</a> <a href=b>Suivant »</a></p>",
    "<p><a href=a>zurück</a> / <a href=c>Inhalt</a> / <a href=b>weiter</a></p>",
    "<p><a href=a>Предыдущая</a> · <a href=c>Содержание</a> · <a href=b>Следующая</a></p>",
    "<p><a href=a>上一页</a> <a href=c>目录</a> <a href=b>下一页</a></p>",
    "<div><a href=i>Index</a> <a href=m>Return to Main Contents</a></div>",
    "<p><a href=#top>Back to top</a></p>",
    "<p><a href=#oben>Zurück nach oben</a></p>",
    "<ul><li><a href=a>Previous</a></li><li><a href=b>Next</a></li></ul>",
    "<ul><li><a href=a>Previous article</a></li></ul>",
    f"<table class=header><tr>{CELLS}</tr></table>",
    "<table><tr><td><a href=a>Prev</a></td><td><a href=u>Up</a></td><td><a href=b>Next</a></td>",
]
TEXTS = [
    "<p>Next: pour the bronze, and <a href=a>wait for an hour</a> before you open the mould.</p>",
    "<p>The <a href=a>next</a> page has the <a href=b>contents</a> of the bell.</p>",
    "<h2><a href=#n>Next page</a></h2>",
    "<p>Previous | Contents | Next</p>",
    "<p><a href=a>Next</a></p>",
    "<p><a href=h>Home</a> | <a href=i>Index</a> | <a href=c>Contents</a></p>",
    "<ul><li><a href=a>Introduction</a></li><li><a href=b>Index</a></li></ul>",
    "<ul><li><a href=a>add</a></li><li><a href=b>next</a></li><li><a href=c>previous</a></li></ul>",
    "<ul><li><a href=a>Back Home</a></li><li><a href=b>Silver Bells</a></li></ul>",
    "<table><tr><td><a href=a>next</a></td><td>The bell that rings next.</td></tr></table>",
    "<table><tr><th><a href=?s=l>Last</a></th><th><a href=?s=p>Previous</a></th></tr></table>",
    "<dl><dt><a href=a>next</a></dt><dd>The bell that rings next.</dd></dl>",
    "<p><code><a href=a>next</a></code></p><p><code><a href=b>prev</a></code></p>",
    "<p>Back: <a href=a>a row with the heavy bell</a></p>",
    "<p>Chapter 2: <a href=a>How a bell is made</a></p>",
    "<p><a href=a>Next of kin</a></p>",
    "<p>See also <a href=a>next</a>, <a href=b>previous</a> and <a href=c>rewind</a>.</p>",
]
