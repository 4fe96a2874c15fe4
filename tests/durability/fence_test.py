#!/usr/bin/env python3
"""Fences of one key that is locked for ever, and of keys that are locked once, over kill -9: they only rise, and what
is kept of them is bounded.

    fence_test.py BINARY [RESTARTS] [LOCKS]      locks of the one key, and keys that are locked once, in each life

Of all keys `fence-idle-keys` 1000 are remembered, so that almost every key of before comes from the floor again.
"""
import random
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from fencepost import Kept  # noqa: E402
from resp import Client  # noqa: E402

PIPELINE = 200
REMEMBERED = 1000
# Far above what a thousand counters need, far below what all keys would.
RESIDENT_BYTES = 64 << 20


class Fences:
    def __init__(self):
        self.newest = {}

    def drew(self, key, fence):
        before = self.newest.get(key, 0)
        assert isinstance(fence, int) and fence > before, f"{key}: fence {fence} after {before}"
        self.newest[key] = fence


def lock_all(client, fences, keys):
    for first in range(0, len(keys), PIPELINE):
        some = keys[first:first + PIPELINE]
        client.send(*(request for key in some for request in (("LOCK", key, "a", "PX", 60000), ("UNLOCK", key, "a"))))
        for key in some:
            fences.drew(key, client.read())
            assert client.read() == 1


def resident_bytes(process):
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * 4096


def main():
    restarts = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    locks = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    chance = random.Random(20261130)
    fences = Fences()
    most = 0
    with Kept(sys.argv[1], "--fence-idle-keys", str(REMEMBERED), "--auto-aof-rewrite-min-size", "1mb") as server:
        for life in range(restarts):
            server.start()
            client = Client(server.port)
            lock_all(client, fences, ["one"] * locks)
            lock_all(client, fences, [f"once-{life}-{number}" for number in range(locks)])
            # Some of the lives before, forgotten or not.
            lock_all(client, fences, chance.sample(sorted(fences.newest), min(len(fences.newest), 200)))
            most = max(most, resident_bytes(server.process))
            server.stop(signal.SIGKILL)
    print(f"{restarts} lives, {restarts * locks} fences of one key (the last {fences.newest['one']}), {len(fences.newest)} keys, "
          f"{most >> 20} MiB at most")
    good = most < RESIDENT_BYTES
    print(f"{int(good)} passed, {int(not good)} failed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
