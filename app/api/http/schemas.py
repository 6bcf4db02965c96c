"""Schemas that several resources share: the failure object and the error envelope."""

from collections.abc import Mapping, Sequence
from typing import Any

from marshmallow import Schema, fields

from app.api.http.fields import Out
from app.infra.inputs import Choice


class FailureOut(Out):
    """A normalized failure, taxonomy v1."""

    taxonomy_version = fields.String(metadata={"const": "v1"})
    category = Choice(("validation", "policy", "dependency", "timeout", "quota", "unknown"))
    code = fields.String(metadata={"description": "Machine-readable error code; see docs/failures.md."})
    message = fields.String(metadata={"description": "Human-readable message."})
    retryable = fields.Boolean(metadata={"description": "Whether repeating the request can succeed."})
    fix_required = fields.Boolean(metadata={"description": "Whether the caller must change something first."})
    remediation_hints = fields.List(fields.String(), metadata={"description": "Advice texts."})
    next_actions = fields.List(fields.String(), metadata={"description": "Machine-readable suggestions."})
    details = fields.Dict(allow_none=True, metadata={"description": "Facts about this case, or null."})


class FieldErrorOut(Out):
    location = fields.String(metadata={"example": "body"})
    field = fields.String(metadata={"description": "JSON pointer.", "example": "/payload/topic"})
    message = fields.String()


class EnvelopeOut(Out):
    status = fields.String(metadata={"const": "error"})
    code = fields.String(metadata={"description": "Equals failure.code."})
    message = fields.String(metadata={"description": "Equals failure.message."})
    failure = fields.Nested(FailureOut)
    errors = fields.List(
        fields.Nested(FieldErrorOut), metadata={"description": "The wrong fields; otherwise empty."}
    )
    request_id = fields.String(metadata={"description": "Also in the header X-Request-ID and in the logs."})


class SuccessOut(Out):
    status = fields.String(metadata={"const": "success"})


def success_schema(name: str, **members: fields.Field[Any]) -> type[Schema]:
    return SuccessOut.from_dict(dict(members), name=name)


def envelope(
    failure: Mapping[str, Any], errors: Sequence[Mapping[str, str]], request_id: str
) -> dict[str, Any]:
    return {
        "status": "error",
        "code": failure["code"],
        "message": failure["message"],
        "failure": dict(failure),
        "errors": [dict(error) for error in errors],
        "request_id": request_id,
    }
