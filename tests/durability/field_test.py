#!/usr/bin/env python3
"""What went wrong in the field with restarts and clocks (shared/cases/locks-ext.md: E19, E20, E22, E28), over real
restarts and under a wall clock that steps.

    field_test.py BINARY
"""
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from fencepost import Kept  # noqa: E402
from resp import Client  # noqa: E402
from servers import run_all  # noqa: E402

FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"


class Wall:
    """The wall clock of one server, which steps when it is told to; clocks that do not step are left alone."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".faketime")
        self.step(0)
        self.environment = {"LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": self.file.name,
                            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_NO_CACHE": "1"}

    def step(self, seconds):
        with open(self.file.name + ".new", "w") as new:
            new.write(f"{seconds:+d}s\n")
        os.replace(new.name, self.file.name)


def a_lease_is_neither_shorter_nor_longer_for_a_step_of_the_wall_clock(binary, _folder):
    for step in (3600, -3600):
        wall = Wall()
        with Kept(binary, environment=wall.environment) as server:
            server.start()
            client = Client(server.port)
            before = int(client.ask("TIME")[0])
            begun = time.monotonic()
            assert client.ask("LOCK", "job", "a", "PX", 1500) == 1
            wall.step(step)
            time.sleep(0.01)  # the server reads the wall clock once a millisecond
            moved = int(client.ask("TIME")[0]) - before
            assert abs(moved - step) < 30, f"the server's wall clock moved by {moved}"
            while client.ask("EXISTS", "job"):
                assert time.monotonic() - begun < 3, "the lease does not end"
                time.sleep(0.005)
            lasted = time.monotonic() - begun
            assert 1.5 <= lasted < 1.75, f"a lease of 1.5 s lasted {lasted:.3f} s"


def a_thousand_leases_under_a_wall_clock_that_steps_all_the_time(binary, _folder):
    wall = Wall()
    with Kept(binary, environment=wall.environment) as server:
        server.start()
        client = Client(server.port)
        stop = threading.Event()

        def swing():
            turn = 0
            while not stop.wait(0.1):
                turn += 1
                wall.step(turn % 3 - 1)
        swinging = threading.Thread(target=swing)
        swinging.start()
        try:
            ends = {}
            for number in range(1000):
                lease = 500 + number * 2
                at = time.monotonic()
                client.ask("LOCK", f"job-{number}", "a", "PX", lease)
                ends[number] = (at + lease / 1000, time.monotonic() + lease / 1000)
            worst = 0
            while ends:
                asked = time.monotonic()
                numbers = list(ends)
                client.send(*(("PTTL", f"job-{number}") for number in numbers))
                left = [client.read() for _ in numbers]
                told = time.monotonic()
                for number, rest in zip(numbers, left):
                    first, last = ends[number]
                    if rest == -2:
                        assert told > first, f"job-{number} ended {first - told:.3f} s early"
                        del ends[number]
                    else:
                        # What is left, as told: never less than there is, and not much more.
                        worst = max(worst, first - told - rest / 1000, asked + rest / 1000 - last)
                time.sleep(0.02)
            assert worst < 0.05, f"what is left of a lease was wrong by {worst:.3f} s"
        finally:
            stop.set()
            swinging.join()


def an_outage_makes_a_lease_longer_by_no_more_than_itself(binary, _folder):
    with Kept(binary) as server:
        server.start()
        client = Client(server.port)
        before = time.monotonic()
        assert client.ask("LOCK", "job", "a", "PX", 10000) == 1
        time.sleep(0.7)
        server.stop(signal.SIGKILL)
        down = time.monotonic()
        time.sleep(0.5)
        server.start()
        client = Client(server.port)
        up = time.monotonic()
        rest = client.ask("PTTL", "job") / 1000
        lasted = time.monotonic() - before + rest
        assert lasted >= 10, f"the lease of 10 s is one of {lasted:.3f} s"
        # A tick is written every 500 ms while something is held: that much of the time before may count as outage.
        assert lasted <= 10 + (up - down) + 0.6, f"the lease of 10 s is one of {lasted:.3f} s after {up - down:.3f} s down"
        assert client.ask("GET", "job") == "a" and client.ask("FENCE", "job") == 1
        assert client.ask("LOCK", "job", "b", "PX", 100) is None


def a_name_that_was_forgotten_goes_on_above_its_last_fence(binary, _folder):
    with Kept(binary, "--fence-idle-keys", "1000") as server:
        server.start()
        client = Client(server.port)
        for _ in range(50):
            client.ask("LOCK", "job", "a", "PX", 10000)
            client.ask("UNLOCK", "job", "a")
        newest = client.ask("FENCE", "job")
        assert newest == 50
        for first in range(0, 20000, 500):
            pairs = [(("LOCK", f"other-{n}", "a", "PX", 10000), ("UNLOCK", f"other-{n}", "a"))
                     for n in range(first, first + 500)]
            client.send(*(request for pair in pairs for request in pair))
            for _ in range(1000):
                client.read()
        for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
            server.stop(how)
            server.start()
            client = Client(server.port)
            fence = client.ask("LOCK", "job", "a", "PX", 10000)
            assert fence > newest, f"fence {fence} after {newest}"
            newest = fence
            client.ask("UNLOCK", "job", "a")


if __name__ == "__main__":
    sys.exit(run_all(sys.argv[1], [a_lease_is_neither_shorter_nor_longer_for_a_step_of_the_wall_clock,
                                   a_thousand_leases_under_a_wall_clock_that_steps_all_the_time,
                                   an_outage_makes_a_lease_longer_by_no_more_than_itself,
                                   a_name_that_was_forgotten_goes_on_above_its_last_fence]))
