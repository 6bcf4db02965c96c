"""What a page's own styles hide: inline declarations and the simple rules of its style elements. Pure.

A simple rule selects elements by tag, id and classes (``.note``, ``p.note.old``, ``#banner``). Other
selectors, other media and external style sheets are ignored.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

MAX_STYLE: Final = 300_000
MAX_RULES: Final = 5_000
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SELECTOR: Final = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w-]+)+)", re.IGNORECASE)
_NAME: Final = re.compile(r"([.#])([\w-]+)")
_LENGTH: Final = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))\s*([a-z%]*)")
_SHOWN_MEDIA: Final = frozenset({"", "all", "screen", "only screen"})
_PIXELS: Final = {"": 1.0, "px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ch": 8.0, "vw": 14.0, "vh": 8.0}
_NO_COLOURS: Final = ("", "inherit", "initial", "unset", "currentcolor", "none")
_OFF_SCREEN: Final = -900.0
_UNREADABLE: Final = 2.0
_SIDES: Final = ("left", "top", "right", "bottom", "margin-left", "margin-top")
_ENTRANCES: Final = ("transform", "transition", "animation", "will-change", "filter")
_DECISIVE: Final = frozenset(_SIDES) | frozenset(
    """
    display visibility content-visibility opacity font-size font position text-indent clip clip-path width
    height overflow transform transition animation color background background-color
    """.split()
)

Declarations = Mapping[str, str]
_Rule = tuple[tuple[int, int], str, frozenset[str], Declarations]


def declarations(style: str) -> dict[str, str]:
    """Return the declarations of a style attribute or of a rule's body, lower case, the last of a name."""
    found: dict[str, str] = {}
    for part in _COMMENT.sub("", style).lower().split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def hide(style: Declarations) -> bool:
    """Return whether these declarations hide an element's text.

    An opacity of 0 beside a transform or a transition starts an entrance effect, so it does not hide.
    """
    return (
        style.get("display") == "none"
        or style.get("visibility") in ("hidden", "collapse")
        or style.get("content-visibility") == "hidden"
        or _is_transparent(style)
        or _is_tiny(style)
        or _is_elsewhere(style)
    )


class StyleRules:
    """The simple rules of a page's style elements, and the declarations that an element gets from them."""

    def __init__(self, sheets: Iterable[str] = ()) -> None:
        self._rules: dict[str, list[_Rule]] = defaultdict(list)
        self.declare_display = False
        for order, (tag, names, style) in enumerate(islice(_rules_of(sheets), MAX_RULES)):
            weight = 100 * sum(name[0] == "#" for name in names) + len(names)
            rule = ((weight, order), tag, names, style)
            self._rules[min(names)].append(rule)
            self.declare_display |= "display" in style

    def declarations(self, tag: str, names: Iterable[str]) -> dict[str, str]:
        """Return what the rules declare for this tag with these ``.class`` and ``#id`` names."""
        if not self._rules:
            return {}
        own = frozenset(names)
        matching = [
            rule
            for name in own & self._rules.keys()
            for rule in self._rules[name]
            if rule[1] in ("", tag) and rule[2] <= own
        ]
        found: dict[str, str] = {}
        for rule in sorted(matching, key=lambda rule: rule[0]):
            found.update(rule[3])
        return found


def _rules_of(sheets: Iterable[str]) -> Iterator[tuple[str, frozenset[str], Declarations]]:
    left = MAX_STYLE
    for sheet in sheets:
        for selectors, body in _blocks(_COMMENT.sub("", sheet[:left])):
            style = {name: value for name, value in declarations(body).items() if name in _DECISIVE}
            for selector in selectors.split(",") if style else ():
                match = _SELECTOR.fullmatch(selector.strip())
                if match:
                    names = frozenset(f"{kind}{name}" for kind, name in _NAME.findall(match[2]))
                    yield (match[1] or "").lower(), names, style
        left = max(0, left - len(sheet))


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield (selectors, body) of the rules that apply to a screen of any size."""
    depth, begun, selectors, shown = 0, 0, "", [True]
    for brace in re.finditer(r"[{}]", sheet):
        text, begun = sheet[begun : brace.start()], brace.end()
        if brace[0] == "{":
            selectors = text.rpartition(";")[2].strip()
            depth += 1
            shown.append(shown[-1] and _is_for_screens(selectors))
            continue
        if depth:
            if shown.pop() and not selectors.startswith("@"):
                yield selectors, text
            selectors = "@"
            depth -= 1


def _is_for_screens(opening: str) -> bool:
    if not opening.startswith("@"):
        return True
    name, _, rest = opening.partition(" ")
    return name.lower() in ("@media", "@layer") and (name.lower() == "@layer" or is_for_screens(rest))


def is_for_screens(media: str) -> bool:
    """Return whether a media query matches every screen."""
    return media.strip().lower() in _SHOWN_MEDIA


def _is_transparent(style: Declarations) -> bool:
    if _number(style.get("opacity")) == 0 and not any(name in style for name in _ENTRANCES):
        return True
    color = style.get("color", "").replace(" ", "")
    behind = style.get("background-color", style.get("background", "")).replace(" ", "")
    if color == "transparent" or bool(re.fullmatch(r"rgba\(.*,0(?:\.0+)?\)", color)):
        return True
    return color not in _NO_COLOURS and color == behind


def _is_tiny(style: Declarations) -> bool:
    size = _pixels(style.get("font-size", ""))
    if size is not None and size <= _UNREADABLE:
        return True
    sides = (_pixels(style.get("width", "")), _pixels(style.get("height", "")))
    return style.get("overflow") in ("hidden", "clip") and all(
        side is not None and side <= 1 for side in sides
    )


def _is_elsewhere(style: Declarations) -> bool:
    moved = [_pixels(style[name]) for name in _SIDES if name in style]
    if any(by is not None and by <= _OFF_SCREEN for by in moved):
        return True
    indent = _pixels(style.get("text-indent", ""))
    if indent is not None and indent <= _OFF_SCREEN:
        return True
    clip, path, transform = (
        style.get(name, "").replace(" ", "") for name in ("clip", "clip-path", "transform")
    )
    if re.match(r"rect\((?:[01](?:px)?,?){4}\)", clip) or re.match(
        r"inset\((?:[5-9]\d|100)%|circle\(0", path
    ):
        return True
    shift = re.search(r"translate(?:x|y|3d)?\((-\d+)", transform)
    return bool(re.search(r"scale(?:x|y|3d)?\(0(?:\.0+)?[,)]", transform)) or (
        shift is not None and float(shift[1]) <= _OFF_SCREEN
    )


def _number(value: str | None) -> float | None:
    match = _LENGTH.fullmatch(value or "")
    return float(match[1]) if match else None


def _pixels(value: str) -> float | None:
    match = _LENGTH.fullmatch(value)
    if match is None or float(match[1]) == 0:
        return 0.0 if match else None
    return float(match[1]) * _PIXELS[match[2]] if match[2] in _PIXELS else None
