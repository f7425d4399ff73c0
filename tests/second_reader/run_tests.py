#!/usr/bin/python3
"""Runs the tests of the second reader; ends with 77, skipped, where its one dependency is missing."""

import os
import sys
import unittest

EXIT_SKIPPED = 77


def main():
    try:
        import zstandard  # pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        print("skipped: the second reader needs Debian's python3-zstandard")
        return EXIT_SKIPPED
    suite = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
    result = unittest.TextTestRunner().run(suite)
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
