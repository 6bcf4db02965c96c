"""One run: a service of its own, customers who keep it busy, faults, quiet, judgement."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.accounts.keys import create_key
from app.accounts.service import sign_up
from app.config import load_settings
from app.factory import create_app
from app.infra.db import db
from app.pages.service import add_page
from app.projects.model import Project
from app.publishing.service import add_target
from tests.chaos import evidence
from tests.chaos.blogs import Blogs
from tests.chaos.customers import Customer, Ledger
from tests.chaos.editor import Editor
from tests.chaos.faults import Faults
from tests.chaos.free_time import FreeTimeWatch
from tests.chaos.receiver import Receiver
from tests.chaos.report import Report
from tests.chaos.system import DATABASES, System
from tests.support.publishing import TEXT
from tests.support.servers import SiteServer

PASSWORD = "correct horse battery"
PAGES = ("notes", "beds", "soil", "water")
KINDS = ("webhook", "wordpress", "ghost")
"""The kinds of the customers' targets, in turn."""
OVERTIME = 0.6
"""How much longer a run goes on while some fault has never hit."""
PATIENCE = 90.0
"""Seconds that everything may take to end once nothing is broken any more, a lease aside."""
QUIET_POSTS = 8


@dataclass(frozen=True)
class Plan:
    """What to run. ``pause`` is the time between two faults; all times are seconds."""

    seconds: float
    seed: int = 1
    database: str = "postgresql"
    lease: int = 3
    customers: int = 4
    pace: float = 0.5
    pause: tuple[float, float] = (0.5, 3.0)

    def __str__(self) -> str:
        return f"{self.seconds:.0f} s on {self.database}, seed {self.seed}, lease {self.lease} s"


def run(plan: Plan, folder: Path) -> Report:
    """Run a plan, keeping logs in ``folder``. Raises what a customer met that no customer should."""
    with ready(plan, folder) as (system, site, blogs, app_rng):
        receiver, ledger = Receiver(site, random.Random(f"{plan.seed} receiver")), Ledger()
        app = create_app(load_settings(system.settings()))
        with app.app_context():
            customers = [
                move_in(number, system, site, blogs, receiver, ledger, plan)
                for number in range(plan.customers)
            ]
            faults = Faults(system, app_rng, plan.pause, plan.lease + 1)
            queue, free = evidence.QueueWatch(system.redis.url), FreeTimeWatch(system, faults)
            work(plan, customers, faults, (queue, free))
            blogs.behave()
            evidence.hurry_deletions()
            healed = time.monotonic()
            drained = drain(faults, customers, plan, free) - healed
            quiet = [customers[0].seconds_for_a_post(PATIENCE) for _ in range(QUIET_POSTS)]
            found = evidence.collect(ledger, receiver, blogs, queue.enqueued)
            db.engine.dispose()
    for customer in customers:
        if customer.error is not None:
            raise customer.error
    return Report(
        str(plan), plan.lease, found, faults.hits, faults.kinds, faults.stops, drained, quiet, free.looks
    )


@contextmanager
def ready(plan: Plan, folder: Path) -> Iterator[tuple[System, SiteServer, Blogs, random.Random]]:
    """The service running, with a site for its webhooks, and blogs."""
    rng = random.Random(f"{plan.seed} faults")
    site, database = SiteServer(), DATABASES[plan.database](folder)
    system, blogs = None, Blogs(random.Random(f"{plan.seed} blogs"))
    try:
        overrides = {
            "FETCH_ALLOW": ",".join([site.address, *blogs.addresses]),
            "LEASE_SECONDS": str(plan.lease), "WEB_CONCURRENCY": "2",
            "HEARTBEAT_SECONDS": str(max(1, plan.lease // 3)), "REQUESTS_PER_MINUTE": "1000000",
            "LOG_LEVEL": "INFO",
        }  # fmt: skip
        system = System(folder, database, random.Random(f"{plan.seed} pauses"), overrides)
        system.open()
        yield system, site, blogs, rng
    finally:
        if system is not None:
            system.close()
        database.close()
        blogs.close()
        site.close()


def move_in(
    number: int,
    system: System,
    site: SiteServer,
    blogs: Blogs,
    receiver: Receiver,
    ledger: Ledger,
    plan: Plan,
) -> Customer:
    """A customer with a small site that needs no reading, and a target."""
    account = sign_up(f"customer{number}@example.com", PASSWORD)
    url = f"https://garden{number}.example/"
    project = Project(account_id=account.id, name=f"Garden {number}", url=url)
    db.session.add(project)
    db.session.commit()
    for page, heading in itertools.product(PAGES, ("spring", "autumn")):
        content = f"# Garden {page} in {heading}\n\n{TEXT}"
        add_page(project, {"url": f"{url}{page}-{heading}", "content": content})
    kind = KINDS[number % len(KINDS)]
    if kind == "webhook":
        _, secret = add_target(project, kind, "Blog", {"url": f"{site.url}/hook{number}"})
        receiver.open(f"/hook{number}", secret or "")
    else:
        add_target(project, kind, "Blog", *blogs.target(kind))
    _, key = create_key(account, "chaos")
    rng = random.Random(f"{plan.seed} customer {number}")
    editor = Editor(system.url, account.email, PASSWORD)
    customer = Customer(system.url, project.id, key, editor, ledger, rng, plan.pace, kind != "webhook")
    db.session.remove()
    return customer


def work(
    plan: Plan,
    customers: list[Customer],
    faults: Faults,
    watches: Sequence[evidence.QueueWatch | FreeTimeWatch],
) -> None:
    """Let customers and faults at the service until the time is over and every fault has hit, or nearly."""
    for customer in customers:
        customer.start()
    ends = time.monotonic() + plan.seconds
    latest = ends + OVERTIME * plan.seconds
    while (now := time.monotonic()) < ends or (faults.missing() and now < latest):
        faults.tick()
        for watch in watches:
            watch.look()
        time.sleep(0.02)
    faults.end()
    for customer in customers:
        customer.stop()


def drain(faults: Faults, customers: list[Customer], plan: Plan, free: FreeTimeWatch) -> float:
    """Keep the service running until everything has ended, or for too long; returns when that was."""
    db.engine.dispose()
    deadline = time.monotonic() + PATIENCE + plan.lease
    while time.monotonic() < deadline:
        asking = any(customer.is_alive() for customer in customers)
        if not asking and faults.mended() and evidence.open_ends() == 0:
            break
        faults.tick(inject=False)
        free.look()
        time.sleep(0.1)
    return time.monotonic()
