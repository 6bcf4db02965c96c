"""The caller's own account."""

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.accounts.limits import monthly_post_limit, project_limit
from app.api.http.auth import caller
from app.api.http.contract import Resource, success
from app.api.http.fields import Id, Out, Time, shown
from app.api.http.schemas import success_schema
from app.executions.limits import posts_this_month
from app.projects.service import count_projects

blueprint = Resource("Account", "/account", "The account behind the API key.", scope=None)


class AccountOut(Out):
    """An account, its limits and its usage. A null limit means unlimited."""

    id = Id(metadata={"example": 1})
    email = fields.String(metadata={"example": "alice@example.com"})
    name = fields.String(metadata={"example": "Alice"})
    project_limit = fields.Integer(allow_none=True)
    active_project_count = fields.Integer()
    monthly_post_limit = fields.Integer(allow_none=True)
    posts_generated_this_month = fields.Integer()
    created_at = Time()


AccountAnswer = success_schema("AccountAnswer", account=fields.Nested(AccountOut))


@blueprint.operation("GET", "", gives={200: AccountAnswer})
def get_account() -> ResponseReturnValue:
    """Read the account behind the API key."""
    account = caller().account
    computed = {
        "project_limit": project_limit(account),
        "active_project_count": count_projects(account.id),
        "monthly_post_limit": monthly_post_limit(account),
        "posts_generated_this_month": posts_this_month(account.id),
    }
    return success({"account": shown(AccountOut, account, computed)})
