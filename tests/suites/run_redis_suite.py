#!/usr/bin/env python3
"""Runs Redis's own Tcl units, tiers 1 and 2, against a server of its own: those that fail are those that
redis-compat.md names, no more and no fewer. The units acl and acl-v2 are set aside.

    run_redis_suite.py BINARY FOLDER [--flag value ...]     FOLDER holds scripts/run-redis-suite, and in
                                                            src/redis-7.0.15 a checkout of Redis at tag 7.0.15
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from fencepost import Fencepost  # noqa: E402

SET_ASIDE = {"acl", "acl-v2"}
ROW = re.compile(r"^\| `unit/([a-z0-9/-]+)` \| (.+?) \| ", re.MULTILINE)


def run(binary, folder, flags):
    """What each wanted test came to: {(unit, name): status}; a test that runs twice must pass twice."""
    with tempfile.TemporaryDirectory() as scratch:
        with Fencepost(binary, "--dir", scratch, "--enable-debug-command", "yes", "--enable-protected-configs", "yes",
                       "--save", "", *flags) as server:
            subprocess.run([sys.executable, Path(folder) / "scripts" / "run-redis-suite", "127.0.0.1",
                            str(server.port), "--tier", "2", "--json", f"{scratch}/results.json"],
                           stdin=subprocess.DEVNULL, timeout=3600, check=False)
        tests = json.loads(Path(scratch, "results.json").read_text())
    results = {}
    for test in tests:
        key = test["unit"].removeprefix("unit/"), test["test"]
        if key[0] not in SET_ASIDE and results.get(key, "OK") == "OK":
            results[key] = test["status"]
    return results


def main():
    results = run(sys.argv[1], sys.argv[2], sys.argv[3:])
    failed = {key for key, status in results.items() if status != "OK"}
    named = set(ROW.findall((ROOT / "redis-compat.md").read_text()))
    for unit, name in sorted(failed - named):
        print(f"fails, and redis-compat.md does not say so: {unit}: {name} ({results[unit, name]})")
    for unit, name in sorted(named - failed):
        print(f"redis-compat.md says that it fails, and it does not: {unit}: {name}")
    print(f"{len(results) - len(failed)} passed, {len(failed - named)} failed, {len(failed & named)} named")
    return 0 if results and failed == named else 1


if __name__ == "__main__":
    sys.exit(main())
