"""The names of plans, rows and columns on their axes, and which of them a text has. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from app.content.writing.veto.owned_figures import PLANS, alike, is_written, short_names, ways_to_say
from app.language.number_words import number_words
from app.language.stems import content_stems

Ways = Mapping[str, tuple[frozenset[str], ...]]
"""The sets of stems that each say a name."""


class NamesOnAxes:
    """The names in the evidence of an article."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._names: dict[str, dict[str, tuple[frozenset[str], ...]]] = {}
        self._alike: set[tuple[str, str]] = set()

    def add(self, names: Collection[tuple[str, str]]) -> None:
        """Add the names of a unit, each with its axis."""
        self._alike.update(alike(names, self._language))
        times = short_names(name for _, name in names)
        for axis, name in names:
            self._names.setdefault(axis, {})[name] = ways_to_say(name, times, self._language)

    def names(self, axis: str) -> Ways:
        """Return the names on an axis."""
        return self._names.get(axis, {})

    def all(self) -> Iterable[Ways]:
        """Return the names of each axis."""
        return self._names.values()

    def on(self, axis: str, stems: Collection[str], text: str) -> frozenset[str]:
        """Return the names on an axis that are in ``stems``, words of the sentence ``text``.

        Names that are ``alike``, such as the row "Kitchens" and the column "Kitchen", have to be in the
        sentence as written. So do all plans if one of them is: "Starter is for one kitchen" does not name
        the plan Kitchen.
        """
        names = self.names(axis)
        said = frozenset(name for name, ways in names.items() if any(way <= set(stems) for way in ways))
        written = {name for name in names if is_written(name, text)}
        is_exact = axis.startswith(PLANS) and bool(written)
        return frozenset(
            name for name in said if name in written or not (is_exact or (axis, name) in self._alike)
        )

    def has_name(self, stems: frozenset[str], name: str) -> bool:
        """Return whether a clause has all words of a name, units included: "Per month" in "£16 a month"."""
        own = self.stems(name)
        return bool(own) and own <= stems

    def is_nearly_named(self, owners: Sequence[str], stems: frozenset[str], left: frozenset[str]) -> bool:
        """Return whether a clause has half of a long name: "large saw" for "Saw, large (5.5 hp)".

        ``left`` are its words that are in no other name; one of them has to be of this one.
        """
        long = (self.stems(name) for name in owners)
        return any(len(own) > 2 and own & left and 2 * len(own & stems) >= len(own) for own in long)

    def stems(self, text: str) -> frozenset[str]:
        """Return the stems of a text, with its numbers."""
        return _stems_of(text, self._language)


@lru_cache(maxsize=8_192)  # the names in the evidence of an article are read for each of its figures
def _stems_of(text: str, language: str) -> frozenset[str]:
    """Return the stems of a text, and its numbers in words as in digits: "five hours" names "5 hours"."""
    numbers = (each.number for each in number_words(text, language))
    return frozenset((*content_stems(text, language), *numbers))
