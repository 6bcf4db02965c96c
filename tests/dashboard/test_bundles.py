"""Modules sent as one file."""

from __future__ import annotations

from app.dashboard.ui.bundles import as_one


def test_modules_become_blocks_after_the_imports_of_all() -> None:
    one = 'import { asker } from "./parts.js";\n\nconst text = 1;\n'
    two = 'import { afterPause, asker } from "./parts.js";\nexport function text() {}\n'
    assert as_one([one, two]) == (
        'import { afterPause, asker } from "./parts.js";\n{\n\nconst text = 1;\n}\n{\nfunction text() {}\n}\n'
    )
