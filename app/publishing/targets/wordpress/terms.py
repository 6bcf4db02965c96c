"""Tags and categories of a WordPress site: found by name, or made."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.failures import failure
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, PublishProblem
from app.publishing.targets.wordpress.api import Api, answer_of, error_code, error_of, problem_of

_NAMES_A_CALL: Final = 5
"""Names of terms are part of an address, which must not get too long."""


@dataclass(frozen=True)
class Taxonomy:
    """A kind of terms: its route, and what one term is called in messages."""

    route: str
    noun: str


TAGS: Final = Taxonomy("wp/v2/tags", "tag")
CATEGORIES: Final = Taxonomy("wp/v2/categories", "category")


def listed(setting: str) -> list[str]:
    """Return the names, or ids, in a setting that separates them with commas."""
    return [name for each in setting.split(",") if (name := " ".join(each.split()))]


def term_ids(api: Api, taxonomy: Taxonomy, names: Sequence[str], *, are_made: bool = True) -> list[int]:
    """Return the ids of terms by their names; of categories, a number is an id.

    Terms that the site does not have are made unless ``are_made`` is False. Raises PublishProblem for one
    that cannot be found or made.
    """
    known = _found(api, taxonomy, [name for name in names if not is_id(taxonomy, name)])
    ids = []
    for name in dict.fromkeys(names):
        if is_id(taxonomy, name):
            ids.append(_checked_id(api, taxonomy, name))
        elif _key(name) in known:
            ids.append(known[_key(name)])
        elif are_made:
            ids.append(_made(api, taxonomy, name))
        else:
            raise _missing(taxonomy, name)
    return list(dict.fromkeys(ids))


def _found(api: Api, taxonomy: Taxonomy, names: Sequence[str]) -> dict[str, int]:
    """Return the ids of the terms that the site has. WordPress makes slugs of the names by itself."""
    known: dict[str, int] = {}
    for start in range(0, len(names), _NAMES_A_CALL):
        some = names[start : start + _NAMES_A_CALL]
        terms = api.read(taxonomy.route, {"slug[]": some, "per_page": 100})
        for term in terms if isinstance(terms, list) else ():
            known.setdefault(_key(str(term.get("name"))), _id(term))
    return known


def _made(api: Api, taxonomy: Taxonomy, name: str) -> int:
    response = api.send(taxonomy.route, {"name": name})
    if response.status == 201:
        return _id(answer_of(response, 201))
    if error_code(response) == "term_exists":
        data = (error_of(response) or {}).get("data")
        return _id({"id": data.get("term_id")} if isinstance(data, dict) else None)
    if response.status == 403:
        raise _missing(taxonomy, name)
    raise problem_of(response)


def _checked_id(api: Api, taxonomy: Taxonomy, number: str) -> int:
    """Return an id that the site has. WordPress itself leaves out unknown ones without a word."""
    response = api.request("GET", f"{taxonomy.route}/{number}")
    if error_code(response) == "rest_term_invalid":
        raise _missing(taxonomy, number)
    return _id(answer_of(response, 200))


def _missing(taxonomy: Taxonomy, name: str) -> PublishProblem:
    message = f"The site has no {taxonomy.noun} “{name}”, and this account may not make one."
    hints = [f"Make the {taxonomy.noun} in WordPress, or change the settings of the target."]
    return PublishProblem(failure("TARGET_FORBIDDEN", message, hints=hints), NOT_DELIVERED)


def is_id(taxonomy: Taxonomy, name: str) -> bool:
    """Return whether a name in the settings is the id of a category."""
    return taxonomy is CATEGORIES and re.fullmatch(r"[0-9]{1,18}", name) is not None


def _key(name: str) -> str:
    return " ".join(html.unescape(name).casefold().split())


def _id(term: Any) -> int:
    number = term.get("id") if isinstance(term, dict) else None
    if type(number) is int and number > 0:
        return number
    message = "The site answered without the id of a tag or category."
    raise PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", message), UNKNOWN)
