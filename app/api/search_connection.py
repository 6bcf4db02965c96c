"""Search performance: the state of a project's connection to Google Search Console."""

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.contract import success
from app.api.http.fields import Out, Time, nullable
from app.api.http.schemas import FailureOut, success_schema
from app.api.search import blueprint
from app.infra.inputs import shared
from app.projects.model import Project
from app.search_performance.google import connection


class SearchConnectionOut(Out):
    """A project's connection to Google Search Console. It is made in the dashboard."""

    site_url = fields.String(
        allow_none=True,
        metadata={
            "description": "The site in Search Console; null until it is chosen.",
            "example": "sc-domain:example.com",
        },
    )
    last_day = fields.Date(allow_none=True, metadata={"description": "The last day that was fetched."})
    fetched_at = Time(allow_none=True, metadata={"description": "When a fetch last succeeded."})
    next_fetch_at = Time(allow_none=True, metadata={"description": "null while it waits for a person."})
    failure = nullable(FailureOut)
    created_at = Time()


SearchConnectionAnswer = success_schema(
    "SearchConnectionAnswer",
    is_offered=fields.Boolean(metadata={"description": "Whether this service is registered with Google."}),
    search_connection=nullable(SearchConnectionOut),
)


@blueprint.operation("GET", "/search-connection", gives={200: SearchConnectionAnswer})
def get_search_connection(project: Project) -> ResponseReturnValue:
    """Read the connection to Google Search Console, null without one.

    The operation IMPORT_SEARCH_PERFORMANCE fetches now; without it a fetch is made once a day.
    """
    found = connection.connection_of(project.id)
    shown = shared(SearchConnectionOut).dump(found) if found else None
    return success({"is_offered": connection.is_offered(), "search_connection": shown})
