"""The operations of execution jobs. One row here feeds the API, the dashboard, the CLI and the worker."""

from __future__ import annotations

from typing import Final

from app.failures import ServiceFailure
from app.operations import (
    generate_blog_post,
    import_search_performance,
    plan_blog_post,
    publish_blog_post,
    refresh_blog_post,
    rewrite_blog_post,
    suggest_titles,
    sync_sitemap,
    unpublish_blog_post,
)
from app.operations.base import Operation

GENERATE_BLOG_POST: Final = generate_blog_post.OPERATION
SYNC_SITEMAP: Final = sync_sitemap.OPERATION
PUBLISH_BLOG_POST: Final = publish_blog_post.OPERATION
UNPUBLISH_BLOG_POST: Final = unpublish_blog_post.OPERATION
REFRESH_BLOG_POST: Final = refresh_blog_post.OPERATION
REWRITE_BLOG_POST: Final = rewrite_blog_post.OPERATION
PLAN_BLOG_POST: Final = plan_blog_post.OPERATION
SUGGEST_TITLES: Final = suggest_titles.OPERATION
IMPORT_SEARCH_PERFORMANCE: Final = import_search_performance.OPERATION

OPERATIONS: Final[tuple[Operation, ...]] = (
    GENERATE_BLOG_POST,
    PLAN_BLOG_POST,
    SYNC_SITEMAP,
    PUBLISH_BLOG_POST,
    UNPUBLISH_BLOG_POST,
    REFRESH_BLOG_POST,
    REWRITE_BLOG_POST,
    SUGGEST_TITLES,
    IMPORT_SEARCH_PERFORMANCE,
)

_BY_NAME: Final = {operation.name: operation for operation in OPERATIONS}


def operation_named(name: str) -> Operation:
    """Return an operation. Raises INVALID_OPERATION with the names there are."""
    operation = _BY_NAME.get(name)
    if operation is None:
        raise ServiceFailure("INVALID_OPERATION", details={"operations": list(_BY_NAME)})
    return operation
