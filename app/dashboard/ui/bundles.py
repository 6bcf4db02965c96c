"""Several JavaScript modules sent as one file, so that a page needs fewer requests. Pure."""

import re
from collections.abc import Iterable
from typing import Final

_IMPORT: Final = re.compile(r'^import \{ ([\w, ]+) \} from "(\./[\w-]+\.js)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)


def as_one(modules: Iterable[str]) -> str:
    """Return modules as one that does what they do one after the other.

    Each is a block, so that the same name in two of them stands for two things. Imports from other modules
    come first, each name once. What they export cannot be imported any more.
    """
    imported: dict[str, set[str]] = {}
    blocks = []
    for module in modules:
        for names, source in _IMPORT.findall(module):
            imported.setdefault(source, set()).update(names.split(", "))
        blocks.append(f"{{\n{_EXPORT.sub('', _IMPORT.sub('', module))}}}\n")
    imports = [
        f'import {{ {", ".join(sorted(names))} }} from "{source}";\n' for source, names in imported.items()
    ]
    return "".join((*imports, *blocks))
