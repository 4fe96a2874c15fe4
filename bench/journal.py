#!/usr/bin/env python3
"""What the journal costs where it is not about one request: the start, a picture under load, a file under churn.

    bench/journal.py [BINARY] [--millions N]      prints a table in Markdown (bench/README.md has it)
"""
import argparse
import signal
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from fencepost import Kept  # noqa: E402
from resp import Client, encoded  # noqa: E402

PIPELINE = 1000


def fill(client, count):
    """So many held locks with leases of an hour: 26-byte keys, 32-byte owners."""
    for first in range(0, count, PIPELINE):
        client.socket.sendall(b"".join(
            b"*5\r\n$4\r\nLOCK\r\n$26\r\nlock:account:%013d\r\n$32\r\n%032d\r\n$2\r\nPX\r\n$7\r\n3600000\r\n" % (n, n)
            for n in range(first, min(first + PIPELINE, count))))
        for _ in range(first, min(first + PIPELINE, count)):
            assert client.read() > 0


def journal_bytes(server):
    return sum(file.stat().st_size for file in Path(server.folder.name, "data").iterdir())


def quantile(values, part):
    return sorted(values)[int(len(values) * part)]


class Load:
    """Four connections that lock and unlock without a pause, and one that asks PING and notes how long it took."""

    def __init__(self, port):
        self.port = port

    def __enter__(self):
        self.stop = threading.Event()
        self.pings = []
        self.threads = [threading.Thread(target=self.lock, args=(number,)) for number in range(4)]
        self.threads.append(threading.Thread(target=self.ping))
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for thread in self.threads:
            thread.join()

    def lock(self, number):
        client = Client(self.port)
        requests = [encoded(words) for words in
                    (("LOCK", f"busy-{number}", "a", "PX", 60000), ("UNLOCK", f"busy-{number}", "a"))] * 4
        while not self.stop.is_set():
            client.socket.sendall(b"".join(requests))
            for _ in requests:
                client.read()

    def ping(self):
        client = Client(self.port)
        while not self.stop.is_set():
            begun = time.perf_counter()
            client.ask("PING")
            self.pings.append((begun, (time.perf_counter() - begun) * 1000))
            time.sleep(0.001)


def rewriting(client):
    return "aof_rewrite_in_progress:1" in client.ask("INFO", "persistence")


def picture_under_load(server, client):
    """p99 of PING in ms: without a picture being drawn, and while one is; and how long it took."""
    with Load(server.port) as load:
        time.sleep(2)
        client.ask("BGREWRITEAOF")
        begun = time.perf_counter()
        while rewriting(client):
            time.sleep(0.01)
        ended = time.perf_counter()
    before = [took for at, took in load.pings if at < begun]
    during = [took for at, took in load.pings if begun <= at < ended]
    return quantile(before, 0.99), quantile(during, 0.99), ended - begun


def churn(server, client, keys):
    """The most that the folder held while so many keys came and went."""
    most = 0
    for first in range(0, keys, PIPELINE):
        client.socket.sendall(b"".join(
            b"*6\r\n$3\r\nSET\r\n$19\r\njob:%015d\r\n$4\r\nmine\r\n$2\r\nNX\r\n$2\r\nPX\r\n$5\r\n60000\r\n"
            b"*2\r\n$3\r\nDEL\r\n$19\r\njob:%015d\r\n" % (n, n) for n in range(first, first + PIPELINE)))
        for _ in range(2 * PIPELINE):
            client.read()
        if first % (100 * PIPELINE) == 0:
            most = max(most, journal_bytes(server))
    return most


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", nargs="?", default=str(ROOT / "build/release/fencepost"))
    parser.add_argument("--millions", type=float, default=1)
    parser.add_argument("--churned", type=float, default=10, help="millions of keys that come and go")
    options = parser.parse_args()
    locks = int(options.millions * 1e6)
    print("| what | figure |\n|---|---|")
    with Kept(options.binary) as server:
        server.start()
        client = Client(server.port)
        fill(client, locks)
        print(f"| journal of {locks:,} held locks | {journal_bytes(server) / 2**20:.0f} MiB |")
        for what, how in (("kill -9, from batches", signal.SIGKILL), ("an orderly end", signal.SIGTERM)):
            server.stop(how)
            begun = time.perf_counter()
            server.start()
            print(f"| restart to ready, {locks:,} held locks, after {what} | {time.perf_counter() - begun:.2f} s |")
        client = Client(server.port)
        assert client.ask("DBSIZE") == locks
        quiet, drawing, took = picture_under_load(server, client)
        print(f"| a picture of {locks:,} held locks under load | {took:.2f} s |")
        print(f"| p99 of PING meanwhile; before | {drawing:.2f} ms; {quiet:.2f} ms |")
        server.stop(signal.SIGKILL)
        begun = time.perf_counter()
        server.start()
        print(f"| restart to ready, {locks:,} held locks, from the picture | {time.perf_counter() - begun:.2f} s |")
    keys = int(options.churned * 1e6)
    with Kept(options.binary) as server:
        server.start()
        most = churn(server, Client(server.port), keys)
        print(f"| the folder at most, {keys:,} keys set and deleted | {most / 2**20:.0f} MiB |")


if __name__ == "__main__":
    main()
