"""Dramatiq with the same Redis, as its documentation sets it up."""

from __future__ import annotations

import os

import dramatiq
from dramatiq.brokers.redis import RedisBroker

from bench.peers import marks

dramatiq.set_broker(RedisBroker(url=os.environ["REDIS_URL"]))
mark = dramatiq.actor(marks.mark)
nothing = dramatiq.actor(marks.nothing)
