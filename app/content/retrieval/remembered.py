"""Keeps what was found in the pages of a post, because the stages ask for the same again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from app.content.retrieval.passages import Library

P = ParamSpec("P")
T = TypeVar("T")


def remembered(find: Callable[Concatenate[Library, P], T]) -> Callable[Concatenate[Library, P], T]:
    """Return the function so that it finds the same only once in a library; its arguments are hashable."""

    @wraps(find)
    def found(library: Library, /, *args: P.args, **kwargs: P.kwargs) -> T:
        asked = (find.__name__, args, tuple(sorted(kwargs.items())))
        if asked not in library.searched:
            library.searched[asked] = find(library, *args, **kwargs)
        kept: T = library.searched[asked]
        return kept

    return found
