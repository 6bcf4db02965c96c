"""Projects: list, create, show, edit and remove them."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectField, StringField, TextAreaField
from wtforms.validators import InputRequired, ValidationError

from app.dashboard.auth import signed_in
from app.dashboard.forms.base import (
    AddressField,
    LinesField,
    PageForm,
    form_page,
    is_done,
    submitted,
    with_scheme,
)
from app.dashboard.overview import activity_of, overview_of
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.first_visit import steps_before_a_site
from app.dashboard.ui.query import PAGE_SIZE, Pager, query_id, query_page
from app.dashboard.ui.responses import render_part
from app.dashboard.ui.toasts import say
from app.overview.project_removal import losses_of, reason_to_keep, reason_to_wait, remove_project
from app.pages.sample_site import is_sample
from app.pages.sync.quarantine import open_quarantines
from app.projects import service
from app.projects.inputs import TONES
from app.projects.model import Project

blueprint = dashboard_blueprint("projects")

MOST_NAMED: Final = 100


class BriefForm(PageForm):
    places: ClassVar[Mapping[str, str]] = {
        "call_to_action/text": "closing_text",
        "call_to_action/url": "closing_url",
        "call_to_action": "closing_text",
    }

    name = StringField("Name", [InputRequired("A project needs a name.")])
    sitemap_url = AddressField(
        "Sitemap",
        description="The list of your pages that search engines use. Left empty, no sitemap is read.",
    )
    language = StringField("Language", description="Such as en or de-AT.")
    location = StringField("Location")
    type = StringField("Kind of business", description="Such as web shop, agency or SaaS.")
    tone = SelectField(
        "Tone of posts",
        choices=[("", "No preference"), *((t, t.capitalize()) for t in TONES)],
        validate_choice=False,
    )
    brand_color = StringField(
        "Brand colour", description="Colours generated cover images, such as #0b6b57. Left empty, we choose."
    )
    list_sources = SelectField(
        "Sources of a post",
        choices=[("False", "Beside each sentence, in the dashboard"), ("True", "In a list at the end, too")],
        validate_choice=False,
    )
    summary = TextAreaField("What is it about?")
    blog_theme = TextAreaField("What does the blog write about?")
    target_audience_summary = TextAreaField("Who reads it?")
    key_features = TextAreaField("Key features")
    pain_points = TextAreaField("Problems it solves")
    product_usage = TextAreaField("How it is used")
    founders = TextAreaField("Founders")
    links = TextAreaField("Links worth mentioning")
    global_instructions = TextAreaField(
        "Instructions", description="What the writer should know each time. Excerpts cannot follow them."
    )
    avoid = LinesField(
        "Words to avoid", description="One word or phrase per line, up to 30.", render_kw={"rows": 3}
    )
    closing_text = StringField("Closing line", description="An invitation, such as “Try it for 14 days”.")
    closing_url = StringField(
        "Address of the closing line",
        description="Where it leads.",
        render_kw={"inputmode": "url", "placeholder": "https://…"},
    )
    llm_model = StringField("Model that writes", description="Such as gpt-5-mini.")
    llm_verify_model = StringField("Model that verifies", description="It may be a smaller one.")

    def changes(self) -> dict[str, Any]:
        typed = self.typed()
        closing = {"text": typed.pop("closing_text"), "url": typed.pop("closing_url")}
        typed["list_sources"] = typed["list_sources"] == "True"
        return {**typed, "call_to_action": closing if any(closing.values()) else None}


class NewProjectForm(PageForm):
    url = AddressField(
        "Website address",
        [InputRequired("Enter the website's address.")],
        render_kw={"placeholder": "https://example.com", "autocomplete": "url", "class": "big"},
    )
    name = StringField("Name", description="What this site is called here. Its host if left empty.")
    sitemap_url = AddressField(
        "Sitemap",
        description="The list of your pages that search engines use. Left empty, it is looked for in"
        " robots.txt and at the usual places.",
    )

    def validate_url(self, field: AddressField) -> None:
        typed = field.data or ""
        host = typed.partition("://")[2].partition("/")[0]
        if " " in typed or not ("." in host or host.startswith("[")):
            raise ValidationError("Enter the address as your browser shows it, such as example.com.")


class RemovalForm(PageForm):
    """The name of the site, typed by somebody who has read what is lost."""

    name = StringField("Name of the site", render_kw={"autocomplete": "off"})

    def __init__(self, project: Project) -> None:
        super().__init__(request.form)
        self._expected = project.name

    def validate_name(self, field: StringField) -> None:
        if (field.data or "").strip().casefold() != self._expected.strip().casefold():
            raise ValidationError(f"Type the name as it is here: {self._expected}")


def project_names() -> dict[int, str]:
    """Return the names of the account's projects by their ids."""
    projects, _ = service.list_projects(signed_in().id, 1, MOST_NAMED)
    return {project.id: project.name for project in projects}


