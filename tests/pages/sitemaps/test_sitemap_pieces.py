"""However the wire cuts a document into pieces, the same is found in it."""

from __future__ import annotations

import pytest

from tests.support.hostile.corpus import GROUPS
from tests.support.sitemaps import codes, read

DOCUMENTS = {
    f"{group}/{case.name}": answer.body
    for group in ("encodings", "containers", "xml")
    for case in GROUPS[group]
    for answer in case.answers.values()
    if answer.wire is None and 0 < len(answer.body) < 20_000
}


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_means_the_same_in_pieces_of_any_size(name: str, size: int) -> None:
    document = DOCUMENTS[name]
    urls, report = read(document)
    in_pieces, again = read(*(document[at : at + size] for at in range(0, len(document), size)))
    assert (in_pieces, again.complete, codes(again)) == (
        urls,
        report.complete,
        codes(report),
    )
