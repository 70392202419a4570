#!/usr/bin/env python3
"""Verifies the signed record of a table: `verify.py FILE [TRACE]`."""

import sys

from pentarchy_verifier.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
