#!/usr/bin/python3
"""The runner of command line cases accepts what is right and notices each thing that is wrong."""
import argparse
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run  # noqa: E402


class RunnerTest(unittest.TestCase):
    right = {"cmd": "echo out; echo bad 12 >&2; touch b a; exit 3\n", "exit": "3\n",
             "stdout": "out\n", "stderr": "~ bad [0-9]+\n", "files": "a\nb\n"}

    def problem(self, **changes):
        with tempfile.TemporaryDirectory() as case:
            for name, text in dict(self.right, **changes).items():
                if text is not None:
                    with open(os.path.join(case, name), "w", encoding="utf-8") as file:
                        file.write(text)
            arguments = argparse.Namespace(program="/bin/true", golden="/", accept=False)
            return run.run_case(arguments, case)

    def test_what_is_right_passes(self):
        self.assertEqual(self.problem(), "")

    def test_each_difference_is_told(self):
        for name, wrong in (("exit", "0\n"), ("exit", None), ("stdout", "out"), ("stdout", "ou\n"),
                            ("stdout", None), ("stderr", "~ bad [0-9]\n"), ("stderr", None),
                            ("files", "a\n"), ("files", None), ("files", "a\nb\nc\n"),
                            ("stdout", "out\nmore\n"), ("stdout", "~ o\n")):
            self.assertIn(name, self.problem(**{name: wrong}), (name, wrong))

    def test_a_case_is_skipped_when_its_condition_holds(self):
        self.assertIsNone(self.problem(skip="true"))
        self.assertEqual(self.problem(skip="false"), "")

    def test_bytes_that_are_not_text_are_compared(self):
        self.assertEqual(self.problem(cmd="printf '\\303\\251'\n", exit="0\n", stdout="\u00e9",
                                      stderr=None, files=None), "")
        self.assertIn("stdout", self.problem(cmd="printf '\\351'\n", exit="0\n", stdout="\u00e9",
                                             stderr=None, files=None))


if __name__ == "__main__":
    unittest.main()
