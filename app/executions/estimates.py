"""What a post is expected to take, by the latest posts of the account, and what is left of its month."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from sqlalchemy import select

from app.accounts.limits import monthly_post_limit
from app.accounts.model import Account
from app.content.writing.providers.registry import is_configured
from app.executions.limits import posts_this_month
from app.executions.model import ExecutionJob
from app.executions.states import Status
from app.infra.db import db
from app.infra.settings import current_settings
from app.operations import generate_blog_post

LATEST: Final = 20
"""How many of the account's latest posts are looked at."""


@dataclass(frozen=True)
class Estimate:
    """What a post takes: the usual seconds and US dollars, None where no post has shown it yet.

    ``monthly_limit`` is None for an unlimited account. ``by_model`` says whether a language model writes.
    """

    seconds: float | None
    cost_usd: float | None
    posts_this_month: int
    monthly_limit: int | None
    by_model: bool


def estimate_of(account: Account) -> Estimate:
    """Return what the next post of an account is expected to take."""
    by_model = is_configured(current_settings())
    results = _latest_results(account.id, "llm" if by_model else "extractive")
    costs = [(result.get("usage") or {}).get("cost_usd") for result in results]
    return Estimate(
        seconds=_median([result.get("seconds") for result in results]),
        cost_usd=_median(costs),
        posts_this_month=posts_this_month(account.id),
        monthly_limit=monthly_post_limit(account),
        by_model=by_model,
    )


def _latest_results(account_id: int, engine: str) -> list[Mapping[str, Any]]:
    rows = db.session.scalars(
        select(ExecutionJob.result)
        .where(
            ExecutionJob.account_id == account_id,
            ExecutionJob.operation == generate_blog_post.OPERATION.name,
            ExecutionJob.status == Status.SUCCEEDED,
        )
        .order_by(ExecutionJob.id.desc())
        .limit(LATEST)
    )
    return [result for result in rows if result and result.get("engine") == engine]


def _median(values: Sequence[Any]) -> float | None:
    known = [float(value) for value in values if isinstance(value, int | float)]
    return median(known) if known else None
