#!/usr/bin/env python3
"""What a running server does with its journal: appendfsync changed at run time, WAITAOF, pictures, shutdowns, leases
over an outage.

    modes_test.py BINARY
"""
import sys
import threading
import time
from pathlib import Path

from servers import Server, run_all

JOURNAL = ("--appendonly", "yes")


def appendfsync_changes_at_run_time(binary, folder):
    """Under load; nothing that was answered is lost, and nobody is left waiting."""
    server = Server(binary, folder, *JOURNAL)
    counts, ends = [0] * 4, threading.Event()

    def count(number):
        client = server.client()
        while not ends.is_set():
            counts[number] = client.ask("INCR", f"count-{number}")

    threads = [threading.Thread(target=count, args=(number,)) for number in range(len(counts))]
    for thread in threads:
        thread.start()
    client = server.client()
    for mode in ("always", "no", "everysec", "always", "everysec", "no", "always"):
        assert client.ask("CONFIG", "SET", "appendfsync", mode) == "OK"
        before, syncs = sum(counts), int(client.info("persistence")["journal_syncs"])
        time.sleep(0.3)
        assert sum(counts) > before, f"nothing goes on under {mode}"
        if mode == "always":
            assert int(client.info("persistence")["journal_syncs"]) > syncs
    assert client.error("CONFIG", "SET", "appendfsync", "sometimes").startswith("ERR")
    ends.set()
    for thread in threads:
        thread.join()
    server.kill()
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    for number, told in enumerate(counts):
        assert int(client.ask("GET", f"count-{number}")) == told
    assert server.end() == 0


def waitaof_waits_for_a_sync(binary, folder):
    for mode in ("everysec", "always", "no"):
        server = Server(binary, folder, *JOURNAL, "--appendfsync", mode)
        client = server.client()
        assert client.ask("WAITAOF", 1, 0, 0) == [1, 0], "it has written nothing"
        for number in range(20):
            client.ask("INCR", "n")
            began = time.monotonic()
            syncs = int(client.info("persistence")["journal_syncs"])
            assert client.ask("WAITAOF", 1, 0, 5000) == [1, 0]
            assert time.monotonic() - began < 5
            if mode != "always":
                assert int(client.info("persistence")["journal_syncs"]) >= syncs
        client.ask("SET", "a", 1)
        client.ask("MULTI")
        client.ask("INCR", "n")
        client.ask("WAITAOF", 1, 0, 0)
        counted, synced = client.ask("EXEC")
        assert synced == [0, 0], f"within MULTI nobody waits, and its own write is not synced: {synced}"
        for words, error in (
                (("x", 0, 0), "ERR value is not an integer or out of range"),
                (("2", 0, 0), "ERR value is out of range, value must between 0 and 1"),
                ((-1, 0, 0), "ERR value is out of range, value must between 0 and 1"),
                ((0, "x", 0), "ERR value is out of range, must be positive"),
                ((0, -1, 0), "ERR value is out of range, must be positive"),
                ((0, 0, "x"), "ERR timeout is not an integer or out of range"),
                ((0, 0, -1), "ERR timeout is negative")):
            assert client.error("WAITAOF", *words) == error, words
        assert server.end() == 0
    server = Server(binary, folder, "--appendonly", "no")
    client = server.client()
    assert client.error("WAITAOF", 1, 0, 0) == \
        "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled."
    assert client.error("WAITAOF", 1, 0, -5) == "ERR timeout is negative"
    assert client.ask("WAITAOF", 0, 0, 0) == [0, 0]
    server.end()


def pictures(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    started = client.ask("LASTSAVE")
    for number in range(2000):
        client.ask("SET", "same-key", "x" * 200 + str(number))
    long = int(client.info("persistence")["aof_current_size"])
    time.sleep(1.1)
    for words, begun in ((("SAVE",), "OK"), (("BGSAVE",), "Background saving started"),
                         (("BGREWRITEAOF",), "Background append only file rewriting started")):
        client.ask("SET", "other", words[0])
        assert client.ask(*words) == begun
        deadline = time.monotonic() + 10
        while client.info("persistence")["aof_rewrite_in_progress"] == "1":
            assert time.monotonic() < deadline
            time.sleep(0.01)
        info = client.info("persistence")
        assert info["aof_last_bgrewrite_status"] == "ok"
    assert info["rdb_saves"] == info["aof_rewrites"] == "3", info
    assert int(info["aof_current_size"]) < long / 10
    assert client.ask("LASTSAVE") > started
    assert len(list((Path(folder) / "data").glob("picture-*"))) == 1
    # One after the other under `always`, in one pipeline: SAVE itself is the sync that the SET waits for.
    client.ask("CONFIG", "SET", "appendfsync", "always")
    client.socket.sendall(b"SET a 1\r\nSAVE\r\nSET a 2\r\n")
    assert [client.read() for _ in range(3)] == ["OK", "OK", "OK"]
    server.kill()
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    assert client.ask("GET", "same-key").endswith("1999") and client.ask("GET", "other") == "BGREWRITEAOF"
    assert client.ask("GET", "a") == "2"
    server.end()


def shutdowns(binary, folder):
    for options in ((), ("SAVE",), ("NOSAVE",), ("NOW",), ("FORCE",)):
        server = Server(binary, folder, *JOURNAL)
        client = server.client()
        assert client.info("persistence")["last_unclean_start"] == "0"
        client.ask("SET", "last", "-".join(options))
        client.send(("SHUTDOWN", *options))
        assert server.process.wait(timeout=20) == 0
        server = Server(binary, folder, *JOURNAL)
        client = server.client()
        assert client.ask("GET", "last") == "-".join(options), "every end keeps all"
        assert client.info("persistence")["last_unclean_start"] == "0"
        server.end()
    server = Server(binary, folder, *JOURNAL)
    server.kill()
    server = Server(binary, folder, *JOURNAL)
    assert server.client().info("persistence")["last_unclean_start"] == "1"
    assert server.client().info("persistence")["fences_leapt_at_start"] == "0", "no power was lost"
    server.end()
    server = Server(binary, folder, "--appendonly", "no")
    assert "nothing is saved" in server.client().error("SHUTDOWN", "SAVE")
    server.end()


def an_outage_takes_nothing_of_a_lease(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    fence = client.ask("LOCK", "door", "alice", "PX", 2500)
    server.kill()
    time.sleep(3)
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    assert client.ask("GET", "door") == "alice", "no server ran: its time stood still"
    left = client.ask("PTTL", "door")
    assert 1000 < left <= 2500, left
    assert client.ask("FENCE", "door") == fence
    uptime = int(client.info("server")["uptime_in_seconds"])
    assert 0 <= uptime < 30, uptime
    assert client.ask("CLIENT", "LIST").count("age=0") >= 1
    deadline = time.monotonic() + 10
    while client.ask("GET", "door"):
        assert time.monotonic() < deadline, "and then it ends"
        time.sleep(0.05)
    assert client.ask("LOCK", "door", "bob") > fence
    server.end()


if __name__ == "__main__":
    sys.exit(run_all(sys.argv[1], [appendfsync_changes_at_run_time, waitaof_waits_for_a_sync, pictures, shutdowns,
                                   an_outage_takes_nothing_of_a_lease]))
