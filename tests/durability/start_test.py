#!/usr/bin/env python3
"""What a start makes of its folder: made when it is missing, refused in plain words when it cannot be used. And what
--check and --repair say of it.

    start_test.py BINARY
"""
import subprocess
import sys
from pathlib import Path

from servers import Server, become_nobody, for_everybody, run_all, start_to_fail

JOURNAL = ("--appendonly", "yes")


def refused(binary, folder, path, *parts, before=None):
    code, printed = start_to_fail(binary, folder, *JOURNAL, "--dir", str(path), before=before)
    assert code == 1, f"exit code {code}: {printed}"
    for part in parts:
        assert part in printed, f"'{part}' is not in: {printed}"


def tool(binary, wish, folder):
    done = subprocess.run([binary, wish, str(folder)], text=True, capture_output=True, timeout=30)
    return done.returncode, done.stdout + done.stderr


def fill(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    fence = client.ask("LOCK", "door", "alice", "PX", 600000)
    for number in range(20):
        client.ask("SET", f"key-{number}", "x" * 100)
        client.ask("WAITAOF", 1, 0, 0)
    return server, fence


def a_missing_folder_is_made(binary, folder):
    server = Server(binary, folder, *JOURNAL)
    assert (Path(folder) / "data").is_dir()
    server.end()
    server = Server(binary, folder, *JOURNAL, "--dir", "no/../where/")
    assert server.client().ask("CONFIG", "GET", "dir") == ["dir", f"{folder}/where"], "as Redis tells it: absolute"
    assert server.end() == 0 and list((Path(folder) / "where").glob("segment-*"))
    refused(binary, folder, Path(folder) / "no" / "such", "making the folder", "No such file or directory")


def a_file_in_its_place_is_refused(binary, folder):
    path = Path(folder) / "file"
    path.write_text("mine")
    refused(binary, folder, path, str(path), "Not a directory")
    assert path.read_text() == "mine"


def a_folder_that_cannot_be_written_is_refused(binary, folder):
    path = Path(folder) / "readonly"
    path.mkdir(mode=0o555)
    refused(for_everybody(binary, folder), folder, path, str(path), "Permission denied", before=become_nobody)
    assert not list(path.iterdir())


def a_folder_in_use_is_refused(binary, folder):
    server, fence = fill(binary, folder)
    refused(binary, folder, Path(folder) / "data", "is in use by another fencepost")
    code, printed = tool(binary, "--repair", Path(folder) / "data")
    assert code == 1 and "is in use by another fencepost" in printed, printed
    code, printed = tool(binary, "--check", Path(folder) / "data")
    assert "A server runs on it" in printed, printed
    assert server.client().ask("FENCE", "door") == fence
    server.end()


def check_says_what_is_there(binary, folder):
    server, _ = fill(binary, folder)
    assert server.end() == 0
    data = Path(folder) / "data"
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    code, printed = tool(binary, "--check", data)
    assert code == 0 and printed.endswith("Good.\n"), printed
    for part in ("keys       21; of these 1 texts with a lease", "in order, by a shutdown", "segment    segment-"):
        assert part in printed, f"'{part}' is not in: {printed}"
    assert before == {path.name: path.read_bytes() for path in data.iterdir()}
    assert tool(binary, "--check", Path(folder) / "none")[0] == 2
    assert not (Path(folder) / "none").exists()
    assert tool(binary, "--check", Path(folder))[0] == 2, "there is no journal in it"


def a_torn_tail_is_cut(binary, folder):
    server, _ = fill(binary, folder)
    server.kill()
    segment = sorted((Path(folder) / "data").glob("segment-*"))[-1]
    with segment.open("ab") as file:
        file.write(b"half a batch")
    code, printed = tool(binary, "--check", Path(folder) / "data")
    assert code == 1 and "12 bytes" in printed, printed
    server = Server(binary, folder, *JOURNAL)
    assert "12 bytes were cut off" in server.printed(), server.printed()
    assert server.client().ask("GET", "key-19") == "x" * 100
    server.end()


def damage_is_refused_and_repaired_on_request(binary, folder):
    server, fence = fill(binary, folder)
    server.end()
    data = Path(folder) / "data"
    segment = sorted(data.glob("segment-*"))[0]
    whole = segment.read_bytes()
    at = whole.index(b"key-10")
    segment.write_bytes(whole[:at] + b"KEY" + whole[at + 3:])
    refused(binary, folder, data, segment.name, "damaged at byte", "this is no torn tail")
    code, printed = tool(binary, "--check", data)
    assert code == 2 and segment.name in printed and "REFUSED" in printed, printed
    code, printed = tool(binary, "--repair", data)
    assert code == 0 and "Repaired." in printed, printed
    assert any(path.read_bytes()[at:at + 3] == b"KEY" for path in data.glob("lost-1-*")), "no byte is gone"
    assert tool(binary, "--check", data)[0] == 0
    server = Server(binary, folder, *JOURNAL)
    client = server.client()
    assert client.ask("GET", "key-9") is not None and client.ask("GET", "key-10") is None
    assert client.ask("FENCE", "door") == fence
    floor = int(printed.split("Fences go on above ")[1].split(".")[0])
    assert floor > 1 << 20 and client.info("persistence")["fence_floor"] == str(floor), "it leaps once"
    assert client.ask("LOCK", "new", "bob") == floor + 1
    assert server.end() == 0


def a_foreign_file_is_refused(binary, folder):
    data = Path(folder) / "data"
    data.mkdir()
    (data / "segment-0000000000000001").write_bytes(b"something else altogether" * 10)
    refused(binary, folder, data, "segment-0000000000000001", "it is no file of fencepost's")
    assert tool(binary, "--check", data)[0] == 2


if __name__ == "__main__":
    sys.exit(run_all(sys.argv[1], [a_missing_folder_is_made, a_file_in_its_place_is_refused,
                                   a_folder_that_cannot_be_written_is_refused, a_folder_in_use_is_refused,
                                   check_says_what_is_there, a_torn_tail_is_cut,
                                   damage_is_refused_and_repaired_on_request, a_foreign_file_is_refused]))
