#!/usr/bin/env python3
"""While the state is read back: who needs nothing of it is served at once, others are told LOADING.

    loading_test.py BINARY [KEYS]
"""
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from servers import Client, Server, run_all, start_to_fail

KEYS = int(sys.argv[2]) if len(sys.argv) > 2 else 200000
LOADING = "LOADING Redis is loading the dataset in memory"
READY = "Ready to accept connections."
JOURNAL = ("--appendonly", "yes", "--appendfsync", "no", "--auto-aof-rewrite-percentage", "0")


def fill(server, keys=KEYS):
    client = server.client()
    value = "x" * 50
    for first in range(0, keys, 10000):
        line = b"".join(b"SET key-%d %s PX 600000\r\n" % (number, value.encode())
                        for number in range(first, first + 10000))
        client.socket.sendall(line)
        for _ in range(10000):
            assert client.read() == "OK"
    client.ask("LOCK", "door", "alice", "PX", 600000)


def connect(port):
    """As soon as the port is open."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            return Client(port)
        except OSError:
            time.sleep(0.001)
    raise AssertionError("the port does not open")


def what_is_answered(binary, folder):
    """On a machine that reads back so quickly, or answers so slowly, that little is seen, with more keys."""
    for keys in (KEYS, 2 * KEYS, 4 * KEYS, 8 * KEYS):
        with tempfile.TemporaryDirectory(dir=folder) as inner:
            opened, took, pings = read_back(binary, inner, keys)
        if len(pings) > 3:
            break
    # One slice after another: without them nobody is answered before the end.
    assert len(pings) > 3, f"{len(pings)} PINGs answered while {keys} keys were read back"
    return (f"passed, port open after {opened * 1000:.0f} ms, {keys} keys read back in {took:.2f} s; {len(pings)} PINGs "
            f"meanwhile: median {statistics.median(pings) * 1000:.2f} ms, longest {max(pings) * 1000:.2f} ms")


def read_back(binary, folder, keys):
    server = Server(binary, folder, *JOURNAL)
    fill(server, keys)
    server.kill()
    began = time.monotonic()
    server = Server(binary, folder, *JOURNAL, "--requirepass", "secret", wait=False)
    client = connect(server.port)
    opened = time.monotonic() - began
    # All in one write: the state may be read back before as many turns of one request each are over.
    refused = (("GET", "key-1"), ("SET", "a", 1), ("LOCK", "door", "bob"), ("FENCE", "door"), ("DBSIZE",),
               ("EVAL", "return 1", 0), ("LOCKINFO", "door"))
    errors = client.errors(("GET", "key-1"), ("AUTH", "secret"), ("CLIENT", "SETNAME", "early"),
                           ("CLIENT", "SETINFO", "LIB-NAME", "lib"), ("HELLO", "2"), *refused,
                           ("MULTI",), ("GET", "key-1"), ("EXEC",))
    assert errors[:5] == ["NOAUTH Authentication required.", "", "", "", ""], errors
    assert errors[5:-3] == [LOADING for _ in refused], errors
    assert errors[-3] == "" and errors[-2] == LOADING and errors[-1].startswith("EXECABORT"), errors
    said_before = server.printed()
    info = client.info("persistence")
    if info["loading"] == "0":
        server.kill()
        return opened, 0, []
    assert READY not in said_before, "it is said once all is served"
    assert int(info["loading_total_bytes"]) > keys * 50
    assert abs(int(info["loading_start_time"]) - time.time()) < 60
    pings, percents = [], []
    while True:
        began_ping = time.monotonic()
        assert client.ask("PING") == "PONG"
        pings.append(time.monotonic() - began_ping)
        info = client.info("persistence")
        if info["loading"] == "0":
            break
        assert 0 <= int(info["loading_loaded_bytes"]) <= int(info["loading_total_bytes"])
        percents.append(float(info["loading_loaded_perc"]))
    took = time.monotonic() - began
    assert percents == sorted(percents)
    assert client.ask("DBSIZE") == keys + 1
    assert client.ask("GET", "door") == "alice"
    assert 500000 < client.ask("PTTL", "door") <= 600000
    assert client.ask("CLIENT", "GETNAME") == "early"
    assert int(client.info("server")["uptime_in_seconds"]) < 60
    assert server.printed().count(READY) == 1
    server.kill()
    return opened, took, pings


def it_can_be_ended_meanwhile(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    fill(server)
    server.end()
    before = {path.name: path.stat().st_size for path in (Path(folder) / "data").iterdir()}
    server = Server(binary, folder, *JOURNAL, wait=False)
    client = connect(server.port)
    assert client.info("persistence")["loading"] == "1"
    assert server.end() == 0
    assert before == {path.name: path.stat().st_size for path in (Path(folder) / "data").iterdir()}
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    assert client.info("persistence")["last_unclean_start"] == "0"
    assert client.ask("DBSIZE") == KEYS + 1
    server.end()


def damage_found_on_the_way_ends_it(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    fill(server)
    assert server.end() == 0
    segment = sorted((Path(folder) / "data").glob("segment-*"))[0]
    with segment.open("r+b") as file:
        file.seek(segment.stat().st_size // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    code, printed = start_to_fail(binary, folder, *JOURNAL, "--dir", f"{folder}/data")
    assert code == 1 and segment.name in printed and "damaged at byte" in printed, (code, printed)


if __name__ == "__main__":
    sys.exit(run_all(sys.argv[1], [what_is_answered, it_can_be_ended_meanwhile, damage_found_on_the_way_ends_it]))
