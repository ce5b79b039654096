"""same.py PROGRAM: the book that the benchmark makes ends with the same hash, whatever has compiled it."""
import subprocess
import sys

END = "f65cffb09f0a0e3d6144b5ef71d57450b17e86f79c3e5f93af521bb345a973d6"

said = subprocess.run([sys.argv[1], "3000"], capture_output=True, text=True, check=True).stdout
assert f"end {END}\n" in said, said
