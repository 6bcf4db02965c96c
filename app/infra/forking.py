"""The database connections of a process that forks, and of its child."""

from app.infra.db import db, release


def prepare_fork() -> None:
    """Close SQLite's files before a fork: a child must not inherit them (sqlite.org/howtocorrupt).

    PostgreSQL's connections stay: the child calls ``forget_connections``, and the parent keeps using them.
    """
    release()
    if db.engine.dialect.name == "sqlite":
        db.engine.dispose()


def forget_connections() -> None:
    """Make a forked child open its own connections, without closing those of its parent."""
    db.engine.dispose(close=False)
