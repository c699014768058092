"""Options of a recipe: known names, numbers within bounds, and nothing else."""

from __future__ import annotations

import pytest

from scrapy_boilernet.lab.training.recipes import check_names, check_number


def test_the_error_for_an_unknown_name_has_the_known_ones() -> None:
    check_names("svm", {"c": 1}, ("c", "gamma"))
    with pytest.raises(ValueError, match=r"option 'C': the labeler svm has c, gamma"):
        check_names("svm", {"C": 1}, ("c", "gamma"))


@pytest.mark.parametrize("value", [0, 7, 2.5, 10])
def test_numbers_within_the_bounds_are_accepted(value: float) -> None:
    check_number("c", value, 0, 10, whole=False)


@pytest.mark.parametrize("value", [-1, 11, float("nan"), float("inf"), True, "3", None])
def test_other_values_are_refused_with_the_bounds(value: object) -> None:
    with pytest.raises(ValueError, match=r"option c is .* and must be a number in 0 to 10"):
        check_number("c", value, 0, 10, whole=False)


def test_a_whole_number_must_be_one() -> None:
    check_number("trees", 3, 1, 10, whole=True)
    with pytest.raises(ValueError, match=r"option trees is 3.0 and must be a whole number"):
        check_number("trees", 3.0, 1, 10, whole=True)
