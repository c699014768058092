"""The recipe's options, and changes to them on the command line."""

from __future__ import annotations

import pytest

from scrapy_boilernet.lab.training.boilernet import DefaultOptions, with_changes


def test_changes_reach_nested_fields_and_keep_their_types() -> None:
    changes = ["hidden=64", "augmentation.restyled=0", "columns.page=8", "dropout=1"]
    found = with_changes(DefaultOptions(), changes)
    assert (found.hidden, found.augmentation.restyled, found.dropout) == (64, 0.0, 1.0)
    assert found.columns == DefaultOptions().columns | {"page": 8}
    assert [type(v) for v in (found.hidden, found.augmentation.restyled)] == [int, float]
    assert with_changes(DefaultOptions(), []) == DefaultOptions()


def test_any_set_can_be_repeated() -> None:
    changes = ["repeat.mine=4", "repeat.set.2026=2", "repeat.mine=3"]
    assert with_changes(DefaultOptions(), changes).repeat == {"mine": 3, "set.2026": 2}


@pytest.mark.parametrize(
    "change",
    ["hiden=64", "hidden", "hidden=", "hidden=true", "hidden='a'", "columns=3", "columns.x=3", "=1",
     "augmentation=1", "hidden.size=1", "hidden=[1]", "hidden=null",
     "repeat=2", "repeat.mine=0", "repeat.mine=1.5", "repeat.mine=a"],
)  # fmt: skip
def test_the_error_for_a_wrong_change_names_it(change: str) -> None:
    with pytest.raises(ValueError, match=r"option .*NAME=NUMBER") as caught:
        with_changes(DefaultOptions(), [change])
    assert repr(change) in str(caught.value)


@pytest.mark.parametrize(
    ("change", "why"),
    [("hiden=64", "there is no 'hiden', known are seed, "), ("hidden=a", "'a' is not a number;"),
     ("hidden.size=1", "a number has no part 'size';"),
     ("hidden=1.5", "it must be a whole number;"), ("repeat.mine=0", "it must be at least 1;")],
)  # fmt: skip
def test_the_error_for_a_wrong_change_has_the_reason(change: str, why: str) -> None:
    with pytest.raises(ValueError, match="option") as caught:
        with_changes(DefaultOptions(), [change])
    assert f"option '{change}': {why}" in str(caught.value)
