"""What bin/mutants makes of mutmut's results."""

from __future__ import annotations

from devtools.mutants import parse_results, share_killed, summary

OUTPUT = """\
    app.accounts.keys.x_revoke_key__mutmut_5: survived
    app.accounts.keys.x_revoke_key__mutmut_6: killed
    app.executions.job_run.xǁJobRunǁremaining__mutmut_1: timeout
    app.executions.job_run.xǁJobRunǁremaining__mutmut_2: no tests
    app.executions.states.x_may_move__mutmut_1: not checked
"""


def test_the_result_of_each_mutant_is_read_by_its_name() -> None:
    assert parse_results(OUTPUT)["app.executions.job_run.xǁJobRunǁremaining__mutmut_1"] == "timeout"
    assert len(parse_results(OUTPUT)) == 4


def test_a_mutant_that_hangs_is_killed_and_one_without_tests_is_not() -> None:
    assert share_killed(parse_results(OUTPUT)) == 0.5


def test_the_summary_counts_by_module() -> None:
    lines = [line.split() for line in summary(parse_results(OUTPUT)).splitlines()]
    assert lines[0] == ["app.accounts.keys", "1", "of", "2"]
    assert lines[1] == ["app.executions.job_run", "1", "of", "2"]
    assert lines[2] == ["killed", "2", "of", "4", "(50%)"]
