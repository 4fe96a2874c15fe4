#!/usr/bin/env python3
"""The examples tell the stories that examples/README.md shows, word for word.

    examples_test.py BINARY python/zombie.py|node/zombie.js|...

Node finds its packages in NODE_PATH, without it among Debian's.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from fencepost import Fencepost  # noqa: E402

ONE_LINE = re.compile(r"\w+\.\w+: no fencepost at .*\n")
INTERPRETERS = {".py": "/usr/bin/python3", ".js": "node"}


def story(program):
    """The first block that begins with A's part, in the section of examples/README.md that names the program."""
    sections = (ROOT / "examples/README.md").read_text().split("\n## ")
    section = next(section for section in sections if f"examples/{program}\n" in section)
    blocks = re.findall(r"```\n(.*?)```", section, re.DOTALL)
    return next(block for block in blocks if block.startswith("A: "))


def run(program, address):
    environment = {"NODE_PATH": "/usr/share/nodejs", **os.environ}
    interpreter = INTERPRETERS[Path(program).suffix]
    return subprocess.run([interpreter, ROOT / "examples" / program, address], capture_output=True, text=True,
                          timeout=60, env=environment, stdin=subprocess.DEVNULL)


def main():
    binary, program = sys.argv[1:3]
    for address in ("127.0.0.1:1", "localhost:x"):
        lost = run(program, address)
        if lost.returncode != 1 or not ONE_LINE.fullmatch(lost.stderr):
            print(f"{address}: status {lost.returncode}, {lost.stderr}")
            return 1
    with Fencepost(binary) as server:
        done = run(program, f"127.0.0.1:{server.port}")
    print(done.stdout + done.stderr)
    if done.stdout != story(program) or done.returncode != 0:
        print(f"status {done.returncode}; examples/README.md says:\n{story(program)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
