#!/usr/bin/env python3
"""Runs all tests: `run.py [PROGRAM]`, with the path of `pentarchy`. Ends with `N passed, N failed`."""

import os
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    if len(sys.argv) > 1:
        os.environ["PENTARCHY"] = sys.argv[1]
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    sys.dont_write_bytecode = True
    suite = unittest.defaultTestLoader.discover(str(HERE))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    failed = len({test.id() for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
