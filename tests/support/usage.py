"""How a program of the tests says that it was not understood: with 64, as every other.

Python's argparse has 2.
"""

import argparse
import os
import sys


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(os.EX_USAGE, f"{self.prog}: {message}\n")
