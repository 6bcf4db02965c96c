"""GET of a project by FastAPI and SQLAlchemy's ORM: ``uvicorn bench.peers.fastapi_app:app``."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import FastAPI, Header, HTTPException, Response
from sqlalchemy import create_engine, select
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.orm import Session

from bench.peers.project_answer import LIMIT, answer, count, digest_of

_engine = create_engine(os.environ["DATABASE_URL"], pool_size=10, pool_pre_ping=True)
_base = automap_base()
_base.prepare(autoload_with=_engine, generate_relationship=lambda *_, **__: None)
_Key, _Account = _base.classes.api_keys, _base.classes.accounts
_Project, _Sync = _base.classes.projects, _base.classes.sitemap_syncs

app = FastAPI()


@app.get("/public-api/projects/{project_id}")
def get_project(project_id: int, x_api_key: Annotated[str, Header()]) -> Response:
    """Answer with a project of the key's account."""
    with Session(_engine) as session:
        found = session.execute(
            select(_Key, _Account)
            .join(_Account, _Account.id == _Key.account_id)
            .where(_Key.digest == digest_of(x_api_key))
        ).one_or_none()
        if found is None or found[0].revoked_at is not None or not found[1].active:
            raise HTTPException(401)
        used = count(found[0].id)
        if used >= LIMIT:
            raise HTTPException(429)
        project = session.get(_Project, project_id)
        if project is None or project.account_id != found[1].id:
            raise HTTPException(404)
        newest = select(_Sync.state).where(_Sync.project_id == project_id).order_by(_Sync.id.desc()).limit(1)
        body, headers = answer(project, session.scalar(newest) == "quarantined", used)
    return Response(body, media_type="application/json", headers=headers)
