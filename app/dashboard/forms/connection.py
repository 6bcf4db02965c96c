"""The form that connects a publish target, or edits the connection: built from what the kind describes."""

from collections.abc import Collection, Iterator
from typing import Any, ClassVar, Final

from flask import request
from wtforms import Field, PasswordField, SelectField, StringField
from wtforms.validators import InputRequired

from app.dashboard.forms.base import AddressField, PageForm
from app.dashboard.ui.presentation import host_of
from app.publishing.model import PublishTarget
from app.publishing.targets.base import EnteredSecret, Setting, TargetKind

_NEEDED: Final = "This is required."
_TO_CHOOSE: Final = ("", "Choose…")


class ConnectionForm(PageForm):
    """The settings of a kind, its secret if its owner enters one, and the name of the target."""

    kind: ClassVar[TargetKind]

    @property
    def main(self) -> list[Field]:
        return [field for field in self if self._is_main(field.name)]

    @property
    def rest(self) -> list[Field]:
        return [field for field in self if not self._is_main(field.name)]

    @property
    def settings(self) -> dict[str, str]:
        return {setting.name: self[setting.name].data or "" for setting in self.kind.settings}

    @property
    def typed_secret(self) -> str | None:
        return self["secret"].data or None if "secret" in self else None

    def typed_name(self, taken: Collection[str]) -> str:
        """Return the name that was typed, else one of the site's host that is not ``taken``."""
        name = (self["name"].data or "").strip()
        return name or next(each for each in self._names() if each not in taken)

    def _names(self) -> Iterator[str]:
        settings = self.settings
        hosts = [host_of(settings[each.name]) for each in self.kind.settings if each.is_address]
        name = next((host for host in hosts if host), self.kind.title)[:60]
        yield name
        number = 2
        while True:
            yield f"{name} {number}"
            number += 1

    def _is_main(self, name: str) -> bool:
        setting = next((each for each in self.kind.settings if each.name == name), None)
        if setting is None:
            return name == "secret"
        return setting.required or bool(setting.choices)


def connection_form(kind: TargetKind, target: PublishTarget | None = None) -> ConnectionForm:
    """Return the submitted form of a kind: empty, or with what ``target`` has, except its secret."""
    needed = [setting for setting in kind.settings if setting.required]
    others = [setting for setting in kind.settings if not setting.required]
    fields: dict[str, Any] = {setting.name: _field_of(setting) for setting in needed}
    if isinstance(kind.secret, EnteredSecret):
        fields["secret"] = _secret_field(kind.secret, is_kept=target is not None)
    fields.update({setting.name: _field_of(setting) for setting in others})
    fields["name"] = StringField(
        "Name here",
        [InputRequired("A connection needs a name.")] if target is not None else [],
        description="" if target is not None else "Left empty, the address of the site.",
    )
    made: type[ConnectionForm] = type("TargetForm", (ConnectionForm,), {**fields, "kind": kind})
    known = {**target.settings, "name": target.name} if target is not None else None
    return made(request.form, data=known)


def _field_of(setting: Setting) -> Field:
    checks = [InputRequired(_NEEDED)] if setting.required else []
    if setting.choices:
        to_choose = [_TO_CHOOSE] if setting.required and not setting.default else []
        return SelectField(
            setting.label,
            checks,
            description=setting.hint,
            choices=[*to_choose, *setting.choices],
            default=setting.default or None,
            validate_choice=False,
        )
    field_class = AddressField if setting.is_address else StringField
    return field_class(
        setting.label,
        checks,
        description=setting.hint,
        default=setting.default or None,
        render_kw={"placeholder": setting.placeholder, "autocomplete": "off"},
    )


def _secret_field(secret: EnteredSecret, *, is_kept: bool) -> Field:
    keeps = "Left empty, the present one stays. " if is_kept else ""
    return PasswordField(
        secret.label,
        [InputRequired(_NEEDED)] if secret.required and not is_kept else [],
        description=f"{keeps}{secret.hint}",
        # “new-password” keeps browsers from filling in the password of this service.
        render_kw={"autocomplete": "new-password", "spellcheck": "false"},
    )
