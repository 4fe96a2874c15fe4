#!/usr/bin/env python3
"""kill -9, again and again: what was answered is there after the restart, and no fence comes twice.

    kill_test.py BINARY [ROUNDS] [SECONDS] [CONNECTIONS] [MODE,...]

Rounds for each way of appendfsync, or those that are named; seconds of load in each round.

Several connections lock, count and collect at once, each on keys of its own and all on one that they share. Each
remembers what it was answered; what it was not answered may have happened or not.
"""
import random
import signal
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from fencepost import Kept  # noqa: E402
from resp import Client  # noqa: E402

class Worker(threading.Thread):
    """Lives over restarts. `told` is what it was answered last, by key; `maybe` what it asked and was not answered."""

    def __init__(self, number):
        super().__init__(daemon=True)
        self.number = number
        self.random = random.Random(number)
        self.owner = f"owner-{number}"
        self.count = 0          # of INCR, answered
        self.pushed = []        # of RPUSH, answered
        self.held = None        # (fence) of a hold that was answered, None when it was given back
        self.unsure = None      # the request in flight when the server died
        self.fences = {}        # the greatest that was answered, by key
        self.answers = 0
        self.port = 0
        self.fault = None

    def run_on(self, port):
        self.port = port
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        try:
            client = Client(self.port)
            self.recheck(client)
            while True:
                self.step(client)
                self.answers += 1
        except (ConnectionError, OSError):
            pass
        except Exception as fault:  # shown by whoever joins
            self.fault = f"{self.owner}: {type(fault).__name__}: {fault}"

    def ask(self, client, *words):
        self.unsure = words
        answer = client.ask(*words)
        self.unsure = None
        return answer

    def saw(self, key, fence):
        newest = self.fences.get(key, 0)
        assert fence > newest, f"fence {fence} of {key} after {newest}"
        self.fences[key] = fence

    def step(self, client):
        own = f"own-{self.number}"
        what = self.random.randrange(6)
        if what == 0 and self.held is None:
            fence = self.ask(client, "LOCK", own, self.owner, "PX", 600000)
            self.saw(own, fence)
            self.held = fence
        elif what == 1 and self.held is not None:
            assert self.ask(client, "UNLOCK", own, self.owner) == 1
            self.held = None
        elif what == 2:
            self.count = self.ask(client, "INCR", f"count-{self.number}")
        elif what == 3:
            text = f"{self.random.random()}"
            self.ask(client, "RPUSH", f"list-{self.number}", text)
            self.pushed.append(text)
        elif what == 4:
            fence = self.ask(client, "LOCK", "shared", f"{self.owner}-{self.random.random()}", "PX", 60000)
            if fence is not None:
                SHARED.note(fence)
                self.ask(client, "LOCKBREAK", "shared")
        else:
            key = f"once-{self.number}-{self.answers}"
            if self.ask(client, "SET", key, self.owner, "NX", "PX", 60000):
                self.ask(client, "DEL", key)

    def recheck(self, client):
        unsure = self.unsure    # stays so until all is seen, for the server may die on the way
        asked = unsure[0] if unsure else None
        count = int(client.ask("GET", f"count-{self.number}") or 0)
        assert count - self.count in ((0, 1) if asked == "INCR" else (0,)), f"counted {count}, told {self.count}"
        self.count = count
        items = client.ask("LRANGE", f"list-{self.number}", 0, -1)
        extra = [unsure[2]] if asked == "RPUSH" else []
        assert items == self.pushed or items == self.pushed + extra, f"{len(items)} items, told {len(self.pushed)}"
        self.pushed = items
        own = f"own-{self.number}"
        holder = client.ask("GET", own)
        fence = client.ask("FENCE", own)
        if asked == "UNLOCK" and unsure[1] == own:
            self.held = self.held if holder else None
        elif asked == "LOCK" and unsure[1] == own:
            self.held = fence if holder else None
        assert bool(holder) == (self.held is not None), f"holder {holder}, told {self.held}"
        if self.held is not None:
            assert fence == self.held, f"fence {fence} of a hold, told {self.held}"
            assert client.ask("PTTL", own) > 590000 - 120000
        assert fence >= self.fences.get(own, 0), f"fence {fence} after {self.fences.get(own)}"
        self.fences[own] = max(fence, self.fences.get(own, 0))
        self.unsure = None
        client.ask("LOCKBREAK", "shared")


class Shared:
    """The fences of the key that all want: no two alike."""

    def __init__(self):
        self.lock = threading.Lock()
        self.seen = set()

    def note(self, fence):
        with self.lock:
            assert fence not in self.seen, f"fence {fence} of the shared key came twice"
            self.seen.add(fence)


SHARED = Shared()


def torture(binary, mode, rounds, seconds, connections):
    global SHARED
    SHARED = Shared()
    chance = random.Random(mode)
    with Kept(binary, "--appendfsync", mode, "--auto-aof-rewrite-min-size", "300000") as server:
        workers = [Worker(number) for number in range(connections)]
        for turn in range(rounds):
            server.start()
            for worker in workers:
                worker.run_on(server.port)
            time.sleep(seconds * (0.5 + chance.random()))
            server.stop(signal.SIGKILL if turn % 4 != 3 else signal.SIGTERM)
            for worker in workers:
                worker.thread.join(timeout=30)
            faults = [worker.fault for worker in workers if worker.fault]
            if faults:
                print("\n".join(faults))
                print(server.printed()[-3000:])
                return False
        answers = sum(worker.answers for worker in workers)
        print(f"{mode}: {rounds} ends, {answers} answers, {len(SHARED.seen)} fences of one key, none twice")
        return answers > rounds * connections


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.4
    connections = int(sys.argv[4]) if len(sys.argv) > 4 else 12
    modes = sys.argv[5].split(",") if len(sys.argv) > 5 else ("everysec", "always", "no")
    good = [torture(sys.argv[1], mode, rounds, seconds, connections) for mode in modes]
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
