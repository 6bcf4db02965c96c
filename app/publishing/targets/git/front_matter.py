"""Reads and writes Markdown files with YAML front matter, the same for every version of YAML. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import yaml

_MOST_BYTES: Final = 65_536
_FENCED: Final = re.compile(
    rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True)
class MarkdownFile:
    members: Mapping[str, Any]
    text: str


class _Writer(yaml.SafeDumper):
    """Quotes every string value: unquoted, 1e3 or no would be a number or a switch to some programs."""

    def ignore_aliases(self, data: Any) -> bool:
        """Return True: repeated values are written out, because some programs know no aliases."""
        return True


class _Value(str):
    __slots__ = ()


_Writer.add_representer(
    _Value, lambda writer, text: writer.represent_scalar("tag:yaml.org,2002:str", str(text), style='"')
)
_Writer.add_representer(
    datetime,
    lambda writer, moment: writer.represent_scalar(
        "tag:yaml.org,2002:timestamp", moment.isoformat(timespec="seconds")
    ),
)


def write(members: Mapping[str, Any], text: str) -> bytes:
    """Return the file with these members, in their order, and this Markdown text."""
    values = {name: _quoted(value) for name, value in members.items()}
    head = yaml.dump(values, Dumper=_Writer, sort_keys=False, allow_unicode=True, width=float("inf"))
    return f"---\n{head}---\n\n{text.strip()}\n".encode()


def read(data: bytes) -> MarkdownFile | None:
    """Return the parts of a file; None if it has no YAML front matter that can be read."""
    found = _FENCED.match(data[:_MOST_BYTES])
    if found is None:
        return None
    try:
        members = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if not isinstance(members, dict) or not all(isinstance(name, str) for name in members):
        return None
    return MarkdownFile(members, data[found.end() :].decode("utf-8", "replace").strip())


def _quoted(value: Any) -> Any:
    if isinstance(value, str):
        return _Value(value)
    if isinstance(value, Mapping):
        return {str(name): _quoted(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_quoted(each) for each in value]
    return value
