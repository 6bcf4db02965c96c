"""The log of gunicorn's main process and of its own messages: that of the service, in the same form."""

from typing import Any

from gunicorn.glogging import Logger

from app.config import InvalidSettings, load_settings
from app.infra import logs


class ServerLog(Logger):  # type: ignore[misc]
    """Sends what gunicorn says to the log of the service. The Procfile names it."""

    def setup(self, cfg: Any) -> None:
        """Set up the log. With invalid settings it stays gunicorn's: the web processes print the problems."""
        super().setup(cfg)
        try:
            settings = load_settings()
        except InvalidSettings:
            return
        logs.set_up(settings.log_level, settings.log_format)
        self.error_log.handlers.clear()
        self.error_log.propagate = True
