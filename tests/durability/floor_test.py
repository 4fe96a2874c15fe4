#!/usr/bin/env python3
"""Without a journal fences still rise over restarts; and what --raise-floor does, with a journal and without.

    floor_test.py BINARY
"""
import os
import sys
from pathlib import Path

from servers import Server, become_nobody, for_everybody, run_all, start_to_fail

BLOCK = 1 << 20
MEMORY = ("--appendonly", "no")
JOURNAL = ("--appendonly", "yes")


def rises_over_kill_9(binary, folder):
    newest = 0
    for _ in range(4):
        server = Server(binary, folder, *MEMORY)
        client = server.client()
        assert client.ask("EXISTS", "door") == 0, "nothing else is kept"
        fence = client.ask("LOCK", "door", "alice")
        assert fence > newest, f"fence {fence} after {newest}"
        assert fence < newest + 2 * BLOCK, f"fence {fence} after {newest} leaps too far"
        assert int(client.info("persistence")["fence_floor_kept"]) > fence
        newest = fence
        server.kill()


def goes_on_where_an_orderly_end_left_it(binary, folder):
    for round in range(1, 4):
        server = Server(binary, folder, *MEMORY)
        assert server.client().ask("LOCK", "door", "alice") == round
        assert server.end() == 0


def is_raised_before_it_is_reached(binary, folder):
    """One key draws more than two blocks; a kill at any moment must not let a number come again."""
    server = Server(binary, folder, *MEMORY)
    client = server.client()
    script = "for i=1,20000 do redis.call('set', KEYS[1], i) end return redis.call('fence', KEYS[1])"
    fence = 0
    while fence < 2 * BLOCK + BLOCK // 3:
        fence = client.ask("EVAL", script, 1, "busy")
        kept = int(client.info("persistence")["fence_floor_kept"])
        assert kept >= fence, f"told {fence}, kept {kept}"
    server.kill()
    server = Server(binary, folder, *MEMORY)
    assert server.client().ask("LOCK", "busy", "alice") > fence
    server.kill()


def goes_on_without_a_folder_and_says_so_once(binary, folder):
    binary = for_everybody(binary, folder)
    (Path(folder) / "log").touch(mode=0o666)
    os.chmod(Path(folder) / "log", 0o666)
    os.mkdir(Path(folder) / "data", 0o555)
    server = Server(binary, folder, *MEMORY, before=become_nobody)
    client = server.client()
    assert client.ask("LOCK", "door", "alice") == 1
    for number in range(3000):
        client.ask("SET", "key", number)
    assert client.info("persistence")["fence_floor_kept"] == "0"
    told = server.printed().count("floor of fences cannot be kept")
    assert told == 1, f"said {told} times:\n{server.printed()}"
    assert server.end() == 0


def a_damaged_file_is_refused(binary, folder):
    server = Server(binary, folder, *MEMORY)
    server.client().ask("LOCK", "door", "alice")
    server.end()
    file = Path(folder) / "data" / "fence-floor"
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
        code, printed = start_to_fail(binary, folder, *MEMORY, "--dir", f"{folder}/data")
        assert code == 1 and "fence-floor" in printed and "--raise-floor" in printed, (at, code, printed)
    before = {path.name: path.read_bytes() for path in (Path(folder) / "data").iterdir()}
    code, printed = start_to_fail(binary, folder, *JOURNAL, "--dir", f"{folder}/data")
    assert code == 1 and "fence-floor" in printed, (code, printed)
    assert before == {path.name: path.read_bytes() for path in (Path(folder) / "data").iterdir()}, "nothing was changed"
    server = Server(binary, folder, *MEMORY, "--raise-floor", "5000")
    assert server.client().ask("LOCK", "door", "alice") == 5001
    server.end()


def a_change_of_mode_keeps_the_floor(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    for number in range(100):
        client.ask("SET", "key", number)
    server.kill()
    server = Server(binary, folder, *MEMORY)
    fence = server.client().ask("LOCK", "other", "alice")
    assert fence > 100, "above what the journal tells of"
    server.kill()
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    assert client.ask("GET", "key") == "99", "the journal's keys are there again"
    assert client.ask("LOCK", "third", "alice") > fence, "above what was told without the journal"
    newest = client.ask("LOCK", "key2", "alice")
    server.kill()
    assert not (Path(folder) / "data" / "fence-floor").exists(), "it would look newer than the journal"
    server = Server(binary, folder, *MEMORY)
    assert server.client().ask("LOCK", "third", "alice") > newest
    server.kill()


def a_hold_of_before_a_time_without_a_journal_is_stale(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    old = client.ask("LOCK", "door", "alice", "PX", 600000)
    shared = client.ask("LOCK", "room", "alice", "SHARED", "PX", 600000)
    server.end()
    server = Server(binary, folder, *MEMORY)
    newer = server.client().ask("LOCK", "door", "bob", "PX", 100)
    server.end()
    for _ in range(2):
        server = Server(binary, folder, *JOURNAL)
        client = server.client()
        assert client.ask("GET", "door") == "alice", "her lease is not over"
        assert client.ask("FENCE", "door", old) == 0 and client.ask("FENCE", "room", shared) == 0
        assert client.ask("FENCE", "door", newer) == 0, "nor is his good"
        assert client.ask("FENCE", "door") > newer
        assert client.ask("UNLOCK", "room", "bob") == 0
        server.kill()
    server = Server(binary, folder, *JOURNAL)
    assert server.client().ask("UNLOCK", "door", "alice") == 1
    assert server.client().ask("UNLOCK", "room", "alice") == 1
    server.kill()


def raise_floor_with_a_journal(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    held = client.ask("LOCK", "held", "alice", "PX", 600000)
    client.ask("LOCK", "gone", "alice")
    client.ask("UNLOCK", "gone", "alice")
    server.kill()
    server = Server(binary, folder, *JOURNAL, "--raise-floor")
    server.kill()
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    assert client.ask("FENCE", "held") == held, "a hold keeps its number"
    assert client.ask("UNLOCK", "held", "alice") == 1
    for key in ("held", "gone", "new"):
        fence = client.ask("LOCK", key, "bob")
        assert fence > BLOCK, f"{key}: {fence}, though the start before was killed at once"
    server.kill()
    server = Server(binary, folder, *JOURNAL, "--raise-floor", str(10 * BLOCK))
    client = server.client()
    assert client.info("persistence")["fence_floor"] == str(10 * BLOCK)
    assert client.ask("LOCK", "newer", "bob") == 10 * BLOCK + 1
    server.kill()
    for wrong in ("0", "-1", "x", str(1 << 53)):
        code, printed = start_to_fail(binary, folder, "--raise-floor", wrong)
        assert code == 1 and "--raise-floor" in printed, (wrong, code, printed)
    for mode in (MEMORY, JOURNAL):
        code, printed = start_to_fail(binary, folder, *mode, "--raise-floor", str((1 << 53) - 1))
        assert code == 1 and "cannot be raised so far" in printed, "no number would be left to draw"


if __name__ == "__main__":
    sys.exit(run_all(sys.argv[1], [rises_over_kill_9, goes_on_where_an_orderly_end_left_it,
                                   is_raised_before_it_is_reached, goes_on_without_a_folder_and_says_so_once,
                                   a_damaged_file_is_refused, a_change_of_mode_keeps_the_floor,
                                   a_hold_of_before_a_time_without_a_journal_is_stale,
                                   raise_floor_with_a_journal]))
