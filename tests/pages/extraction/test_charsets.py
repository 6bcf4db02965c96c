"""One byte that does not fit the declared encoding never costs the text of a page."""

from __future__ import annotations

import pytest
from webencodings.labels import LABELS

from app.pages.extraction.charsets import decoded
from app.pages.extraction.extract import extract

URL = "https://example.com/"
TEXTS = {
    "latin": "Prüfen Sie die Größe",
    "plain": "Check the size of the pipe",
    "chinese": "请检查管道的尺寸",
    "taiwanese": "請檢查管道的尺寸",
    "japanese": "配管の寸法を確認",
    "korean": "배관의 크기를 확인",
    "cyrillic": "Проверьте размер трубы",
    "greek": "Ελέγξτε το μέγεθος",
    "turkish": "Borunun boyutunu ölçün",
    "polish": "Sprawdź rozmiar złącza",
    "hebrew": "בדוק את הגודל",
    "arabic": "تحقق من الحجم",
    "thai": "ตรวจสอบขนาด",
    "baltic": "Pārbaudiet izmēru",
}
# label, the codec that makes the bytes, the text, the bytes that do not fit the label
WRONG_BYTES = [
    ("gb2312", "gb2312", "chinese", "镕".encode("gbk")),
    ("gb2312", "gb2312", "chinese", b"\xff"),
    ("gbk", "gbk", "chinese", "㐀".encode("gb18030")),
    ("gbk", "gbk", "chinese", b"\xff"),
    ("gb_2312-80", "gb2312", "chinese", "朱镕".encode("gbk")),
    ("gb18030", "gb18030", "chinese", b"\xff"),
    ("big5", "big5", "taiwanese", "嘅".encode("big5hkscs")),
    ("big5", "big5", "taiwanese", b"\xff"),
    ("shift_jis", "shift_jis", "japanese", "①".encode("cp932")),
    ("x-sjis", "shift_jis", "japanese", "㈱".encode("cp932")),
    ("shift_jis", "shift_jis", "japanese", b"\xff"),
    ("windows-31j", "cp932", "japanese", b"\xff"),
    ("euc-jp", "euc_jp", "japanese", b"\xff"),
    ("x-euc-jp", "euc_jp", "japanese", b"\xff"),
    ("euc-kr", "euc_kr", "korean", "똠".encode("cp949")),
    ("ks_c_5601-1987", "euc_kr", "korean", "햏".encode("cp949")),
    ("euc-kr", "euc_kr", "korean", b"\xff"),
    ("windows-1252", "cp1252", "latin", b"\x81"),
    ("windows-1252", "cp1252", "latin", b"\x9d"),
    ("iso-8859-1", "latin-1", "latin", "€“”".encode("cp1252")),
    ("latin1", "latin-1", "latin", b"\x8d"),
    ("iso-8859-15", "iso8859-15", "latin", b"\x80"),
    ("us-ascii", "ascii", "plain", b"\x81"),
    ("us-ascii", "utf-8", "latin", b""),
    ("ascii", "utf-8", "japanese", b""),
    ("utf-8", "utf-8", "latin", b"\xe9"),
    ("utf-8", "utf-8", "japanese", b"\xff"),
    ("utf8", "utf-8", "cyrillic", b"\xc3"),
    ("windows-1251", "cp1251", "cyrillic", b"\x98"),
    ("koi8-r", "koi8-r", "cyrillic", b"\x80"),
    ("iso-8859-5", "iso8859-5", "cyrillic", b"\x80"),
    ("windows-1253", "cp1253", "greek", b"\xaa"),
    ("iso-8859-7", "iso8859-7", "greek", b"\xae"),
    ("windows-1254", "cp1254", "turkish", b"\x81"),
    ("iso-8859-9", "iso8859-9", "turkish", b"\x80"),
    ("windows-1250", "cp1250", "polish", b"\x81"),
    ("iso-8859-2", "iso8859-2", "polish", b"\x80"),
    ("windows-1255", "cp1255", "hebrew", b"\xff"),
    ("iso-8859-8", "iso8859-8", "hebrew", b"\xff"),
    ("windows-1256", "cp1256", "arabic", b"\x80"),
    ("iso-8859-6", "iso8859-6", "arabic", b"\xff"),
    ("windows-874", "cp874", "thai", b"\xff"),
    ("tis-620", "tis-620", "thai", b"\x80"),
    ("windows-1257", "cp1257", "baltic", b"\xa1"),
]


