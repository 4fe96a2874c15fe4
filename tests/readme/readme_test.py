#!/usr/bin/env python3
"""What README.md shows is what the server does: its session is replayed through redis-cli, its program is run.

    readme_test.py BINARY [DOCUMENT]

A ```session block: `NAME> command` is typed into NAME's redis-cli; the lines below it are its answer; a command with
none under it waits, and `NAME: line` further down is what it was answered in the end.
"""
import queue
import re
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from fencepost import Fencepost  # noqa: E402

ANSWER_WITHIN_S = 10
SILENT_FOR_S = 0.3
# What redis-cli adds below an answer that took half a second or more: how long, not what.
TOOK_LONG = re.compile(r"^\(\d+\.\d+s\)$")


class Terminal:
    """One person's redis-cli."""

    def __init__(self, port):
        self.process = subprocess.Popen(["redis-cli", "--no-raw", "-p", str(port)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            if not TOOK_LONG.match(line):
                self.lines.put(line.rstrip("\n"))

    def type(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def next_line(self, within):
        try:
            return self.lines.get(timeout=within)
        except queue.Empty:
            return None

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


def check_line(terminal, name, expected):
    got = terminal.next_line(ANSWER_WITHIN_S)
    if got != expected:
        raise AssertionError(f"{name} was shown {got!r}; the document says {expected!r}")


def replay(session, port):
    terminals = {}
    name = None
    lines = session.splitlines()
    for number, line in enumerate(lines):
        typed = re.match(r"(\w+)> (.*)", line)
        late = re.match(r"(\w+): (.*)", line)
        if typed:
            name = typed[1]
            if name not in terminals:
                terminals[name] = Terminal(port)
            terminals[name].type(typed[2])
            if number + 1 < len(lines) and re.match(r"\w+[>:] ", lines[number + 1]):
                early = terminals[name].next_line(SILENT_FOR_S)
                if early is not None:
                    raise AssertionError(f"{line!r} should wait, and was answered {early!r}")
        elif late and late[1] in terminals:
            name = late[1]
            check_line(terminals[name], name, late[2])
        else:
            check_line(terminals[name], name, line)
    for name, terminal in terminals.items():
        extra = terminal.next_line(SILENT_FOR_S)
        if extra is not None:
            raise AssertionError(f"{name} was shown {extra!r}, which the document does not show")
        terminal.close()


def run_program(program, port):
    program = program.replace("6379", str(port))
    done = subprocess.run(["/usr/bin/python3", "-c", program], capture_output=True, text=True, timeout=60)
    if done.returncode != 0 or not done.stdout:
        raise AssertionError(f"the program ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    print(done.stdout, end="")


def blocks(text, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def main():
    binary = sys.argv[1]
    document = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "README.md"
    text = document.read_text()
    sessions, programs = blocks(text, "session"), blocks(text, "python")
    if not sessions:
        print(f"{document.name} shows no session")
        return 1
    for play, played in [(replay, sessions), (run_program, programs)]:
        for block in played:
            with Fencepost(binary) as server:
                play(block, server.port)
    print(f"{document.name}: {len(sessions)} sessions and {len(programs)} programs are as shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
