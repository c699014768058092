"""Pages of tables, sentences, breaks, headings, images and lists, each read in its own way."""

from __future__ import annotations

TABLES = {
    "a foot above": "<table><thead><tr><th>A<th>B<tfoot><tr><td>sum<td>2<tbody><tr><td>x<td>y<tr>"
    "<td>z<td><pre>if a:\n    b()</pre></table>",
    "icons": "<table><tr><th>Light<th>A<th>B<tr><td>Horn<td><i class='fa fa-check'></i><td><svg>"
    "<use href='#icon-cross'></use></svg><tr><td>Boat<td><span class='dashicons dashicons-no-alt'>"
    "</span><td><img src=/yes.gif alt><tr><td>Oil<td><i class='no-icon'></i><td><div class=no>"
    "</div></table>",
    "heading rows": "<table><tr><td colspan=2><h2>A</h2><tr><td>b<td>c<tr><td>d<td>e<tr><td "
    "colspan=2><h3>F <b>g</b></h3><tr><td>h<td>i<tr><td>j<td>k</table><table><tr><td><h2>L</h2><td>"
    "m<tr><td>n<td>o<tr><td>p<td>q</table>",
    "entries": "<table class=params><tr><td class=paramname>a<td>b</table><p>c</p><table "
    "class=memname><tr><td class=memname>d<td class=paramname>e</table><div class=variablelist>"
    "<table><tr><td><p>f</p><td><p>g</p></table></div><table class=box><tr><td>h<td>i<tr><td>j<td>k"
    "</table><p>l</p><table class=box><tr><td>m<td>n</table><p>o</p><table class=box><tr><td>p<td>"
    "<img src=/q.png>q</table><table><tr><td>r<td>s</table><table class=params><tr><td>t<td>u<ul>"
    "<li>v</ul></table>",
    "repeated heads": "<table><tr><th><button>Jahr <b class=sr-only>sort</b></button><th>Wert<tr>"
    "<td><b class=l>Jahr sort:</b> 1<td><b class=l>Wert</b><i>2</i><tr><td><b class=l>Jahr</b>3<td>"
    "<span class=l><b>Wert</b></span>4<tr><td data-th=Jahr><b>Jahr</b>5<td>6</table>",
    "hidden heads": "<p>a</p><table><thead class=sr-only><tr><th>A<th>B<tbody><tr><td>1<td>2"
    "</table><table><thead style='display:none'><tr><th>C<th>D<tbody><tr><td>3<td>4</table><table>"
    "<thead><tr class=sr-only><th>E<th>F<tbody><tr><td>5<td>6</table>",
    "grid": "<div role=grid><div role=row><div role=columnheader>A</div><div role=columnheader>B"
    "</div></div><div><div><div><div><div role=row><div role=gridcell></div><div role=gridcell>1"
    "</div></div></div></div></div></div></div><div role=grid><div role=row><div role=gridcell>2"
    "</div></div></div><div role=table><div role=row><div role=cell>3</div><p>4</p><div role=cell>"
    "</div><div role=cell>5</div></div></div>",
}
HIDDEN = {
    "before signs": "<p>See <a href=/m>maps<span class=sr-only> (new window)</span></a>, or <b>it"
    "<span class=sr-only> x</span><i hidden> y</i></b>. So<span class=sr-only> z </span>(a<img "
    "src=/i.png><i hidden>b </i>) <i hidden>c </i>, d<i hidden> e</i> , f<i hidden> g</i>h</p>",
    "style sheets": "<style>p{color:red}.k{color:blue</style><style>@media print{.a{display:none}}"
    ".b{display:none}</style><noscript><style>.c{display:none}</style></noscript><style>}@media "
    "print{@media screen{.d{color:red}}.e{display:none}}</style><p class=a>A<p class=b>B<p class=c>"
    "C<p class=e>E<p class=k>K",
    "details": "<details><summary>A</summary><p aria-hidden=true>B</p><div><p aria-hidden=true>C"
    "</p></div></details><p><a href=/d aria-hidden=true tabindex=-1>The gate of the old harbour "
    "was opened again.</a><p><a href=/e aria-hidden=true tabindex=-1>Why was the gate of the old "
    "harbour opened again?</a>",
}
FIELDS = {
    "sentences": "<p>press<button>Send</button>now, a <button><svg><title>x</title></svg>b "
    "</button>c, d<button><b>e</b></button>f</p><p>次<button>送信</button>を<p>a<button>More"
    "</button><p>set <label>level <input type=number></label> now, <input> too</p><p>Name: <input>"
    " *</p><p>A <input type=checkbox> b"
    "</p><p><label>Name <input></label> <label>Mail <input></label></p><div>g<button>h i</button>"
    "j</div>",
}
BREAKS = {
    "drawn": "<p>One</p><p>* * *</p><p>Two</p><hr><p>⁂</p><p>Three <b>a</b></p><ul><li>***</ul>"
    "<p align=center><b>• • •</b></p><p>~~~~</p><p>Four</p><p>. . .</p><div>＊　＊　＊</div><p>Five"
    "</p><p>* * * a</p><p>— — —</p><p>Six</p><p>###</p>",
}
HEADINGS = {
    "separators": "<h1><a href=/a>A1</a><span class=sep></span><a href=/b>B1</a><span class='sep'>"
    "</span>c_d</h1><h2>t<i class=divider></i>u v<b class=title-separator></b> w</h2><h3>Ä1<em "
    "class=sep>"
    "</em>e<span class=sep>f</span></h3><p>g<span class=sep></span>h</p>",
    "attributes": "<p>a</p><sl-details summary=' b  c '>d</sl-details><calcite-block heading=e><p>f"
    "</p></calcite-block><wa-details summary=g><i slot=summary>h</i>i</wa-details><p>j</p>",
    "signs": "<h2 class=heading>A <a href='#a'>\u200b<svg></svg></a></h2><h2>B <button "
    "class=copy-heading>Copy link to this section</button></h2><h2>C <a href='#c' class=permalink>"
    "Link zu diesem Abschnitt</a></h2><h2><a href='#d'>D</a> <a href=/e>¶</a></h2><h2>E <a "
    "class=anchor href='#e'> この見出しへのリンク</a></h2>",
}
PICTURES = {
    "other attributes": "<p>a</p><img src=/s/none.gif zoomfile=/z.jpg file=/f.jpg><p>b</p><img "
    "src='data:,' nitro-lazy-src=/n.jpg><p>c</p><img src='data:,' lazy-src=/l.jpg><p>d</p><img "
    "src=/s_300x300.jpg data-src='/s_{width}x.jpg' data-widths='[180, 1080, 540]'><img "
    "src='/s_1024x1024.jpg'><p>b</p><img src=/t_540x.jpg srcset='/t_180x.jpg 180w, /t_1080x.jpg "
    "1080w' width=1080><p>c</p><img data-src='/u_{width}x.jpg'><p>d</p>",
    "around": "<p>a</p><figure><button><img src=/a.jpg width=900></button></figure><p>b</p><button>"
    "<img src=/b.jpg width=900></button><p>c</p><dl><dt><a href=/c><img src=/c.jpg></a><dd>d</dl>",
    "embeds": "<p>a</p><script src='/t.js' data-telegram-post='durov/5'></script><iframe uc-src='//"
    "youtu.be/a'></iframe><script src='https://asciinema.org/a/1.js'></script><iframe src='https://"
    "www.google.com/maps?t=m&q=A%20B&output=embed'></iframe><amp-tiktok data-src=71></amp-tiktok>"
    "<iframe src='https://hatenablog-parts.com/embed?url=https%3A%2F%2Fa.example'></iframe><p>b</p>"
    "<blockquote class=fb-xfbml-parse-ignore cite='https://m.facebook.com/a/posts/1'>c</blockquote>"
    "<p>d</p>",
    "buttons": "<table><tr><td>a<td><img class=icon src=/statusicon/b.gif alt=B><tr><td>c<td><img "
    "src=/buttons/brass.gif class=icon alt=D></table><p>e</p><a href=/q><img src=/buttons/quote.gif"
    "></a><p>f</p><img src=/icons/icon1.gif alt=G><p>g <img src=/icons/icon12.png> h</p>",
    "blurred": "<p>a</p><img src=/w_147,blur_2/f.jpg data-pin-media=/w_980/f.jpg><p>b</p><img src="
    "/w_1,blur_2/g.jpg><p>c</p><img data-src='/d.jpg|/d@2x.jpg' src='data:,'><p>e <a href='#'>f</a>"
    " <a href=' # '><b>g</b></a> <a href='#h'>h</a></p><a href='#'><img src=/i.jpg></a><p>j</p>",
    "larger": "<p>a</p><figure><img src=/a.jpg><a href=/b>b</a><figcaption>c</figcaption></figure>"
    "<p>d</p><figure><img src=/d.jpg><a href=/e>e</a><p class='x captions'>f</p></figure><p>g</p>"
    "<figure><img src=/g.jpg><a href=/h>h</a></figure><p>i</p>",
    "formats": "<p>a</p><img src=/a.jpg><noscript><img src='/b/a.webp?c=d'></noscript><p>b</p><img "
    "src=/e-300x200.png alt=E><img src=/e.AVIF><img src=/e.gif><p>f</p>",
    "boxes": "<p>a</p><div class=fb-post data-href='https://www.facebook.com/a/posts/1'>b</div><p>"
    "c <span class='wistia_embed wistia_async_d1'>&nbsp;</span> e</p><div class=sqs-video-wrapper "
    "data-html='&lt;iframe width=1 src=&quot;//www.youtube.com/embed/f1&quot;&gt;'><p>g</p></div>"
    "<div class='elementor-widget-video' data-settings='{&quot;youtube_url&quot;:&quot;https:\\/\\/"
    "youtu.be\\/h1&quot;}'>i</div><p>j</p>",
    "beside links": "<div><div><p>a</p><p><img src=/a.jpg></p></div><div><a href=/b>b</a></div>"
    "</div><div><div>c<br><img src=/c.jpg></div><a href=/d>d</a></div><p>e</p>",
    "emoji": "<p>It <img class=emoji alt=':rocket:' src='/unicode/1f680.png'> or <img class=emoji "
    "alt=':de:' src='/emoji/1f1e9-1f1ea.png'>, <img class=emoji alt=':x:' src='/emoji/0041.png'>."
    "</p><p><img class=emoji alt=':a:' src=/a.png><b><img alt='\u2600\ufe0f' src=/s.svg></b></p><p>"
    "b <img src='/smilies/s.gif' title='Big Grin'><img class=smilie title=':)' src=/t.gif></p><p>c"
    "</p><p><img class=emoji alt=':d:' src=/d.png><img src=/e.jpg></p><p>f</p>",
}
LINK_TEXTS = {
    "pieces": '<p>See <a href=/a><span class="invisible">https://</span><span class=ellipsis>e.org/'
    "x</span><span class=invisible>y</span></a>, <a><b class=invisible>http</b>z</a>.</p>",
    "cards": "<p>a</p><figure><a class=kg-bookmark-container href=/b><div class=kg-bookmark-title>"
    "b <b>c</b></div><p class=kg-bookmark-description>d</p><img src=/i.ico></a></figure><p>e</p><p>"
    "<div class=lightbox-wrapper><a class=lightbox href=/o.jpg><img src=/s.jpg><div class=meta>f"
    "</div></a></div></p><p>g</p><div class=bookmark-title>h</div><p><iframe src='https://hatenablog"
    "-parts.com/embed?url=https://a.b'></iframe><cite class=hatena-citation>i</cite></p><p>j</p>",
    "icons": "<h2><i class=material-icons>home</i> a</h2><p><span class='material-symbols-sharp x'>"
    "check</span>b <mat-icon>check</mat-icon></p><p class=material-icons>c d</p><table><tr><td>e"
    "<td><i class=material-icons>done</i><tr><td>f<td><mat-icon>close</mat-icon><tr><td>g<td>"
    "<md-icon>star</md-icon></table>",
    "no width": "<h2><div><a href='#a'>\u200b<div><svg></svg></div></a></div><span>a</span></h2><p>"
    "\u200b</p><p>b\u200bc<br>\ufeff \u200b</p><p><b>d</b>\u200b<i>e</i> <code>\u200b</code></p>",
}
LIST_PIECES = {
    "kinds": "<ol><li data-list=bullet>a<li data-list=ordered>b<li data-list=checked>c<li data-list"
    "=unchecked class=ql-indent-1>d<li data-list=ordered>e</ol><ul><li data-list=checked>f<li "
    "data-list=unchecked>g</ul><ol><li data-list=ordered>h</ol>",
    "styles": "<ul style='list-style-type:decimal'><li>a<li>b<ul><li>c</ul></ul><p>d</p><ul><li "
    "style='x:y; LIST-STYLE: inside Upper-Roman'>e</ul><ul><li style='list-style:decimal'>f<li>g"
    "</ul><ol style='list-style:disc'><li>h</ol><ul style='list-style:lower-alpha'><li style='list-"
    "style:none'>i</ul><div role=list><ol><div role=listitem>j</div><li>k<div role=listitem>l</div>"
    "</ol><ul style='list-style:decimal'><div role=listitem>m</div></ul></div>",
    "Notion": "<ul class=bulleted-list><li>a<ul class=bulleted-list><li>b</ul><ul "
    "class=bulleted-list><li>c</ul></ul> <ul class=bulleted-list><li>d</ul><!--x--><ul "
    "class=bulleted-list><li>e</ul><ul class=to-do-list><li>f</ul><p>g</p><ol><li>h<li>i</ol><ol "
    "start=3><li>j</ol><ol start=9><li>k</ol><ol class='notion-list'><li>l</ol>",
    "levels": "<ol class='lst-kix_x-0 start' start=1><li>a</ol><ul class=lst-kix_x-1><li>b<p>c</ul>"
    "<ol class='y lst-kix_x-0' start=2><li>d<li>e</ol><p>f</p><ol><li>g<li class=ql-indent-2>h<li "
    "class=ql-indent-1 data-list=bullet>i<li data-list=checked>j<li>k</ol>",
}
