#!/usr/bin/env python3
"""Runs all tests with pytest. Ends with `N passed, N failed`. Arguments go to pytest."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


class Count:
    """Counts the results of tests; an error in a fixture or at import counts as a failed test."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.passed += report.when == "call" and report.passed
        self.failed += report.failed

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.failed += report.failed


def main() -> int:
    count = Count()
    here = Path(__file__).resolve().parent
    code = pytest.main(["-q", "--no-header", "-p", "no:cacheprovider", str(here), *sys.argv[1:]], plugins=[count])
    failed = count.failed or int(code != 0)
    print(f"{count.passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
