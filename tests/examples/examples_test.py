#!/usr/bin/env python3
"""The examples tell the story that examples/README.md shows, word for word.

    examples_test.py BINARY python|node
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from fencepost import Fencepost  # noqa: E402

PROGRAMS = {
    "python": ["/usr/bin/python3", ROOT / "examples/python/zombie.py"],
    "node": ["node", ROOT / "examples/node/zombie.js"],
}


def story():
    blocks = re.findall(r"```\n(.*?)```", (ROOT / "examples/README.md").read_text(), re.DOTALL)
    return next(block for block in blocks if block.startswith("A: "))


def main():
    binary, language = sys.argv[1:3]
    environment = dict(os.environ, NODE_PATH="/usr/share/nodejs")
    with Fencepost(binary) as server:
        done = subprocess.run([*PROGRAMS[language], f"127.0.0.1:{server.port}"], capture_output=True, text=True,
                              timeout=60, env=environment, stdin=subprocess.DEVNULL)
    print(done.stdout + done.stderr)
    if done.stdout != story() or done.returncode != 0:
        print(f"status {done.returncode}; examples/README.md says:\n{story()}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
