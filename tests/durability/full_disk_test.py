#!/usr/bin/env python3
"""A full disk: what cannot be kept is refused with MISCONF, reads go on, and service comes back by itself.

    full_disk_test.py BINARY

On a small tmpfs where one can be mounted; with a limit on the size of files (RLIMIT_FSIZE) in any case.
"""
import resource
import subprocess
import sys
import time
from pathlib import Path

from servers import Server, run_all

MEBIBYTE = 1 << 20
QUICK_S = 0.02


def fill_up(server):
    """SETs until the disk takes no more: how many were answered, and the client whose SET waits for an answer, if one
    does. A disk that says beforehand that it is full leaves nobody waiting."""
    client = server.client()
    client.socket.settimeout(2)
    for number in range(20000):
        try:
            error = client.error("SET", f"key-{number}", "x" * 10000)
        except TimeoutError:
            return number, client
        if error:
            assert error.startswith("MISCONF Errors writing to the AOF file: "), error
            return number, None
    raise AssertionError("the disk does not become full")


def expect_refusals(server, queued, cause):
    """Of all that would have to be kept; everything else goes on, quickly. What was an entry (scripts, EXEC) waits while a
    batch, be it a tick, waits for the disk, even if it only reads: it may tell of what is not kept."""
    client = server.client()
    for words in (("SET", "a", 1), ("LOCK", "door", "alice"), ("DEL", "key-0"), ("INCR", "n"),
                  ("EVAL", "return redis.call('set', 'script', '1')", 0)):
        error = client.error(*words)
        assert error.startswith("MISCONF") and cause in error, (words, error)
    error = queued.error("EXEC")
    assert error.startswith("EXECABORT") and "MISCONF" in error and cause in error, error
    assert client.ask("EXISTS", "in-transaction", "counter", "script", "a", "n") == 0, "nothing was applied"
    slowest = 0
    for _ in range(200):
        for words in (("PING",), ("GET", "key-0"), ("FENCE", "key-0")):
            began = time.monotonic()
            client.ask(*words)
            slowest = max(slowest, time.monotonic() - began)
    info = client.info("persistence")
    assert info["aof_last_write_status"] == "err", info
    assert client.error("SHUTDOWN") == "ERR Errors trying to SHUTDOWN. Check logs."
    return slowest


def expect_service(client):
    """Without a restart, within a few seconds."""
    deadline = time.monotonic() + 10
    while client.error("SET", "again", 1):
        assert time.monotonic() < deadline, "service does not come back"
        time.sleep(0.05)
    assert client.info("persistence")["aof_last_write_status"] == "ok"


def expect_all_kept(binary, folder, answered):
    server = Server(binary, folder, "--appendonly", "yes")
    client = server.client()
    for number in range(answered):
        assert client.ask("STRLEN", f"key-{number}") == 10000, f"key-{number} was answered and is gone"
    assert client.ask("GET", "again") == "1"
    assert client.ask("EXISTS", "in-transaction") == 0
    assert server.end() == 0


def queue(server):
    client = server.client()
    client.ask("MULTI")
    client.ask("SET", "in-transaction", 1)
    client.ask("INCR", "counter")
    return client


def go_through(binary, folder, server, make_room, cause):
    queued = queue(server)
    answered, waiting = fill_up(server)
    assert answered > 0
    slowest = expect_refusals(server, queued, cause)
    make_room()
    expect_service(server.client())
    if waiting:
        waiting.socket.settimeout(10)
        assert waiting.socket.recv(5) == b"+OK\r\n", "whoever waited is told"
        answered += 1
    server.kill()
    expect_all_kept(binary, folder, answered)
    # The machine may be busy with other tests; what a stuck disk would cost is seconds.
    assert slowest < 25 * QUICK_S, f"{slowest:.3f} s for a read"
    return f"passed, {answered} writes before it was full, the slowest read meanwhile took {slowest * 1000:.1f} ms"


def a_small_file_system(binary, folder):
    data = Path(folder) / "data"
    data.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "none", str(data)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        return "skipped: nothing can be mounted here"
    try:
        (data / "ballast").write_bytes(b"x" * 3 * MEBIBYTE)
        server = Server(binary, folder, "--appendonly", "yes")
        try:
            return go_through(binary, folder, server, (data / "ballast").unlink, "No space left on device")
        finally:
            server.process.kill()
            server.process.wait()
    finally:
        subprocess.run(["umount", "-l", str(data)], check=True)


def a_limit_on_file_sizes(binary, folder):
    size = 2 * MEBIBYTE

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    server = Server(binary, folder, "--appendonly", "yes", before=limit)
    try:
        return go_through(binary, folder, server,
                          lambda: resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE,
                                                   (resource.RLIM_INFINITY, resource.RLIM_INFINITY)),
                          "File too large")
    finally:
        server.process.kill()
        server.process.wait()


def an_answer_that_waits_comes_once_there_is_room(binary, folder):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2 * MEBIBYTE, resource.RLIM_INFINITY))

    server = Server(binary, folder, "--appendonly", "yes", before=limit)
    client = server.client()
    client.send(("SET", "large", "x" * 3 * MEBIBYTE))
    other = server.client()
    deadline = time.monotonic() + 10
    # Not before: what comes in the same turn waits in the same batch.
    while other.info("persistence")["aof_last_write_status"] == "ok":
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert other.error("SET", "small", 1).startswith("MISCONF")
    other.socket.settimeout(0.5)
    other.send(("GET", "large"))
    try:
        other.read()
        raise AssertionError("it tells of what is not kept")
    except TimeoutError:
        pass
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert client.read() == "OK"
    server.kill()
    server = Server(binary, folder, "--appendonly", "yes")
    assert server.client().ask("STRLEN", "large") == 3 * MEBIBYTE
    assert server.end() == 0


if __name__ == "__main__":
    sys.exit(run_all(sys.argv[1], [a_small_file_system, a_limit_on_file_sizes,
                                   an_answer_that_waits_comes_once_there_is_room]))
