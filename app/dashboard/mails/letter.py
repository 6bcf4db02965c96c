"""What a mail says, and how that becomes a letter with a plain and an HTML part."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from flask import render_template, url_for

from app.dashboard.mails.words import in_zone
from app.infra.mail import Letter
from app.infra.settings import current_settings


@dataclass(frozen=True)
class Content:
    """What a letter says: its subject, the name of its templates, what they show, and when it happened."""

    subject: str
    template: str
    members: Mapping[str, Any] = field(default_factory=dict)
    at: datetime | None = None


def letter_of(
    to: str, content: Content, footer: str, *, off_url: str | None = None, time_zone: str | None = None
) -> Letter:
    """Return the letter. ``off_url`` turns mails of its kind off, if there is such a choice."""
    members = {
        "subject": content.subject,
        "footer": footer,
        "off_url": off_url,
        "settings_url": url_for("profile.index", _anchor="mails", _external=True),
        "at": in_zone(content.at, time_zone) if content.at else "",
        "home_url": current_settings().public_url,
        **content.members,
    }
    text = render_template(f"mails/{content.template}.txt", **members)
    html = render_template(f"mails/{content.template}.html", **members)
    return Letter(to, content.subject, text, html, off_url)