def html(codec: str, text: str, wrong: bytes, head: str = "") -> bytes:
    begin = f"<html><head>{head}<title>T</title></head><body><p>{text}.</p>\n<p>".encode(codec)
    return begin + wrong + f" </p>\n<p>{text}!</p></body></html>".encode(codec)


@pytest.mark.parametrize(("label", "codec", "language", "wrong"), WRONG_BYTES)
def test_a_wrong_byte_leaves_the_rest_of_a_page(label: str, codec: str, language: str, wrong: bytes) -> None:
    text = TEXTS[language]
    by_header = extract(html(codec, text, wrong), URL, f"text/html; charset={label}")
    by_page = extract(html(codec, text, wrong, f"<meta charset={label}>"), URL, "text/html")
    for content in (by_header, by_page):
        found = [block.text for block in content.blocks]
        assert (found[0], found[-1]) == (f"{text}.", f"{text}!")


def test_characters_of_the_wider_encoding_are_read() -> None:
    assert decoded("朱镕基".encode("gbk"), "text/html; charset=gb2312") == "朱镕基"
    assert decoded("①㈱".encode("cp932"), "text/html; charset=shift_jis") == "①㈱"
    assert decoded("똠방각하".encode("cp949"), "text/html; charset=euc-kr") == "똠방각하"
    assert decoded("€ “x”".encode("cp1252"), "text/html; charset=iso-8859-1") == "€ “x”"


def test_a_page_in_the_national_standard_is_read_by_its_older_name() -> None:
    assert decoded("汉㐀字".encode("gb18030"), "text/html; charset=gbk") == "汉㐀字"


def test_each_byte_that_does_not_fit_shows() -> None:
    assert decoded(b"a\xffb", "text/html; charset=utf-8") == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize("label", ["hz-gb-2312", "iso-2022-kr", "replacement", "x-user-defined"])
def test_a_label_that_is_no_encoding_of_the_web_declares_nothing(label: str) -> None:
    assert decoded("Größe ~{<:Ky".encode(), f"text/html; charset={label}") == "Größe ~{<:Ky"


@pytest.mark.parametrize("label", sorted(LABELS))
def test_every_label_of_the_standard_can_be_read(label: str) -> None:
    assert isinstance(decoded("Größe".encode(), f"text/html; charset={label}"), str)


def test_a_byte_order_mark_beats_the_header() -> None:
    assert decoded("Größe".encode("utf-8-sig"), "text/html; charset=iso-8859-1") == "Größe"
    assert decoded("Größe".encode("utf-16"), "text/html; charset=iso-8859-1") == "Größe"
    big_endian = b"\xfe\xff" + "Größe".encode("utf-16-be")
    assert decoded(big_endian, "text/html; charset=iso-8859-1") == "Größe"


def test_a_page_that_declares_nothing_is_utf_8_although_one_byte_is_not() -> None:
    text = TEXTS["japanese"] * 3
    assert decoded(text.encode() + b"\xff") == text + "\N{REPLACEMENT CHARACTER}"


def test_a_page_that_declares_nothing_is_not_utf_8_because_one_character_could_be() -> None:
    text = TEXTS["latin"] * 3
    read = decoded(text.encode("cp1252") + "é".encode())
    assert read.startswith(text)
    assert not read.endswith("é")


def test_a_declaration_of_utf_16_that_can_be_read_is_not_true() -> None:
    assert "Größe" in decoded("<meta charset=utf-16><p>Größe</p>".encode())
