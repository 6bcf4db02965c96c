"""Drawing covers: every title fits its frame, in every script, and nothing breaks on what cannot be drawn."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from app.content.assembly.colours import WHITE, Colours, colours_of, contrast, mixed
from app.content.assembly.cover import (
    HEIGHT,
    MARGIN,
    PREVIEW_SIZE,
    WIDTH,
    CoverDesign,
    draw,
    draw_for_browsers,
    draw_preview,
)
from app.content.assembly.fonts import BOLD, drawable, is_right_to_left, is_shaping, runs_of
from devtools.local import ROOT

FLAT = Colours((20, 40, 60), (20, 40, 60))
"""Colours that leave the rings and the dot invisible, so that what is seen is text."""

LONG = (
    "Everything that small workshops should know about storing, cleaning and repairing bicycles with "
    "hydraulic brakes during long and very wet winters in towns"
)
TITLES = {
    "latin": "How to store a bike over winter",
    "long": LONG,
    "longest": "word " * 40,
    "one word": "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung",
    "no space": "W" * 200,
    "japanese": "冬に自転車を安全に保管するための完全ガイド:湿気、錆、そしてバッテリーの手入れ" * 4,
    "chinese": "如何在冬天安全地存放自行车",
    "korean": "겨울 동안 자전거를 안전하게 보관하는 방법",
    "arabic": "كيف تخزن دراجتك خلال فصل الشتاء دون أن تصدأ: دليل Shimano 2026",
    "hebrew": "איך לאחסן אופניים בחורף",
    "cyrillic": "Как хранить велосипед зимой: подробное руководство",
    "devanagari": "सर्दियों में साइकिल कैसे रखें",
    "thai": "วิธีเก็บรักษาจักรยานในช่วงฤดูหนาวให้ปลอดภัยและใช้งานได้นาน",
    "mixed": "Winter tips: 冬の自転車 و دراجة and more",
}
NOT_DRAWABLE = ["", "   ", "🚲❄️👩‍👩‍👧", "\u0000\u0007\ud800", "\u200f\u202e", "𐎠𐎡𐎢", "\u0301\u0301"]


def design(title: str, language: str = "en", name: str = "", colours: Colours = FLAT) -> CoverDesign:
    return CoverDesign(title, name, language, colours)


def drawn(what: CoverDesign) -> Image.Image:
    return Image.open(BytesIO(draw(what))).convert("RGB")


def ink(image: Image.Image) -> tuple[int, int, int, int] | None:
    """The box around everything that is not background."""
    return ImageChops.difference(image, Image.new("RGB", image.size, FLAT.base)).getbbox()


def test_a_cover_is_a_png_of_the_size_that_networks_share() -> None:
    image = Image.open(BytesIO(draw(design("A title", name="Shop"))))
    assert (image.format, image.size, image.info) == ("PNG", (1200, 630), {})


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES.keys())
def test_a_title_stays_inside_the_margins(title: str) -> None:
    box = ink(drawn(design(title[:200])))
    assert box is not None
    left, top, right, bottom = box
    # A letter's edge may stand a little over its own width.
    assert MARGIN - 8 <= left < right <= WIDTH - MARGIN + 8
    assert 40 <= top < bottom <= HEIGHT - 100


def test_a_browser_gets_the_same_pixels_in_fewer_bytes() -> None:
    for_browsers = draw_for_browsers(design(LONG))
    shown = Image.open(BytesIO(for_browsers)).convert("RGB")
    assert shown.tobytes() == drawn(design(LONG)).tobytes()
    assert len(for_browsers) < len(draw(design(LONG))) * 0.8


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES.keys())
def test_above_a_text_it_is_smaller_and_has_its_shape(title: str) -> None:
    preview = draw_preview(design(title[:200], name="Shop", colours=colours_of("shop.example", None)))
    width, height = Image.open(BytesIO(preview)).size
    assert (width, height) == PREVIEW_SIZE
    assert width / height == WIDTH / HEIGHT
    assert len(preview) < 20_000


def test_a_name_too_long_for_its_line_is_cut_off_inside_the_margins() -> None:
    box = ink(drawn(design("", name="N" * 200)))
    assert box is not None
    assert MARGIN < box[0] < box[2] <= WIDTH - MARGIN


def test_a_title_of_150_characters_is_drawn_whole() -> None:
    assert len(LONG) > 150
    assert draw(design(LONG)) != draw(design(LONG[:-6]))


@pytest.mark.parametrize("title", NOT_DRAWABLE)
def test_what_cannot_be_drawn_is_left_out(title: str) -> None:
    whole = draw(design(f"{title} Bikes {title}"))
    assert ink(Image.open(BytesIO(whole)).convert("RGB")) is not None
    assert len(draw(design(title, name="Shop"))) > 1000


def test_emoji_leave_no_gap() -> None:
    assert drawable("🚲 Winter 🚲 tips ❄️", BOLD) == "Winter tips"


def test_each_run_is_drawn_in_a_font_that_has_its_letters() -> None:
    latin, cjk = BOLD
    assert runs_of("Tips: 冬の bikes。", BOLD) == [
        (latin, "Tips: "),
        (cjk, "冬の "),
        (latin, "bikes"),
        (cjk, "。"),
    ]
    for title in TITLES.values():
        assert "".join(text for _, text in runs_of(title, BOLD)) == title


@pytest.mark.skipif(not is_shaping(), reason="needs libfribidi")
def test_right_to_left_text_starts_at_the_right_margin() -> None:
    arabic, latin = ink(drawn(design("دراجة"))), ink(drawn(design("Bikes")))
    assert arabic is not None
    assert latin is not None
    assert arabic[2] >= WIDTH - MARGIN - 10
    assert latin[0] <= MARGIN + 10


def test_the_direction_is_that_of_the_first_letter() -> None:
    assert is_right_to_left("2026: دليل Shimano")
    assert not is_right_to_left("Shimano دليل")
    assert not is_right_to_left("")


def test_the_same_post_has_the_same_cover_and_any_other_title_another() -> None:
    assert draw(design("Bikes", name="Shop")) == draw.__wrapped__(design("Bikes", name="Shop"))
    digests = {design(title, language).digest for title in ("Bikes", "Bike") for language in ("ja", "zh")}
    assert len(digests) == 4


DRAW_AND_MEASURE = """
import resource
from app.content.assembly.cover import CoverDesign, draw
from app.content.assembly.colours import colours_of
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
draw(CoverDesign("冬に自転車を保管 Bikes دراجة", "Shop", "ja", colours_of("example.com", None)))
print((peak() - before) // 1024)
"""


def test_a_drawing_takes_less_than_60_megabytes() -> None:
    taken = subprocess.run(
        [sys.executable, "-c", DRAW_AND_MEASURE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(taken.stdout) < 60


def test_a_project_has_the_same_colours_each_time_and_hosts_differ() -> None:
    assert colours_of("example.com", None) == colours_of("example.com", None)
    assert len({colours_of(f"{number}.example.com", None) for number in range(100)}) > 5


BRANDS = ["#ffffff", "#000000", "#ffd400", "#ff0000", "#0b6b57", "#808080", "#0000ff", "#e6f7ff"]


@pytest.mark.parametrize("brand", [None, *BRANDS])
def test_text_can_be_read_on_every_background(brand: str | None) -> None:
    for host in (f"{number}.example.com" for number in range(60)):
        colours = colours_of(host, brand)
        lightest = mixed(colours.base, colours.accent, 0.16)
        assert contrast(WHITE, colours.base) >= 7
        assert contrast(mixed(colours.base, WHITE, 0.82), lightest) >= 4.5
        assert contrast(colours.accent, colours.base) >= 4.4


def test_a_cover_is_small_and_keeps_its_exact_background() -> None:
    picture = draw(design(LONG[:120], name="A shop with a long name", colours=FLAT))
    assert len(picture) < 35_000
    assert drawn(design(LONG[:120])).getpixel((2, 2)) == FLAT.base
