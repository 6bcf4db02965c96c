"""The log of a publish target: the calls to it, and what came of them."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.fields import Id, Out, Time
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.targets import TARGET, blueprint
from app.infra.inputs import Choice, shared
from app.projects.model import Project
from app.publishing.calls import list_calls
from app.publishing.service import find_target


class PublishCallOut(Out):
    id = Id(metadata={"example": 1})
    publication_id = fields.String()
    job_id = Id(allow_none=True, metadata={"description": "Null for a call outside of a job."})
    action = Choice(("find", "create", "write", "unpublish", "delete"))
    outcome = Choice(
        ("live", "scheduled", "draft", "absent", "done", "not_delivered", "unknown"),
        metadata={
            "description": "What the target has then; or, after a failure, whether it may have the text."
        },
    )
    code = fields.String(allow_none=True, metadata={"description": "The code of a failure."})
    http_status = fields.Integer(allow_none=True)
    answer = fields.String(allow_none=True, metadata={"description": "The target's own words."})
    milliseconds = fields.Integer()
    at = Time()


CallsAnswer = list_schema("CallsAnswer", calls=PublishCallOut)


@blueprint.operation("GET", f"{TARGET}/calls", query=PageQuery, gives={200: CallsAnswer})
def list_publish_target_calls(project: Project, target_id: int, query: dict[str, Any]) -> ResponseReturnValue:
    """List the calls to a publish target of the last 30 days, newest first."""
    target = find_target(project, target_id)
    rows, total = list_calls(target, query["page"], query["page_size"])
    return listed("calls", [shared(PublishCallOut).dump(row) for row in rows], query, total)
