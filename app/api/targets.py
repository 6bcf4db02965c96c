"""A project's publish targets: list, create, read, change, delete, test, and renew their secrets."""

from typing import Any, Final

from flask import Response
from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.contract import Resource, Takes, success
from app.api.http.fields import Id, Out, Time, nullable
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.http.schemas import FailureOut, success_schema
from app.failures import invalid_field
from app.infra.inputs import Boolean, Choice, Input, Line, Text, shared
from app.projects.model import Project
from app.publishing import service
from app.publishing.model import PublishTarget
from app.publishing.target_check import check_target
from app.publishing.targets.base import (
    CHECK_NAMES,
    MOST_SECRET,
    EnteredSecret,
    GeneratedSecret,
    Setting,
    TargetKind,
)
from app.publishing.targets.registry import KINDS, offered_kinds

blueprint = Resource(
    "Publish Targets", "", "The places that a project's posts are published to.", scope="targets"
)

_TARGETS: Final = "/projects/<id:project_id>/publish-targets"
TARGET: Final = f"{_TARGETS}/<id:target_id>"
_NAME: Final = {"description": "How it is called here; no other target of the project has the name."}
_SETTINGS: Final = {"description": "The settings of its kind; see /public-api/publish-target-kinds."}
_SECRET: Final = {
    "description": "Only for kinds whose secret is entered, such as a password made at the vendor. It is "
    "stored encrypted and never returned.",
    "writeOnly": True,
}
_DEFAULT: Final = {"description": "Publish here when a request names no target; unmarks the former choice."}
_SHOWN_ONCE: Final = {"Cache-Control": "no-store"}


class PublishTargetIn(Input):
    name = Line(1, service.MOST_NAME, required=True, allow_none=False, metadata=_NAME)
    kind = Text(1, 20, required=True, allow_none=False, metadata={"enum": list(KINDS)})
    settings = fields.Dict(keys=fields.String(), load_default=dict, metadata=_SETTINGS)
    secret = Text(0, MOST_SECRET, load_default=None, metadata=_SECRET)
    is_default = Boolean(load_default=False, metadata=_DEFAULT)


class PublishTargetPatch(Input):
    """The members to change. Settings that are left out stay; null clears one that is not required."""

    name = Line(1, service.MOST_NAME, allow_none=False, metadata=_NAME)
    settings = fields.Dict(keys=fields.String(), metadata=_SETTINGS)
    secret = Text(0, MOST_SECRET, metadata=_SECRET)
    is_default = Boolean(metadata=_DEFAULT)


class CheckStepOut(Out):
    name = Choice(CHECK_NAMES)
    passed = fields.Boolean()
    message = fields.String(metadata={"description": "What was found."})
    milliseconds = fields.Integer(metadata={"description": "How long it took."})
    failure = nullable(FailureOut)


class TargetTestOut(Out):
    """The result of a test: its steps in order, up to the first that failed."""

    passed = fields.Boolean()
    at = Time()
    steps = fields.List(fields.Nested(CheckStepOut))


class PublishTargetOut(Out):
    """A publish target. Its secret is never returned."""

    id = Id(metadata={"example": 1})
    project_id = Id(metadata={"example": 1})
    name = fields.String(metadata={"example": "Company blog"})
    kind = fields.String(metadata={"example": "webhook"})
    settings = fields.Dict(metadata=_SETTINGS)
    has_secret = fields.Boolean()
    is_default = fields.Boolean(metadata={"description": "Whether it is the project's default."})
    last_test = nullable(
        TargetTestOut, metadata={"description": "Null before the first test and after a change."}
    )
    created_at = Time()
    updated_at = Time()


class ChoiceOut(Out):
    value = fields.String()
    label = fields.String()


class SettingOut(Out):
    name = fields.String()
    label = fields.String()
    hint = fields.String()
    placeholder = fields.String()
    required = fields.Boolean()
    default = fields.String(metadata={"description": "Stored if the setting is left out."})
    is_url = fields.Boolean()
    choices = fields.List(
        fields.Nested(ChoiceOut), metadata={"description": "The values it takes; empty for any text."}
    )


class SecretOut(Out):
    """The secret of a kind: generated here and returned once, or entered by its owner."""

    origin = Choice(("generated", "entered"))
    label = fields.String()
    hint = fields.String()
    required = fields.Boolean()


class TargetKindOut(Out):
    name = fields.String(metadata={"example": "webhook"})
    title = fields.String()
    summary = fields.String()
    has_drafts = fields.Boolean(metadata={"description": "Whether a post can be a hidden draft there."})
    settings = fields.List(fields.Nested(SettingOut))
    secret = nullable(SecretOut)


TargetsAnswer = list_schema("PublishTargetsAnswer", targets=PublishTargetOut)
TargetAnswer = success_schema("PublishTargetAnswer", target=fields.Nested(PublishTargetOut))
TargetWithSecret = success_schema(
    "PublishTargetWithSecret",
    target=fields.Nested(PublishTargetOut),
    secret=fields.String(
        allow_none=True, metadata={"description": "The generated secret, returned only now; else null."}
    ),
)
TestAnswer = success_schema("PublishTargetTest", test=fields.Nested(TargetTestOut))
KindsAnswer = success_schema("PublishTargetKinds", kinds=fields.List(fields.Nested(TargetKindOut)))


