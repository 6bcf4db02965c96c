"""bin/demo: from a running service, or none at all, to a first draft over the sample site."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools import demo_site
from devtools.dev import web_answers
from devtools.local import ROOT
from devtools.postgres import free_port
from tests.support.processes import RunService, Service
from tests.support.waiting import PATIENCE, eventually

LOWEST, HIGHEST = 250, 600
"""Words that a page of the sample site may have."""


class Demo:
    """One run of bin/demo beside a service."""

    def __init__(self, service: Service, log: Path) -> None:
        self._log = log
        with log.open("wb") as output:
            command = [sys.executable, "-m", "devtools.demo"]
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=service.env, stdout=output, stderr=output, start_new_session=True
            )

    @property
    def output(self) -> str:
        return self._log.read_text()

    def says(self, text: str) -> None:
        """Wait until it has printed this."""
        eventually(lambda: text in self.output or self.process.poll() is not None, text)
        assert text in self.output, self.output

    def interrupt(self) -> int:
        """Press Ctrl-C and wait for the end; returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@pytest.fixture
def run_demo(tmp_path: Path) -> Iterator[Callable[[Service], Demo]]:
    runs: list[Demo] = []

    def run(service: Service) -> Demo:
        runs.append(Demo(service, tmp_path / f"demo-{len(runs)}.log"))
        return runs[-1]

    yield run
    for demo in runs:
        demo.process.kill()
        demo.process.wait()


def demo_places() -> dict[str, str]:
    port = free_port()
    return {"FETCH_ALLOW": f"127.0.0.1:{port}", "DEMO_PORT": str(port)}


def test_the_demo_prepares_a_project_with_a_post_beside_a_running_service(
    run_service: RunService, run_demo: Callable[[Service], Demo]
) -> None:
    service = run_service(**demo_places())
    demo = run_demo(service)
    demo.says("Stop: Ctrl-C")
    pages = len(demo_site.addresses())
    for text in (f"{service.url}/sign-in", "demo@example.com", f"/projects/1/pages ({pages})", "/posts/1 ("):
        assert text in demo.output
    assert demo.interrupt() == 0, demo.output
    assert not demo_site.is_served(int(service.env["DEMO_PORT"]))
    assert web_answers(service.url.removeprefix("http://")), "a service that it did not start stays"


@pytest.mark.journey
def test_the_demo_starts_the_service_and_can_be_run_again(
    make_service: Callable[[str, dict[str, str]], Service], run_demo: Callable[[Service], Demo]
) -> None:
    service = make_service("sqlite", demo_places())
    try:
        first = run_demo(service)
        first.says("Stop: Ctrl-C")
        second = run_demo(service)
        assert second.process.wait(PATIENCE) == 0, second.output
        assert links(second.output) == links(first.output), "nothing was made twice"
        assert first.interrupt() == 0, first.output
        assert not web_answers(service.url.removeprefix("http://"))
    finally:
        service.close()


def test_the_demo_refuses_production(run_service: RunService, run_demo: Callable[[Service], Demo]) -> None:
    service = run_service("web")
    service.env.update(
        APP_ENV="production", DATABASE_URL="postgresql://nowhere/x", REDIS_URL="redis://nowhere:1"
    )
    demo = run_demo(service)
    assert demo.process.wait(PATIENCE) == 1
    assert "bin/demo is for development" in demo.output


def test_the_demo_explains_what_to_do_if_its_site_may_not_be_fetched(
    run_service: RunService, run_demo: Callable[[Service], Demo]
) -> None:
    demo = run_demo(run_service("web", FETCH_ALLOW="127.0.0.1:1"))
    assert demo.process.wait(PATIENCE) == 1
    assert "Add 127.0.0.1:8765 to FETCH_ALLOW" in demo.output


def test_bin_demo_runs_the_demo() -> None:
    text = (ROOT / "bin/demo").read_text()
    assert os.access(ROOT / "bin/demo", os.X_OK)
    assert "run_in_venv requirements.txt devtools.demo" in text


def test_the_sample_sites_sitemap_uses_the_host_of_the_request() -> None:
    with demo_site.served(0) as port:
        base = f"http://127.0.0.1:{port}"
        listed = re.findall("<loc>(.*?)</loc>", fetch(f"{base}/sitemap.xml"))
        assert listed == [base + path for path in demo_site.addresses()]
        assert len(listed) == 15
        for address in listed:
            text = re.sub(r"<[^>]+>", " ", fetch(address).partition("<main>")[2].partition("</main>")[0])
            assert LOWEST <= len(text.split()) <= HIGHEST, address


def test_every_link_of_the_sample_site_leads_to_a_page() -> None:
    pages = set(demo_site.addresses())
    for file in demo_site.FOLDER.rglob("*.html"):
        targets = set(re.findall(r'<a [^>]*href="([^"]+)"', file.read_text()))
        assert targets <= pages, file.name


def links(output: str) -> list[str]:
    return re.findall(r"http://\S+", output)


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return str(answer.read().decode())
