"""The commands of ``flask --app wsgi``: thin ones over the services."""

from typing import Final

import click

from app.cli import (
    api_keys,
    backup,
    dependencies,
    doctor,
    encryption,
    executions,
    images,
    openapi,
    projects,
    reconcile,
    security_log,
    sitemap,
    targets,
    users,
)

COMMANDS: Final[tuple[click.Command, ...]] = (
    *(noun.group for noun in (users, api_keys, projects, sitemap, targets, executions, images, encryption)),
    *(reconcile.command, doctor.command, dependencies.command, security_log.command),
    *(backup.save, backup.restore, openapi.command),
)
