"""Fault points: named places at which a test can kill the process, to show that nothing is lost or doubled.

They do nothing unless FAULT_DIRECTORY is set, which production refuses.
"""

import os
import signal
from enum import StrEnum
from pathlib import Path

from app.infra.settings import current_settings


class Point(StrEnum):
    """A place where a process can be killed; docs/reliability.md explains what each one tests."""

    AFTER_INSERT_BEFORE_COMMIT = "after_insert_before_commit"
    AFTER_COMMIT_BEFORE_ENQUEUE = "after_commit_before_enqueue"
    AFTER_CLAIM = "after_claim"
    DURING_HEARTBEAT = "during_heartbeat"
    AFTER_ANSWER_BEFORE_EFFECT = "after_answer_before_effect"
    AFTER_EFFECT_BEFORE_COMMIT = "after_effect_before_commit"
    AFTER_COMMIT_BEFORE_ACKNOWLEDGEMENT = "after_commit_before_acknowledgement"
    REAPER_MID_BATCH = "reaper_mid_batch"
    DISPATCHER_BETWEEN_ENQUEUE_AND_MARK = "dispatcher_between_enqueue_and_mark"
    PUBLISH_BEFORE_CREATE = "publish_before_create"
    PUBLISH_AFTER_CREATE_BEFORE_ID = "publish_after_create_before_id"
    PUBLISH_AFTER_CREATE_BEFORE_LIVE = "publish_after_create_before_live"
    PUBLISH_AFTER_SEND_BEFORE_RECORD = "publish_after_send_before_record"
    UNPUBLISH_BEFORE_CALL = "unpublish_before_call"
    UNPUBLISH_AFTER_CALL_BEFORE_RECORD = "unpublish_after_call_before_record"
    SCHEDULE_AFTER_CLAIM_BEFORE_COMMIT = "schedule_after_claim_before_commit"
    ROLLBACK_AFTER_DELETE_BEFORE_COMMIT = "rollback_after_delete_before_commit"


def reach(point: Point) -> None:
    """Kill this process if FAULT_DIRECTORY contains a file with the point's name.

    The file is renamed to ``<point>.taken`` first, so that it kills only one process and the test sees when.
    """
    folder = current_settings().fault_directory
    if folder is None:
        return
    try:
        os.rename(Path(folder, point), Path(folder, f"{point}.taken"))
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)
