#!/usr/bin/env python3
"""Makes the seeds of journal_fuzz: the folders of a real server, packed as journal_folder.h has it.

    make_journal_seeds.py BINARY FOLDER      FOLDER is tests/fuzz/corpus/journal_fuzz
"""
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "durability"))
from servers import Server  # noqa: E402

JOURNAL = ("--appendonly", "yes")
OTHER_BOOT, ALWAYS = 2, 4
SEGMENT, PICTURE, UNFINISHED_SEGMENT, UNFINISHED_PICTURE, FLOOR, SET_ASIDE, FOREIGN = range(7)


def packed(name, content):
    """One file, or nothing where it is none that the grammar knows."""
    kinds = {"segment": SEGMENT, "picture": PICTURE}
    if name == "lock":
        return b""
    if name == "fence-floor":
        kind, index = FLOOR, 0
    elif name.startswith("lost-1-segment-"):
        kind, index = SET_ASIDE, int(name[-16:], 16)
    else:
        word, _, digits = name.partition("-")
        kind, index = kinds[word], int(digits, 16)
    assert len(content) < 1 << 16, f"{name} has {len(content)} bytes"
    return bytes([kind]) + index.to_bytes(2, "little") + len(content).to_bytes(2, "little") + content


def seed(folder, settings=0):
    files = sorted(path for path in (Path(folder) / "data").iterdir() if path.is_file())
    return bytes([settings]) + b"".join(packed(path.name, path.read_bytes()) for path in files)


def locks(client):
    client.ask("LOCK", "door", "alice", "PX", 600000, "GRACE", 5000, "META", "text")
    client.ask("LOCK", "hall", "alice", "SHARED", "EX", 60)
    client.ask("LOCK", "hall", "bob", "SHARED", "EX", 70, "BIND")
    client.ask("LOCK", "seats", "carol", "LIMIT", 3)
    client.ask("LOCKMANY", 2, "a", "b", "dave", "PX", 50000)
    client.ask("UNLOCK", "a", "dave")
    client.ask("UNLOCK", "hall", "alice")
    client.ask("SET", "old", "erin", "NX", "PX", 90000)
    client.ask("LOCKBREAK", "b")


def collections(client):
    client.ask("SET", "word", "hello")
    client.ask("APPEND", "word", " there")
    client.ask("HSET", "hash", "f", "v", "g", "w")
    client.ask("RPUSH", "list", "a", "b", "3")
    client.ask("SADD", "numbers", 1, 2, 3)
    client.ask("SADD", "set", "x", "y", 1)
    client.ask("ZADD", "scores", 1, "m", 2.5, "n", "inf", "o")
    client.ask("XADD", "stream", "5-1", "f", "v")
    client.ask("XADD", "stream", "6-*", "g", "w")
    client.ask("XDEL", "stream", "5-1")
    client.ask("SELECT", 3)
    client.ask("HSET", "elsewhere", "f", "v" * 100)


def draw(client):
    client.ask("BGREWRITEAOF")
    deadline = time.monotonic() + 10
    while client.info("persistence")["aof_rewrite_in_progress"] == "1":
        assert time.monotonic() < deadline
        time.sleep(0.01)


def live(binary, folder, fill, how):
    server = Server(binary, folder, *JOURNAL)
    fill(server.client())
    getattr(server, how)()


def of_locks(binary, folder):
    live(binary, folder, locks, "end")
    return seed(folder)


def of_collections(binary, folder):
    live(binary, folder, collections, "end")
    return seed(folder, ALWAYS)


def of_a_picture(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    locks(client)
    collections(client)
    draw(client)
    client.ask("SELECT", 0)
    client.ask("UNLOCK", "door", "alice")
    client.ask("LOCK", "door", "bob")
    server.kill()
    return seed(folder)


def of_another_boot(binary, folder):
    live(binary, folder, locks, "kill")
    return seed(folder, OTHER_BOOT)


def of_several_lives(binary, folder):
    for how in ("kill", "end", "kill"):
        server = Server(binary, folder, *JOURNAL)
        client = server.client()
        client.ask("LOCK", "door", how, "PX", 100000)
        client.ask("UNLOCK", "door", how)
        client.ask("INCR", "lives")
        getattr(server, how)()
    return seed(folder)


def of_a_torn_tail(binary, folder):
    server = Server(binary, folder, *JOURNAL, "--appendfsync", "no")
    locks(server.client())
    server.kill()
    segment = sorted((Path(folder) / "data").glob("segment-*"))[-1]
    segment.write_bytes(segment.read_bytes()[:-7])
    return seed(folder)


def of_the_floor_alone(binary, folder):
    server = Server(binary, folder, "--appendonly", "no")
    locks(server.client())
    server.end()
    return seed(folder)


def of_a_repair(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    locks(client)
    client.ask("WAITAOF", 1, 0, 0)
    client.ask("LOCK", "late", "alice", "PX", 600000)
    client.ask("WAITAOF", 1, 0, 0)
    server.end()
    segment = sorted((Path(folder) / "data").glob("segment-*"))[-1]
    content = segment.read_bytes()
    at = content.index(b"carol")
    segment.write_bytes(content[:at] + b"CAROL" + content[at + 5:])
    subprocess.run([binary, "--repair", f"{folder}/data"], check=True, stdout=subprocess.DEVNULL)
    return seed(folder)


def main():
    binary, target = sys.argv[1:]
    Path(target).mkdir(parents=True, exist_ok=True)
    for make in (of_locks, of_collections, of_a_picture, of_another_boot, of_several_lives, of_a_torn_tail,
                 of_the_floor_alone, of_a_repair):
        with tempfile.TemporaryDirectory() as folder:
            content = make(binary, folder)
        (Path(target) / make.__name__.removeprefix("of_")).write_bytes(content)
        print(f"{make.__name__.removeprefix('of_')}: {len(content)} bytes")


if __name__ == "__main__":
    main()
