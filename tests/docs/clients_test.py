#!/usr/bin/env python3
"""What redis-compat.md says was run is what tests/clients/ runs: every client that has a row, every pinned version."""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MORE = ROOT / "tests" / "clients" / "more"
# Names in clients.tsv that the document spells in another way.
SPELT = {"simple-redis-mutex1": "simple-redis-mutex", "redlock3": "redlock", "aioredis1": "aioredis",
         "predis": "Predis", "symfony-lock/predis": "symfony/lock", "perl-Redis-Fast": "Redis::Fast (Perl)",
         "laravel-cache-lock/predis": "Laravel cache locks (illuminate/cache)", "eredis": "eredis (Erlang)"}


def pinned():
    """{(package, version)} of package.json; an alias counts as what it stands for."""
    dependencies = json.loads((MORE / "package.json").read_text())["dependencies"]
    for name, version in dependencies.items():
        alias = re.fullmatch(r"npm:(.+)@([^@]+)", version)
        yield alias.groups() if alias else (name, version)


def faults():
    section = (ROOT / "redis-compat.md").read_text().split("## Clients and libraries that were run")[1]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in section.splitlines() if line.startswith("|")]
    for line in (MORE / "clients.tsv").read_text().splitlines():
        client = line.split("\t")[0]
        if not line.startswith("#") and SPELT.get(client, client) not in (row[0] for row in rows):
            yield f"{client} is run, and has no row"
    for name, version in pinned():
        written = "node-redis" if name == "redis" else name
        if not any(row[:2] == [written, version] for row in rows) and f"{written} {version}" not in section:
            yield f"{written} {version} is pinned, and not named with that version"


def main():
    found = list(faults())
    print("\n".join(found) or "the table of clients is what is run")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
