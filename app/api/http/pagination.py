"""Pagination: the query of a list, and the response with one page of it."""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from flask import Response, request
from marshmallow import Schema, fields

from app.api.http.contract import success
from app.api.http.fields import Out, QueryInteger
from app.api.http.schemas import success_schema
from app.infra.inputs import Input

PAGE_SIZE: Final = 20
MAX_PAGE_SIZE: Final = 100
MAX_PAGE: Final = 1_000_000_000


class PageQuery(Input):
    """The page of a list. Schemas of filters inherit from it."""

    page = QueryInteger(load_default=1, most=MAX_PAGE, metadata={"description": "The page number, from 1."})
    page_size = QueryInteger(
        load_default=PAGE_SIZE, most=MAX_PAGE_SIZE, metadata={"description": "Items on a page."}
    )


class PaginationOut(Out):
    """The position of a page in its list."""

    page = fields.Integer(metadata={"example": 1})
    page_size = fields.Integer(metadata={"example": 20})
    total = fields.Integer(metadata={"example": 1, "description": "Items in the whole list."})


def list_schema(name: str, **rows: type[Schema]) -> type[Schema]:
    """Return the schema of one page of a list; ``rows`` is the list's member with the schema of a row."""
    lists = {member: fields.List(fields.Nested(row)) for member, row in rows.items()}
    return success_schema(name, **lists, pagination=fields.Nested(PaginationOut))


def listed(name: str, items: Sequence[Any], query: dict[str, Any], total: int) -> Response:
    """Return one page of a list as a response, with Link to the next and previous page (RFC 8288)."""
    page, page_size = query["page"], query["page_size"]
    members = {name: items, "pagination": {"page": page, "page_size": page_size, "total": total}}
    links = []
    if page * page_size < total:
        links.append(_link(page + 1, "next"))
    if page > 1:
        links.append(_link(min(page - 1, max(1, -(-total // page_size))), "prev"))
    return success(members, headers={"Link": ", ".join(links)} if links else {})


def _link(page: int, relation: str) -> str:
    arguments = {**request.args.to_dict(), "page": str(page)}
    return f'<{request.base_url}?{urlencode(arguments)}>; rel="{relation}"'
