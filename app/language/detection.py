"""Language detection by script and, where languages share a script, by their commonest words. Pure."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Final

from app.language.languages import language_data, languages
from app.language.tags import language_code

_SAMPLE: Final = 6_000
_LEAST_LETTERS: Final = 20
_LEAST_WORDS: Final = 12
_LEAST_SHARE: Final = 0.1
_CLEARLY: Final = 1.25
_CLEARLY_WRONG: Final = 2.5

_SCRIPTS: Final = {
    "latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
    "cyrillic": "\u0400-\u04ff",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "hebrew": "\u05d0-\u05ea",
    "arabic": "\u0620-\u064a\u066e-\u06d3",
    "devanagari": "\u0904-\u0939",
    "bengali": "\u0985-\u09b9",
    "tamil": "\u0b85-\u0bb9",
    "thai": "\u0e01-\u0e2e",
    "georgian": "\u10a0-\u10ff",
    "armenian": "\u0531-\u0587",
    "hangul": "\uac00-\ud7a3",
    "kana": "\u3041-\u30fa",
    "han": "\u4e00-\u9fff",
}
_LETTERS: Final = {script: re.compile(f"[{letters}]") for script, letters in _SCRIPTS.items()}
_ONE_LANGUAGE: Final = {
    "greek": "el",
    "hebrew": "he",
    "devanagari": "hi",
    "bengali": "bn",
    "tamil": "ta",
    "thai": "th",
    "georgian": "ka",
    "armenian": "hy",
    "hangul": "ko",
    "kana": "ja",
    "han": "zh",
}
_OF_SCRIPT: Final = {
    "cyrillic": {
        "ru",
        "uk",
        "be",
        "bg",
        "sr",
        "mk",
        "kk",
        "ky",
        "mn",
        "tg",
        "uz",
        "tt",
        "ba",
        "ce",
        "cv",
        "os",
    },
    "arabic": {"ar", "fa", "ur", "ps", "ckb", "ug", "sd", "ku", "pa", "ks", "az", "ms"},
    "devanagari": {"hi", "mr", "ne", "sa", "kok", "mai", "bho"},
    "hebrew": {"he", "yi"},
    "bengali": {"bn", "as"},
    "han": {"zh", "ja", "yue", "wuu", "nan", "hak"},
}
_LEAST_OWN: Final = 3
_LATIN_TOO: Final = {"sr", "az", "uz", "ms", "ku", "kk", "tt"}


@cache
def _by_words() -> Mapping[str, tuple[str, ...]]:
    """Return, for each script, the languages that are recognized by their commonest words."""
    found: dict[str, tuple[str, ...]] = {}
    for language in languages():
        if words := language.detection.common_words:
            script = _script(" ".join(words)) or ""
            found[script] = (*found.get(script, ()), language.code)
    return found


def detect(text: str) -> str | None:
    """Return the code of a text's language, None where it is not clear.

    It reads the first 6,000 characters. It needs 20 letters, and twelve words where languages share a script.
    """
    sample = text[:_SAMPLE]
    script = _script(sample)
    if script is None or script in _ONE_LANGUAGE:
        return _ONE_LANGUAGE.get(script or "")
    if script == "cyrillic" and (own := _by_letters(sample)):
        return own
    shares = _shares(sample, _by_words()[script])
    best, second = sorted(shares, key=lambda code: -shares[code])[:2] if shares else ("", "")
    if not shares or shares[best] < _LEAST_SHARE or shares[best] < _CLEARLY * shares[second]:
        return None
    return best


def language_of(declared: str | None, text: str) -> str | None:
    """Return the tag of a page's language: the declared one, unless the text is clearly in another."""
    found = detect(text)
    if declared is None or found is None or language_code(declared) == found:
        return declared or found
    own, script = language_code(declared), _script(text[:_SAMPLE]) or ""
    if script in _by_words() and language_data(own).detection.common_words:
        shares = _shares(text[:_SAMPLE], (own, found))
        wrong = shares.get(found, 0.0) > _CLEARLY_WRONG * shares.get(own, 0.0)
        return found if wrong else declared
    fits = own in _OF_SCRIPT.get(script, {found}) if script != "latin" else not _has_other_script(own)
    return declared if fits else found


def _has_other_script(code: str) -> bool:
    if code in _ONE_LANGUAGE.values():
        return True
    other = _OF_SCRIPT["cyrillic"] | _OF_SCRIPT["arabic"]
    return code in other - _LATIN_TOO


def _by_letters(sample: str) -> str | None:
    """Return which Cyrillic alphabet has most letters of its own here."""
    lowered = sample.lower()
    counts = {
        language.code: sum(lowered.count(letter) for letter in language.detection.own_letters)
        for language in languages()
        if language.detection.own_letters
    }
    best = max(counts, key=lambda code: counts[code])
    others = sum(counts.values()) - counts[best]
    return best if counts[best] >= _LEAST_OWN and counts[best] > 2 * others else None


def _script(sample: str) -> str | None:
    """Return the script of most letters; a fifth of kana among Han characters is Japanese."""
    counts = Counter({script: len(letters.findall(sample)) for script, letters in _LETTERS.items()})
    if counts.total() < _LEAST_LETTERS:
        return None
    # A character of Chinese or Japanese says as much as two letters or more.
    counts["han"] *= 2
    counts["kana"] *= 2
    if counts["kana"] * 5 > counts["han"]:
        counts["kana"] += counts.pop("han")
    return max(counts, key=lambda script: counts[script])


def _shares(sample: str, codes: tuple[str, ...]) -> dict[str, float]:
    found = Counter(re.findall(r"[^\W\d_]+", sample.lower()))
    total = found.total()
    if total < _LEAST_WORDS:
        return {}
    common = {code: language_data(code).detection.common_words for code in codes}
    return {code: sum(n for word, n in found.items() if word in common[code]) / total for code in codes}
