#!/usr/bin/env python3
"""A disk that fails or is slow, by strace's hand: what cannot be promised is refused and never told, everything else goes on.

    disk_faults_test.py BINARY [SECONDS]      of PINGs beside a sync of 300 ms
"""
import math
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from servers import Client, Server, await_service, free_port, run_all

SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 3
SYNC_S = 0.3
JOURNAL = ("--appendonly", "yes")


class Fault:
    """From here on calls of the server fail, until it is mended."""

    def __init__(self, server, calls, *more):
        self.process = subprocess.Popen(
            ["strace", "-f", "-p", str(server.process.pid), "-e", f"trace={calls}", "-e", f"inject={calls}:error=EIO",
             "-o", "/dev/null", *more], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        line = self.process.stderr.readline().decode()
        if "attached" not in line:
            self.process.kill()
            self.process.wait()
            raise Untraceable(line.strip())

    def mend(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=20)
        self.process.stderr.close()


class Untraceable(Exception):
    pass


def with_fault(test):
    """Left out where nothing can be traced."""
    def run(binary, folder):
        try:
            return test(binary, folder)
        except (Untraceable, FileNotFoundError) as error:
            if isinstance(error, FileNotFoundError) and error.filename != "strace":
                raise
            return f"skipped: nothing can be traced here: {error}"
    run.__name__ = test.__name__
    return run


def answer_within(client, seconds, *words):
    """None when there is none; an error's text; or "" for what is no error."""
    client.socket.settimeout(seconds)
    client.send(words)
    try:
        return client.read_error()
    except TimeoutError:
        return None


def expect_reads(server, slowest_s=0.5):
    """The machine may be busy with other tests; a stuck disk would cost more."""
    client = server.client()
    for _ in range(50):
        for words in (("PING",), ("GET", "kept"), ("FENCE", "door")):
            began = time.monotonic()
            client.ask(*words)
            took = time.monotonic() - began
            assert took < slowest_s, f"{words} took {took:.3f} s"


def expect_refusal(server, cause):
    deadline = time.monotonic() + 10
    while not (error := server.client().error("SET", "refused", 1)):
        assert time.monotonic() < deadline, "writes are not refused"
        time.sleep(0.02)
    assert error.startswith("MISCONF Errors writing to the AOF file: ") and cause in error, error
    assert server.client().error("LOCK", "other", "bob").startswith("MISCONF")
    assert server.client().info("persistence")["aof_last_write_status"] == "err"


def expect_kept(binary, folder, fence):
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    assert client.ask("GET", "kept") == "1" and client.ask("GET", "door") == "alice"
    assert client.ask("FENCE", "door") == fence
    assert client.ask("LOCK", "door", "bob") is None
    assert client.error("SET", "again", 1) == "", "a restart makes it good"
    assert server.end() == 0


def begin(binary, folder, mode):
    server = Server(binary, folder, *JOURNAL, "--appendfsync", mode)
    client = server.client()
    assert client.ask("SET", "kept", 1) == "OK"
    return server, client.ask("LOCK", "door", "alice", "PX", 600000)


@with_fault
def a_failed_sync_under_always(binary, folder):
    """Nothing is told that waits for it, not even once syncs work again: the kernel may have dropped what it had."""
    server, fence = begin(binary, folder, "always")
    fault = Fault(server, "fdatasync,fsync")
    waiting = server.client()
    assert answer_within(waiting, 2, "SET", "unsure", 1) != "", "it was told, and is not safe"
    expect_refusal(server, "until a restart nothing is promised any more")
    expect_reads(server)
    fault.mend()
    time.sleep(0.5)
    expect_refusal(server, "until a restart nothing is promised any more")
    assert server.client().ask("CONFIG", "SET", "appendfsync", "no") == "OK"
    expect_refusal(server, "until a restart nothing is promised any more")
    assert server.client().error("SHUTDOWN") == "ERR Errors trying to SHUTDOWN. Check logs."
    expect_reads(server)
    assert "nothing is promised any more" in server.printed()
    server.kill()
    expect_kept(binary, folder, fence)


@with_fault
def a_failed_sync_under_everysec(binary, folder):
    server, fence = begin(binary, folder, "everysec")
    fault = Fault(server, "fdatasync,fsync")
    expect_refusal(server, "until a restart nothing is promised any more")
    expect_reads(server)
    fault.mend()
    time.sleep(1.2)
    expect_refusal(server, "until a restart nothing is promised any more")
    server.kill()
    expect_kept(binary, folder, fence)


def a_failed_write(binary, folder, mode):
    """Of the journal alone, and of the room that is reserved in it: service comes back by itself."""
    server, fence = begin(binary, folder, mode)
    segment = sorted((Path(folder) / "data").glob("segment-*"))[-1]
    fault = Fault(server, "write,fallocate", "-P", str(segment))
    waiting = server.client()
    answer = answer_within(waiting, 2, "SET", "unsure", "x" * 200000)
    assert answer is None or answer.startswith("MISCONF"), f"it was told {answer!r}"
    expect_refusal(server, "Input/output error")
    expect_reads(server)
    fault.mend()
    deadline = time.monotonic() + 10
    while server.client().error("SET", "after", 1):
        assert time.monotonic() < deadline, "service does not come back"
        time.sleep(0.05)
    if answer is None:
        waiting.socket.settimeout(10)
        assert waiting.socket.recv(5) == b"+OK\r\n", "whoever waited is told"
    server.kill()
    expect_kept(binary, folder, fence)


@with_fault
def a_failed_write_under_always(binary, folder):
    a_failed_write(binary, folder, "always")


@with_fault
def a_failed_write_under_everysec(binary, folder):
    a_failed_write(binary, folder, "everysec")


# --- a sync that takes long

def slow_syncs():
    """Only the calls in question stop the server."""
    return ("strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync",
            "-e", f"inject=fdatasync,fsync:delay_enter={int(SYNC_S * 1e6)}")


def pings_beside_writes(port):
    """How long PINGs of one client took while another one wrote and waited for syncs, and how many began and ended within
    one such wait."""
    writes, stops = [], threading.Event()

    def write():
        client = Client(port)
        while not stops.is_set():
            began = time.monotonic()
            assert client.ask("SET", "key", len(writes)) == "OK"
            writes.append((began, time.monotonic()))

    writer = threading.Thread(target=write)
    writer.start()
    client, pings = Client(port), []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        began = time.monotonic()
        assert client.ask("PING") == "PONG"
        pings.append((began, time.monotonic()))
        time.sleep(0.001)
    stops.set()
    writer.join(timeout=20)
    within = sum(begun <= ping[0] and ping[1] <= ended for ping in pings for begun, ended in writes
                 if ended - begun >= SYNC_S)
    took = sorted(ended - begun for begun, ended in pings)
    return {"p99": took[math.ceil(len(took) * 0.99) - 1], "pings": len(pings), "within": within,
            "writes": sum(ended - begun >= SYNC_S for begun, ended in writes)}


def told(name, seen):
    return (f"{name}: PING p99 {seen['p99'] * 1000:.1f} ms of {seen['pings']}, {seen['within']} of them within one of "
            f"{seen['writes']} waits for a sync")


def redis_beside_writes(folder):
    """The same of redis-server, where there is one."""
    if not shutil.which("redis-server"):
        return "redis-server: there is none"
    port = free_port()
    data = Path(folder) / "redis"
    data.mkdir()
    process = subprocess.Popen(
        [*slow_syncs(), "redis-server", "--port", str(port), "--dir", str(data), "--save", "", "--appendonly", "yes",
         "--appendfsync", "always"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    await_service(process, port, str)
    try:
        return told("redis-server", pings_beside_writes(port))
    finally:
        Client(port).send(("SHUTDOWN", "NOSAVE"))
        process.wait(timeout=30)


@with_fault
def others_are_answered_during_a_sync(binary, folder):
    # Who looks for leaks is a tracer too, and there can be one.
    os.environ["ASAN_OPTIONS"] = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_leaks=0")))
    server = Server(binary, folder, *JOURNAL, "--appendfsync", "always", wait=False, prefix=slow_syncs())
    try:
        await_service(server.process, server.port, server.printed)
    except RuntimeError as error:
        if "strace: " in server.printed() and "not permitted" in server.printed():
            raise Untraceable(error) from error
        raise
    seen = pings_beside_writes(server.port)
    server.client().send(("SHUTDOWN",))
    assert server.process.wait(timeout=30) == 0
    # By syncs alone: what a PING takes depends on what else the machine does.
    assert seen["writes"] >= 2 and seen["within"] >= seen["writes"], seen
    return f"passed, {told('fencepost', seen)}; {redis_beside_writes(folder)}"


if __name__ == "__main__":
    sys.exit(run_all(sys.argv[1], [a_failed_sync_under_always, a_failed_sync_under_everysec, a_failed_write_under_always,
                                   a_failed_write_under_everysec, others_are_answered_during_a_sync]))
