#!/usr/bin/env python3
"""Replays the field-report cases against a server of its own.

    run_cases.py BINARY FOLDER WITHOUT        FOLDER holds run.py and cases.json; WITHOUT is run.py's list of features

The cases of needs_scripts.txt, and only they, are expected to fail: they need EVAL. One of them that passes fails
this run, so that the list is kept true. Cases that need a password are run against a second server that has one.
"""
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from fencepost import Fencepost  # noqa: E402

LIST = Path(__file__).with_name("needs_scripts.txt")
PASSWORD = "a-password-for-the-cases"


def expected_to_fail():
    words = (line.split("#")[0].strip() for line in LIST.read_text().splitlines())
    return {word for word in words if word}


def run(binary, folder, without, *options, flags=()):
    """{case id: (passed, what run.py printed of it)}; skipped ones are left out."""
    with Fencepost(binary, *flags) as server:
        done = subprocess.run([sys.executable, folder / "run.py", "127.0.0.1", str(server.port), folder / "cases.json",
                               "--strict", "--without", without, *options], capture_output=True, text=True, timeout=600)
    outcomes = {}
    for chunk in re.split(r"^(?=(?:PASS|FAIL|SKIP) )", done.stdout, flags=re.MULTILINE):
        head = re.match(r"(PASS|FAIL) (\S+)", chunk)
        if head:
            outcomes[head[2]] = (head[1] == "PASS", chunk.rstrip())
    if not outcomes:
        raise RuntimeError(f"run.py ran nothing:\n{done.stdout}{done.stderr}")
    return outcomes


def outcomes_of_all(binary, folder, without):
    outcomes = run(binary, folder, without)
    with_password = run(binary, folder, without, "--pass", PASSWORD, flags=("--requirepass", PASSWORD))
    return with_password | outcomes  # what needs no password counts as it went without


def main():
    binary, folder, without = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    listed = expected_to_fail()
    good, bad = 0, 0
    for case, (passed, text) in sorted(outcomes_of_all(binary, folder, without).items()):
        if passed == (case not in listed):
            good += 1
        else:
            bad += 1
            print(text if not passed else f"{text}\n     is listed in {LIST.name}, yet it passes: take it off")
    print(f"{len(listed)} cases wait for EVAL ({LIST.name})")
    print(f"{good} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