@blueprint.operation("GET", "/publish-target-kinds", gives={200: KindsAnswer})
def list_publish_target_kinds() -> ResponseReturnValue:
    """List the kinds of publish target, with what each needs."""
    return success({"kinds": [_present_kind(kind) for kind in offered_kinds().values()]})


@blueprint.operation("GET", _TARGETS, query=PageQuery, gives={200: TargetsAnswer})
def list_publish_targets(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List the project's publish targets."""
    rows, total = service.page_of_targets(project, query["page"], query["page_size"])
    return listed("targets", [present(row) for row in rows], query, total)


@blueprint.operation(
    "POST",
    _TARGETS,
    takes=Takes(
        PublishTargetIn,
        example={
            "name": "Company blog",
            "kind": "webhook",
            "settings": {"url": "https://example.com/hooks/posts"},
        },
    ),
    gives={201: TargetWithSecret},
    fails=("URL_NOT_ALLOWED",),
)
def create_publish_target(project: Project, body: dict[str, Any]) -> ResponseReturnValue:
    """Create a publish target. Nothing is called: test it next.

    A secret that the service generates is returned in this response only.
    """
    target, secret = service.add_target(
        project,
        body["kind"],
        body["name"],
        body["settings"],
        body["secret"],
        is_default=body["is_default"],
    )
    location = f"/public-api/projects/{target.project_id}/publish-targets/{target.id}"
    return _with_secret(target, secret, 201, Location=location)


@blueprint.operation("GET", TARGET, gives={200: TargetAnswer})
def get_publish_target(project: Project, target_id: int) -> ResponseReturnValue:
    """Read a publish target."""
    return success({"target": present(service.find_target(project, target_id))})


@blueprint.operation(
    "PATCH",
    TARGET,
    takes=Takes(PublishTargetPatch, example={"name": "Company blog", "is_default": True}),
    gives={200: TargetAnswer},
    fails=("URL_NOT_ALLOWED", "PUBLISH_TARGET_IN_USE"),
)
def update_publish_target(project: Project, target_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Change a publish target. Changed settings, or a new secret, need a new test."""
    target = service.find_target(project, target_id)
    if not body:
        raise invalid_field("", "Name at least one member to change.")
    if "secret" in body:
        body["secret"] = body["secret"] or ""
    return success({"target": present(service.edit_target(target, **body))})


@blueprint.operation("DELETE", TARGET, gives={200: TargetAnswer}, fails=("PUBLISH_TARGET_IN_USE",))
def delete_publish_target(project: Project, target_id: int) -> ResponseReturnValue:
    """Delete a publish target and its secret. Posts stay published there, and in their history here."""
    target = service.find_target(project, target_id)
    deleted = {**present(target), "has_secret": False, "is_default": False}
    service.remove_target(target)
    return success({"target": deleted})


@blueprint.operation("POST", f"{TARGET}/test", gives={200: TestAnswer})
def test_publish_target(project: Project, target_id: int) -> ResponseReturnValue:
    """Test a publish target step by step; nothing is published.

    The response is 200 for a failed test, too: see `passed`, and the `failure` of the last step.
    """
    return success(
        {"test": shared(TargetTestOut).dump(check_target(service.find_target(project, target_id)))}
    )


@blueprint.operation("POST", f"{TARGET}/rotate-secret", gives={200: TargetWithSecret})
def rotate_publish_target_secret(project: Project, target_id: int) -> ResponseReturnValue:
    """Generate a new secret, returned in this response only.

    The former one stays valid until the next rotation. For kinds with a generated secret.
    """
    target = service.find_target(project, target_id)
    return _with_secret(target, service.rotate_secret(target))


def present(target: PublishTarget) -> dict[str, Any]:
    shown: dict[str, Any] = shared(PublishTargetOut, exclude=("has_secret", "last_test")).dump(target)
    last_test = shared(TargetTestOut).dump(target.last_check) if target.last_check else None
    return {**shown, "has_secret": target.secret is not None, "last_test": last_test}


def _with_secret(target: PublishTarget, secret: str | None, status: int = 200, **headers: str) -> Response:
    members = {"target": present(target), "secret": secret}
    return success(members, status, {**headers, **_SHOWN_ONCE})


def _present_kind(kind: TargetKind) -> dict[str, Any]:
    shown: dict[str, Any] = shared(TargetKindOut, only=("name", "title", "summary", "has_drafts")).dump(kind)
    return {
        **shown,
        "settings": [_present_setting(setting) for setting in kind.settings],
        "secret": _present_secret(kind.secret),
    }


def _present_setting(setting: Setting) -> dict[str, Any]:
    shown: dict[str, Any] = shared(SettingOut, exclude=("is_url", "choices")).dump(setting)
    choices = [{"value": value, "label": label} for value, label in setting.choices]
    return {**shown, "is_url": setting.is_address, "choices": choices}


def _present_secret(secret: GeneratedSecret | EnteredSecret | None) -> dict[str, Any] | None:
    if isinstance(secret, EnteredSecret):
        shown: dict[str, Any] = shared(SecretOut, exclude=("origin",)).dump(secret)
        return {"origin": "entered", **shown}
    if isinstance(secret, GeneratedSecret):
        return {"origin": "generated", "label": "Secret", "hint": secret.usage, "required": True}
    return None
