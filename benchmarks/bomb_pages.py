"""All hostile pages, by name."""

from __future__ import annotations

from bomb_characters import CHARACTERS
from bomb_markup import MARKUP
from bomb_parts import Bomb
from bomb_products import PRODUCTS
from bomb_trees import TREES

ORDINARY = "an ordinary article"
BOMBS: dict[str, Bomb] = {
    f"{each.name}, {each.size:,}" if each.size > 1 else each.name: each
    for each in (*TREES, *MARKUP, *CHARACTERS, *PRODUCTS)
}
