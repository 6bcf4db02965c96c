"""Tests of targets, step by step."""

from collections.abc import Callable, Iterator

from app.publishing.targets.base import CHECK_NAMES, Access, CheckStep, PublishProblem

Check = Callable[[Access], Iterator[CheckStep]]


def in_steps(check: Check) -> Check:
    """Return a test that ends with a problem as the failure of the step in which it was met."""

    def steps(access: Access) -> Iterator[CheckStep]:
        passed: list[str] = []
        try:
            for step in check(access):
                yield step
                passed.append(step.name)
        except PublishProblem as problem:
            reached = next((name for name in CHECK_NAMES if name not in passed), CHECK_NAMES[-1])
            yield CheckStep(reached, problem.failure.message, problem.failure)

    return steps
