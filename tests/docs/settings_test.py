#!/usr/bin/env python3
"""The table of settings in docs/operating.md is what the server has: each name, its default, whether it can be set.

    settings_test.py BINARY
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from fencepost import Fencepost  # noqa: E402

ROW = re.compile(r"^\| `([a-z-]+)` \| (.*?) ?\| (yes|no) \|", re.MULTILINE)
GIVEN_BY_THE_TEST = {"port", "bind"}
# What they are may be said again, and nothing else.
MAY_BE_REPEATED = {"appendonly"}


def ask(port, *words):
    done = subprocess.run(["redis-cli", "-p", str(port), *words], capture_output=True, text=True, timeout=20)
    return done.stdout.split("\n")[:-1]


def faults(port, folder, rows):
    for name, default, settable in rows:
        if name == "dir":    # told as Redis tells it: where that is
            default = str(Path(folder) / default)
        answer = ask(port, "CONFIG", "GET", name)
        if answer[0] != name:
            yield f"{name}: there is no such setting"
            continue
        if name not in GIVEN_BY_THE_TEST and answer[1] != default:
            yield f"{name}: the default is {answer[1]!r}, the document says {default!r}"
        accepted = ask(port, "CONFIG", "SET", name, answer[1]) == ["OK"]
        if name not in GIVEN_BY_THE_TEST | MAY_BE_REPEATED and accepted != (settable == "yes"):
            yield f"{name}: CONFIG SET is {'accepted' if accepted else 'refused'}, the document says otherwise"


def main():
    rows = ROW.findall((ROOT / "docs/operating.md").read_text())
    with Fencepost(sys.argv[1]) as server:
        found = list(faults(server.port, server.folder.name, rows))
        # What is about locks is all there.
        known = set(ask(server.port, "CONFIG", "GET", "lock-*")[::2]) | set(ask(server.port, "CONFIG", "GET", "fence-*")[::2])
        found += [f"{name}: is missing in the document" for name in known - {row[0] for row in rows}]
    for fault in found:
        print(fault)
    if found or len(rows) < 20:
        return 1
    print(f"{len(rows)} settings are as documented")
    return 0


if __name__ == "__main__":
    sys.exit(main())
