"""Celery with the same Redis, results ignored, as its documentation sets it up."""

from __future__ import annotations

import os

from celery import Celery

from bench.peers import marks

PREFIX = "redis+socket://"
app = Celery("bench", broker=os.environ["REDIS_URL"].replace("unix://", PREFIX))
app.conf.task_ignore_result = True
mark = app.task(marks.mark, name="mark")
nothing = app.task(marks.nothing, name="nothing")
