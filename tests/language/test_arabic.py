"""What Arabic needs and no other language does: joined words, signs on letters, digits and currencies."""

import pytest

from app.content.planning.titles import is_asked, make_title
from app.content.planning.topic_phrase import keyphrase_of
from app.content.writing.veto.figures import is_money
from app.content.writing.veto.quantities import known_quantities
from app.content.writing.veto.rules import Veto
from app.language.languages import direction_of
from app.language.references import depends_on_previous, points_elsewhere
from app.language.stems import content_stems, stem
from app.pages.extraction.furniture import kind_of_line
from app.pages.extraction.price_cards import is_price
from tests.support.article_material import evidence, left_out, model_says, unit


@pytest.mark.parametrize(
    "forms",
    [
        "مكيف مكيفات المكيفات والمكيفات لمكيف مكيفك ومكيفان",
        "خزان خزانات الخزانات للخزان بخزان وخزانين",
        "سعر أسعار الأسعار وأسعارها بالأسعار",
        "شركة شركات الشركات شركتنا والشركة",
        "وسيلة الوسيلة",
        "فلتر الفلاتر وفلتر",
        "عمّان عمان",
    ],
)
def test_forms_of_an_arabic_word_share_a_stem(forms: str) -> None:
    assert len({stem(form, "ar") for form in forms.split()}) == 1


def test_a_filter_is_no_litre_and_a_small_word_is_one_with_its_signs_too() -> None:
    assert stem("فلتر", "ar") != stem("لتر", "ar")
    assert content_stems("أيضاً", "ar") == content_stems("أيضا", "ar") == []


@pytest.mark.parametrize(
    ("text", "number", "unit_of_it"),
    [
        ("27 ديناراً", "27", "دينار"),
        ("٤٤ ديناراً", "44", "دينار"),
        ("٢٫٥ دينار", "2.5", "دينار"),
        ("١٠٬٠٠٠ دينار", "10000", "دينار"),
        ("15 د.أ.", "15", "دينار"),
        ("ديناران", "2", "دينار"),
        ("مئة وخمسون درهماً", "150", "درهم"),
        ("25 ر.س", "25", "ريال"),
        ("15٪", "15", "%"),
        ("35 متراً مكعباً", "35", "m³"),
        ("5 م³", "5", "m³"),
        ("ساعتين ونصف الساعة", "150", "min"),
        ("خمسين ألفاً", "50000", ""),
        ("ألفا لتر", "2000", "l"),
        ("واحد وعشرين يوماً", "21", "day"),
        ("ستّة أشهر", "6", "month"),
        ("الساعة الحادية عشرة", "11", ""),
    ],
)
def test_arabic_quantities_are_read(text: str, number: str, unit_of_it: str) -> None:
    assert [(each.number, each.unit) for each in known_quantities(text, "ar")] == [(number, unit_of_it)]


def test_currencies_without_a_sign_are_money() -> None:
    assert is_money("دينار")
    assert not is_money("m³")
    assert all(map(is_price, ("45 ديناراً", "9 دنانير", "من 15 د.أ", "٤٤ ديناراً شهرياً")))


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("تبديل 3 أمتار بـ 9 دنانير للمتر يكلّف 27 ديناراً.", True),
        ("تبديل 3 أمتار بـ 9 دنانير للمتر يكلّف 28 ديناراً.", False),
        ("الفك مع التركيب 20 ديناراً + 45 ديناراً = 65 ديناراً.", True),
        ("الفك مع التركيب 20 ديناراً + 45 ديناراً = 66 ديناراً.", False),
        ("المراحل الأخيرة تكلّف 22 ديناراً.", True),
        ("التركيب بخصم 15٪.", True),
    ],
)
def test_sums_of_dinars_are_calculated(text: str, is_right: bool) -> None:
    said = "النقل يشمل 3 أمتار، والمتر 9 دنانير. الفك ٢٠ ديناراً والتركيب ٤٥ ديناراً، بخصم ١٥٪."
    said += " في السنة 16 ديناراً للقطن و22 للمراحل الأخيرة."
    found = Veto(evidence(unit("1:b1", said), given=""), "ar").violations(model_says(text, "1:b1"))
    assert (found == ()) is is_right


def test_a_word_before_another_tells_nothing_where_the_noun_comes_first() -> None:
    said = unit(
        "5:b9", "إذا نقص الغاز نفحص الوصلات. نضيف الغاز ثم نقيس. كفالة تركيب المكيف سنة، وغسيل المكيف شهر."
    )
    for text in ("لا نضيف الغاز قبل الفحص.", "كفالة تركيب المكيف سنة على الوصلات."):
        assert left_out(text, said, language="ar") == set()


def test_a_question_has_its_mark_and_a_clause_with_what_is_none() -> None:
    assert make_title("كيف أنظف خزان المياه", "ساقية", "ar") == "كيف أنظف خزان المياه؟"
    assert make_title("كيف أنظف خزان المياه؟", "ساقية", "ar") == "كيف أنظف خزان المياه؟"
    assert is_asked("ما هو التناضح العكسي", "ar")
    assert not is_asked("ما تغطيه كفالة المكيف", "ar")
    assert not is_asked("من البئر إلى الحنفية", "ar")
    assert keyphrase_of("المكيف لا يبرد، ما الحل؟", "ar") == "المكيف لا يبرد"


def test_a_warning_and_a_look_need_no_other_sentence() -> None:
    standing = (
        "لا نلحم الخزانات على السطح.",
        "انظر إلى خط الماء وإلى القاع.",
        "نضيف 5 دنانير على الزيارة التالية.",
    )
    assert not any(depends_on_previous(each, "ar") or points_elsewhere(each, "ar") for each in standing)
    assert depends_on_previous("لا، إلا في الطوارئ.", "ar")
    assert points_elsewhere("اتبع الخطوات التالية.", "ar")


def test_bylines_have_arabic_months_of_one_word_and_of_two() -> None:
    for line in (
        "كتبها لينا قعوار · 12 كانون الثاني 2024",
        "بقلم عصام الزيود · 3 آب 2025",
        "آخر تحديث: 1 آذار 2025",
    ):
        assert kind_of_line(line, []) == "byline"


def test_the_direction_is_that_of_the_language_or_of_the_text_itself() -> None:
    assert [direction_of(each) for each in ("ar-JO", "fa", "ur", "en", "he")] == [
        "rtl",
        "rtl",
        "rtl",
        "ltr",
        "auto",
    ]
