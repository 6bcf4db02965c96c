"""The names of persons in sentences: courtesy titles, and a surname in the place of the whole name."""

import pytest

from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit

WRITER = unit("1:b1", "Tom Pellew keeps the books of the theatre. Nine shows out of ten spent it on timber.")
SECRETARY = unit("2:b1", "Beryl Nuttall, secretary. The society has 38 members, and Ivo Reed lends the hall.")
BISCUITS = unit("2:b2", "It costs £24 a month. “It is less than we spend on biscuits,” says Mrs Nuttall.")


def stopped(text: str, language: str = "en") -> str:
    all_of_them = (WRITER, SECRETARY, BISCUITS)
    said = model_says(text, *(each.id for each in all_of_them))
    return "; ".join(Veto(evidence(*all_of_them), language).violations(said))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mr Pellew keeps the books of the theatre.", ""),
        ("In the books of Mr. Pellew it was spent in nine shows out of ten.", ""),
        ("Ask Miss Nuttall, the secretary.", ""),
        ("The books of the theatre are with Dr Pellew.", "Dr"),
        ("In the books of Sir Tom Pellew it was spent on timber.", "Sir"),
        ("Mr Petersen keeps the books of the theatre.", "Petersen"),
    ],
)
def test_a_courtesy_title_says_no_more_than_the_name_and_a_degree_does(text: str, name: str) -> None:
    found = stopped(text)
    assert f"the name “{name}”" in found if name else found == ""


@pytest.mark.parametrize(
    "text",
    [
        "“It is less than we spend on biscuits,” says Beryl Nuttall, the secretary.",
        "“It is less than we spend on biscuits,” says Mrs Nuttall.",
    ],
)
def test_a_person_is_named_by_surname_or_in_full(text: str) -> None:
    assert stopped(text) == ""


@pytest.mark.parametrize("name", ["Ivo Reed", "Tom Pellew", "Arthur Nuttall"])
def test_who_says_something_has_to_be_read(name: str) -> None:
    arthur = unit("3:b1", "Arthur Nuttall is the treasurer.")
    said = f"“It is less than we spend on biscuits,” says {name}."
    assert left_out(said, WRITER, SECRETARY, BISCUITS, arthur) == {name}