@blueprint.get("/projects")
def index() -> ResponseReturnValue:
    page = query_page()
    rows, total = service.list_projects(signed_in().id, page, PAGE_SIZE)
    return render_template(
        "projects/index.html",
        projects=rows,
        quarantines=open_quarantines(row.id for row in rows),
        pager=Pager(page, total),
    )


@blueprint.route("/projects/new", methods=["GET", "POST"])
def new() -> ResponseReturnValue:
    form = NewProjectForm(request.form, url=with_scheme(request.args.get("site", "")))
    project = submitted(form, lambda: service.create_project(signed_in(), form.typed()))
    if project is not None:
        return redirect(url_for("onboarding.show", project_id=project.id))
    is_first = service.count_projects(signed_in().id) == 0
    return form_page("projects/new.html", form, is_first=is_first, steps=steps_before_a_site())


@blueprint.get("/projects/<row:project_id>")
def overview(project: Project) -> ResponseReturnValue:
    """Show what needs a hand, how the project goes, what happened and what comes."""
    return render_template("projects/overview.html", **overview_of(project, activity_of(project)))


@blueprint.post("/projects/<row:project_id>/remove")
def remove(project: Project) -> ResponseReturnValue:
    """Remove the sample site, or a site of which nothing is known yet, or say why it stays.

    The address of the latter waits in the form of a new site, to be corrected.
    """
    url, was_sample = project.url, is_sample(project)
    reason = reason_to_keep(project, signed_in())
    if reason is not None:
        say(reason)
        return redirect(url_for("projects.overview", project_id=project.id))
    remove_project(project)
    say("The sample site is removed." if was_sample else "The site is removed.")
    return redirect(url_for("projects.index") if was_sample else url_for("projects.new", site=url))


@blueprint.route("/projects/<row:project_id>/delete", methods=["GET", "POST"])
def delete(project: Project) -> ResponseReturnValue:
    """Say what is lost with a site, and remove it once its name is typed."""
    form, name = RemovalForm(project), project.name
    reason = reason_to_wait(project, signed_in())
    if reason is None and is_done(form, lambda: remove_project(project)):
        say(f"“{name}” is removed.")
        return redirect(url_for("projects.index"))
    page = render_template("projects/remove.html", form=form, reason=reason, losses=losses_of(project))
    return page, 409 if reason and request.method == "POST" else form.status


@blueprint.get("/projects/<row:project_id>/live")
def live(project: Project) -> ResponseReturnValue:
    """Return the parts of the overview that change; 204 while nothing has happened."""
    activity = activity_of(project)
    if activity.is_active and activity.since <= (query_id("since") or 0):
        return "", 204
    return render_part("projects/_overview.html", **overview_of(project, activity))


@blueprint.route("/projects/<row:project_id>/edit", methods=["GET", "POST"])
def edit(project: Project) -> ResponseReturnValue:
    closing = project.call_to_action or {}
    shown = {"closing_text": closing.get("text"), "closing_url": closing.get("url")}
    form = BriefForm(request.form, obj=project, data=shown)
    if is_done(form, lambda: service.update_project(project, form.changes())):
        say("Saved.")
        return redirect(url_for("projects.edit", project_id=project.id))
    return form_page("projects/edit.html", form)
