#!/usr/bin/env python3
"""A crowd on a few locks, while the server is killed and started again, and it and its clients stand still now and then:
there is a way in which all that everybody was told can be right (history.py).

    crowd_test.py BINARY [SECONDS] [CLIENTS] [KEYS] [MODE,...]

Seconds for each way of appendfsync, or those that are named. Each client is a process, so that it can be stopped by itself.
"""
import multiprocessing
import os
import pickle
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from fencepost import Kept  # noqa: E402
from history import Error, Event, check  # noqa: E402
from resp import Client  # noqa: E402


class Player:
    """Locks and looks until it is told to stop, and keeps what it was answered."""

    def __init__(self, number, keys, port, stops):
        self.name = f"c{number}"
        self.keys = [f"x{number}" for number in range(keys)]
        self.port, self.stops = port, stops
        self.chance = random.Random(f"{number}")
        self.attempts = 0
        self.events = []
        self.client = None

    def run(self, path):
        while not self.stops.value:
            try:
                if self.port.value == 0:
                    time.sleep(0.002)
                    continue
                self.client = Client(self.port.value)
                while not self.stops.value:
                    self.step()
            except OSError:
                time.sleep(0.002)
        Path(path).write_bytes(pickle.dumps(self.events))

    def step(self):
        key = self.chance.choice(self.keys)
        what = self.chance.random()
        if what < 0.6:
            self.attempt(key)
        elif what < 0.75:
            self.note(("HOLDER", key), "GET", key)
        elif what < 0.85:
            self.note(("FENCE", key), "FENCE", key)
        elif what < 0.98:
            self.note(("QUEUE", key), "LOCKINFO", key)
        else:
            self.note(("LOCKBREAK", key), "LOCKBREAK", key)

    def attempt(self, key):
        """An owner of its own each time."""
        self.attempts += 1
        owner = f"{self.name}.{self.attempts}"
        lease = self.chance.choice((self.chance.randint(5, 60), self.chance.randint(200, 3000)))
        wait = self.chance.choice((0, 0, self.chance.randint(5, 200)))
        if self.lock(key, owner, lease, wait) is None:
            return
        for _ in range(self.chance.randrange(4)):
            what = self.chance.randrange(6)
            if what == 0:
                self.lock(key, owner, self.chance.randint(100, 2000), 0)
            elif what == 1:
                self.extend(key, owner, self.chance.randint(50, 2000))
            elif what == 2:
                self.note(("HOLDER", key), "GET", key)
            elif what == 3:
                self.note(("FENCE", key), "FENCE", key)
            else:
                time.sleep(self.chance.random() * 0.003)
        if lease > 100 or self.chance.random() < 0.5:
            for _ in range(1 if self.chance.random() < 0.9 else 2):
                self.note(("UNLOCK", key, owner), "UNLOCK", key, owner)

    def lock(self, key, owner, lease, wait):
        return self.note(("LOCK", key, owner, lease / 1000, wait / 1000), "LOCK", key, owner, "PX", lease, "WAIT", wait)

    def extend(self, key, owner, lease):
        return self.note(("EXTEND", key, owner, lease / 1000), "EXTEND", key, owner, "PX", lease)

    def note(self, words, *request):
        """Asks, and keeps when and what came back."""
        asked = time.monotonic()
        answer, told = None, None
        try:
            answer = self.client.ask(*request)
            told = time.monotonic()
        except RuntimeError as error:
            answer, told = Error(str(error)), time.monotonic()
        finally:
            if words[0] == "QUEUE" and not isinstance(answer, Error):
                answer = owners_in_line(answer)
            self.events.append(Event(self.name, asked, told, words, answer))
        return None if isinstance(answer, Error) else answer


def owners_in_line(info):
    if info is None:
        return []
    line = dict(zip(info[::2], info[1::2]))["queue"]
    return [dict(zip(one[::2], one[1::2]))["owner"] for one in line]


class Trouble:
    """What befalls the server and its clients, at random moments."""

    def __init__(self, server, port, players, chance):
        self.server, self.port, self.players, self.chance = server, port, players, chance
        self.restarts = []
        self.pauses = 0

    def cause(self):
        what = self.chance.random()
        if what < 0.35:
            self.pause(self.server.process.pid, self.chance.uniform(0.01, 0.25))
        elif what < 0.7:
            self.pause(self.chance.choice(self.players).pid, self.chance.uniform(0.01, 0.4))
        else:
            self.restart(signal.SIGTERM if self.chance.random() < 0.2 else signal.SIGKILL)

    def pause(self, pid, seconds):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)
        self.pauses += 1

    def restart(self, how):
        self.port.value = 0
        asked = time.monotonic()
        self.server.stop(how)
        self.restarts.append(Event("server", asked, time.monotonic(), ("RESTART",)))
        self.server.start()
        self.port.value = self.server.port


def play(binary, mode, seconds, clients, keys, folder):
    """What everybody was told, and how often the server and clients stood still."""
    context = multiprocessing.get_context("fork")
    # Without locks: who is stopped while it has one would stop the others.
    port, stops = context.RawValue("i", 0), context.RawValue("i", 0)
    chance = random.Random(mode)
    paths = [Path(folder) / f"{mode}-{number}" for number in range(clients)]
    with Kept(binary, "--appendfsync", mode, "--auto-aof-rewrite-min-size", "300000") as server:
        server.start()
        port.value = server.port
        players = [context.Process(target=Player(number, keys, port, stops).run, args=(path,))
                   for number, path in enumerate(paths)]
        for player in players:
            player.start()
        trouble = Trouble(server, port, players, chance)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(chance.uniform(0.02, 0.3))
            trouble.cause()
        stops.value = 1
        for player in players:
            player.join(timeout=60)
    events = [event for path in paths for event in pickle.loads(path.read_bytes())]
    return events + trouble.restarts, trouble.pauses


def judge(binary, mode, seconds, clients, keys):
    with tempfile.TemporaryDirectory() as folder:
        history, pauses = play(binary, mode, seconds, clients, keys, folder)
    began = time.monotonic()
    faults = check(history)
    grants = len({(event.words[1], event.answer) for event in history
                  if event.name == "LOCK" and isinstance(event.answer, int)})
    restarts = sum(event.name == "RESTART" for event in history)
    unanswered = sum(event.told is None for event in history)
    lines = sum(event.name == "QUEUE" and len(event.answer or []) > 1 for event in history)
    print(f"{mode}: {len(history)} requests, {grants} holds, {unanswered} without an answer, {lines} lines of two or more, "
          f"{restarts} restarts, {pauses} pauses: {len(faults)} faults, judged in {time.monotonic() - began:.1f} s",
          flush=True)
    for fault in faults[:20]:
        print(fault)
    return not faults and grants > 50 and restarts > 0


def main():
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5
    clients = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    keys = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    modes = sys.argv[5].split(",") if len(sys.argv) > 5 else ("always", "everysec", "no")
    good = [judge(sys.argv[1], mode, seconds, clients, keys) for mode in modes]
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
