"""Keywords from files and as a file: choose one, look at the dry run, import; export."""

from __future__ import annotations

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.forms.upload import allow_files, choice_of_file, chosen_columns, pickers
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.presentation import counted
from app.dashboard.ui.responses import send_csv
from app.dashboard.ui.toasts import say
from app.failures import invalid_field
from app.keywords import files
from app.keywords.files import PURPOSE, ROLES
from app.projects.model import Project
from app.spreadsheets.model import UploadedFile
from app.spreadsheets.service import get_upload, read
from app.spreadsheets.tables import MOST_BYTES, Table

blueprint = dashboard_blueprint("keyword_files", "/projects/<row:project_id>/keywords")
blueprint.url_value_preprocessor(allow_files(MOST_BYTES, "keyword_files.choose"))


@blueprint.route("/import", methods=["GET", "POST"])
def choose(project: Project) -> ResponseReturnValue:
    """Choose a file and keep it for its dry run."""
    return choice_of_file(project, PURPOSE, "keywords/choose.html", "keyword_files.preview")


@blueprint.get("/import/<row:upload_id>")
def preview(project: Project, upload_id: int) -> ResponseReturnValue:
    """Show what importing the file would do, with the columns as chosen."""
    uploaded = get_upload(project, PURPOSE, upload_id)
    table, columns = _chosen(uploaded)
    checked = files.check_table(project, table, columns, uploaded.name) if "keyword" in columns else None
    return render_template(
        "keywords/import.html",
        uploaded=uploaded,
        table=table,
        pickers=pickers(ROLES, columns, "keyword"),
        checked=checked,
    )


@blueprint.post("/import/<row:upload_id>")
def commit(project: Project, upload_id: int) -> ResponseReturnValue:
    """Import the file."""
    uploaded = get_upload(project, PURPOSE, upload_id)
    table, columns = _chosen(uploaded)
    if "keyword" not in columns:
        raise invalid_field("/keyword", "Choose the column with the keywords.")
    added = files.import_table(project, table, columns, uploaded)
    say(f"{counted(added, 'keyword')} imported.")
    return redirect(url_for("keywords.index", project_id=project.id))


@blueprint.get("/export.csv")
def export(project: Project) -> ResponseReturnValue:
    """Send the keywords as a CSV file."""
    return send_csv(files.export_lines(project), f"keywords-{project.id}")


def _chosen(uploaded: UploadedFile) -> tuple[Table, dict[str, int]]:
    table = read(uploaded.name, uploaded.data)[0]
    return table, chosen_columns(request.values, ROLES, len(table.header), files.guessed(table))
