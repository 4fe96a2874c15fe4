#!/usr/bin/env python3
"""Runs real clients, queues and lock libraries, unmodified, against a server of its own.

    run_clients.py FOLDER [--server BINARY] [--only REGEX] [--table FILE] [--jobs N]

FOLDER holds `setup`, `clients.tsv` and `run-all`; it is copied to build/clients/ and set up there. What counts is a
behaviour, a PASS or FAIL line of a client; a client that ends badly without naming one counts as one that failed.
`--server redis-server` is the control: there every behaviour must pass.
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from workshop import ROOT, prepared, server

ROW = re.compile(r"^(?P<client>\S+) +(?P<source>\S+) +(?P<good>\d+) +(?P<bad>\d+) +[\d.]+  (?P<verdict>ok|FAILED.*)$")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--server", default=str(ROOT / "build/release/fencepost"))
    parser.add_argument("--only", default="")
    parser.add_argument("--table", help="another table than clients.tsv, where the folder has one")
    parser.add_argument("--jobs", default="2")
    return parser.parse_args()


def counted(table):
    """(behaviours passed, behaviours failed, clients) of run-all's table."""
    rows = [row for row in map(ROW.match, table.splitlines()) if row]
    failed = sum(int(row["bad"]) or int(row["verdict"] != "ok") for row in rows)
    return sum(int(row["good"]) for row in rows), failed, len(rows)


def environment():
    """@upstash/lock wants the Web Crypto API, which Debian's Node 18 has behind a flag and newer ones have without."""
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    options = {"NODE_OPTIONS": "--experimental-global-webcrypto"} if version.startswith("v18.") else {}
    return {**os.environ, **options}


def run_all(folder, port, options):
    table = ["--table", options.table] if options.table else []
    return subprocess.run([folder / "run-all", "127.0.0.1", str(port), "-j", options.jobs, "--only", options.only,
                           "--log", folder / "log", *table], env=environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True, timeout=1500)


def main():
    options = arguments()
    folder = prepared(options.folder.resolve())
    with server(options.server) as started:
        done = run_all(folder, started.port, options)
    passed, failed, clients = counted(done.stdout)
    if clients == 0 or (failed == 0) != (done.returncode == 0):
        raise RuntimeError(f"run-all ended with status {done.returncode}, which its table does not say:\n{done.stdout}")
    print(f"{done.stdout}{clients} clients against {Path(options.server).name}; what each said: {folder / 'log'}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
