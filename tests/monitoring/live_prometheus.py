"""A real Prometheus that scrapes a service each second, with the alerts of docs/monitoring."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path

from devtools import tied
from devtools.local import ROOT
from devtools.postgres import free_port
from tests.support.waiting import eventually

_CONFIGURATION = """\
global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}
rule_files: [alerts.yml]
scrape_configs:
  - job_name: seo
    authorization: {{credentials: "{token}"}}
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


class Prometheus:
    """The server. Alerts are raised at once: for how long their causes have to last is left out."""

    def __init__(self, program: str, folder: Path, port: int, token: str) -> None:
        rules = (ROOT / "docs" / "monitoring" / "alerts.yml").read_text()
        (folder / "alerts.yml").write_text(re.sub(r"for: \w+", "for: 0s", rules))
        configuration = folder / "prometheus.yml"
        configuration.write_text(_CONFIGURATION.format(token=token, port=port))
        self._url = f"http://127.0.0.1:{(own := free_port())}/api/v1/"
        words = [
            program, f"--config.file={configuration}", f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{own}", "--log.level=error",
        ]  # fmt: skip
        with (folder / "prometheus.log").open("wb") as log:
            self._server = tied.start(words, output=log)

    def wait_for(self, *alerts: str) -> set[str]:
        """Wait until these alerts are firing, at the same time; returns them."""
        eventually(lambda: self._firing() >= set(alerts), f"{alerts} are raised", pause=0.5)
        return set(alerts)

    def close(self) -> None:
        tied.stop(self._server)

    def _firing(self) -> set[str]:
        try:
            found = self._asked("alerts")["alerts"]
        except OSError:
            return set()
        return {each["labels"]["alertname"] for each in found if each["state"] == "firing"}

    def _asked(self, what: str) -> dict[str, list[dict[str, dict[str, str] | str]]]:
        with urllib.request.urlopen(self._url + what, timeout=5) as answer:
            data: dict[str, list[dict[str, dict[str, str] | str]]] = json.load(answer)["data"]
            return data
