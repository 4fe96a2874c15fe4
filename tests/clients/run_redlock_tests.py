#!/usr/bin/env python3
"""Runs the tests that the npm package redlock@4.2.0 ships, as they are, against a server of its own.

    run_redlock_tests.py [--server BINARY]

They go through node-redis 3, node-redis 3 with numbers as strings, ioredis 4, and three databases as three servers.
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from workshop import ROOT, prepared, server

NPM = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
MOCHA = ("node", "node_modules/mocha/bin/mocha", "--exit", "--reporter", "spec", "--require", "./redirect.js",
         "node_modules/redlock/test.js")


def counted(printed, word):
    """The number in mocha's closing line `N passing` or `N failing`; there is none when it is 0."""
    line = re.search(rf"^ +(\d+) {word}\b", printed, re.MULTILINE)
    return int(line[1]) if line else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=str(ROOT / "build/release/fencepost"))
    binary = parser.parse_args().server
    folder = prepared(Path(__file__).with_name("redlock"), NPM)
    with server(binary) as started:
        done = subprocess.run(MOCHA, cwd=folder, env={**os.environ, "REDLOCK_PORT": str(started.port)}, timeout=600,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    passed, failed = counted(done.stdout, "passing"), counted(done.stdout, "failing")
    if passed + failed == 0 or (failed == 0) != (done.returncode == 0):
        raise RuntimeError(f"mocha ended with status {done.returncode}, which it does not explain:\n{done.stdout}")
    print(done.stdout if failed else f"redlock's own tests against {Path(binary).name}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
