#!/usr/bin/env python3
"""Runs the compatibility cases that others wrote (resp-compatibility), tiers 1 and 2, against a server of its own.

    run_cts.py BINARY FOLDER        FOLDER holds scripts/run-cts and its data; it is copied to build/suites first
"""
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from fencepost import Fencepost  # noqa: E402


def main():
    binary, folder = sys.argv[1], ROOT / "build" / "suites"
    shutil.copytree(sys.argv[2], folder, dirs_exist_ok=True)
    with Fencepost(binary) as server:
        done = subprocess.run([sys.executable, folder / "scripts" / "run-cts", "127.0.0.1", str(server.port), "--tier",
                               "2", "--fails"], stdin=subprocess.DEVNULL, timeout=900)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
