"""GET of a project by django-ninja and Django's ORM, served by granian as a WSGI application."""

from __future__ import annotations

import os
from urllib.parse import parse_qs, urlsplit

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

from bench.peers.project_answer import LIMIT, answer, count, digest_of

_url = urlsplit(os.environ["DATABASE_URL"])
settings.configure(
    ALLOWED_HOSTS=["*"],
    SECRET_KEY="bench",
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": _url.path.strip("/"),
            "USER": _url.username or "",
            "PASSWORD": _url.password or "",
            "HOST": _url.hostname or parse_qs(_url.query).get("host", [""])[0],
            "PORT": str(_url.port or parse_qs(_url.query).get("port", [""])[0]),
            "CONN_MAX_AGE": None,
            "CONN_HEALTH_CHECKS": True,
        }
    },
)
django.setup()

from django.db import models  # noqa: E402
from ninja import NinjaAPI  # noqa: E402


class Account(models.Model):
    """An account."""

    active = models.BooleanField()

    class Meta:
        app_label, db_table, managed = "peers", "accounts", False


class ApiKey(models.Model):
    """A key of an account."""

    account = models.ForeignKey(Account, models.CASCADE)
    digest = models.BinaryField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        app_label, db_table, managed = "peers", "api_keys", False


class Sync(models.Model):
    """A sync of a project's sitemap."""

    project_id = models.BigIntegerField()
    state = models.CharField(max_length=12)

    class Meta:
        app_label, db_table, managed = "peers", "sitemap_syncs", False


_TEXTS = (
    "name url sitemap_url language location type summary blog_theme key_features target_audience_summary"
    " pain_points product_usage founders links tone global_instructions llm_model llm_verify_model"
    " brand_color sync_status"
)
# The driver has decoded these columns: they are of the type json, Django's field expects jsonb.
_fields: dict[str, models.Field] = {
    **{name: models.TextField(null=True) for name in _TEXTS.split()},
    **{name: models.Field(null=True) for name in ("avoid", "call_to_action", "last_sync_error")},
    **{
        name: models.DateTimeField(null=True)
        for name in ("last_synced_at", "next_sync_at", "created_at", "updated_at")
    },
    **{name: models.BigIntegerField() for name in ("account_id", "page_count", "stale_page_count")},
    "list_sources": models.BooleanField(),
    "__module__": __name__,
    "Meta": type("Meta", (), {"app_label": "peers", "db_table": "projects", "managed": False}),
}
Project = type("Project", (models.Model,), _fields)

api = NinjaAPI()


@api.get("/projects/{project_id}")
def get_project(request: HttpRequest, project_id: int) -> HttpResponse:
    """Answer with a project of the key's account."""
    digest = digest_of(request.headers["X-API-Key"])
    key = ApiKey.objects.select_related("account").filter(digest=digest).first()
    if key is None or key.revoked_at is not None or not key.account.active:
        return HttpResponse(status=401)
    used = count(key.id)
    if used >= LIMIT:
        return HttpResponse(status=429)
    project = Project.objects.filter(id=project_id, account_id=key.account_id).first()
    if project is None:
        return HttpResponse(status=404)
    newest = (
        Sync.objects.filter(project_id=project_id).order_by("-id").values_list("state", flat=True).first()
    )
    body, headers = answer(project, newest == "quarantined", used)
    return HttpResponse(body, content_type="application/json", headers=headers)


urlpatterns = [path("public-api/", api.urls)]
app = get_wsgi_application()
