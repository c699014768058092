"""The last sections of texts, such as "See also", of which a model drops the links."""

from __future__ import annotations

TEXT = "A bell is cast in a mould of clay, which is broken as soon as the bronze is cold."
SECTIONS = [
    "<h2>See Also</h2><p><a href=a><span>bell_caster_t</span></a></p>",
    "<div class=refsect1><h2>See Also</h2><span class=simplelist><a href=a>CAST BELL</a>, "
    "<a href=b>TUNE BELL</a></span></div>",
    "<h3>7. References</h3><ul><li><a href=a>Bronze and its sounds</a></li>"
    "<li><a href=b>Clay in the foundry</a></li></ul>",
    "<h2>Siehe auch</h2><div><a href=a>Glockenguss</a></div>",
    "<h2>外部リンク</h2><p><a href=a>鋳造所</a></p>",
]
OTHERS = [
    "<h2>Related bells</h2><p><a href=a>The bell of the North</a></p>",
    "<h2>See also</h2><p>What the <a href=a>foundry</a> has written of its bells since 1911.</p>",
    "<h2>See also</h2><h3>More bells</h3><p><a href=a>The bell of the North</a></p>",
    "<section><h2>See also</h2></section><p><a href=a>The bell of the North</a></p>",
    f"<h2>See also</h2><ul>{'<li><a href=a>A bell</a></li>' * 31}</ul>",
    "<p>See also</p><p><a href=a>The bell of the North</a></p>",
    "<h2>See also</h2><p hidden><a href=a>The bell of the North</a></p>",
]
NAMES = ("See ", "7. Ref", "Siehe", "外部", "Related", TEXT)
"""The beginnings of the texts that the model keeps."""
