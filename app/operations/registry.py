"""The operations of execution jobs. One row here feeds the API, the dashboard, the CLI and the worker."""

from typing import Final

from app.failures import existing
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

OPERATIONS: Final[tuple[Operation, ...]] = (
    generate_blog_post.OPERATION,
    plan_blog_post.OPERATION,
    sync_sitemap.OPERATION,
    publish_blog_post.OPERATION,
    unpublish_blog_post.OPERATION,
    refresh_blog_post.OPERATION,
    rewrite_blog_post.OPERATION,
    suggest_titles.OPERATION,
    import_search_performance.OPERATION,
)

_BY_NAME: Final = {operation.name: operation for operation in OPERATIONS}


def operation_named(name: str) -> Operation:
    """Return an operation. Raises INVALID_OPERATION with the names there are."""
    return existing(_BY_NAME.get(name), "INVALID_OPERATION", operations=list(_BY_NAME))
