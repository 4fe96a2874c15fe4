"""Starts a fencepost of one's own on a free port and ends it; what it printed is shown when it ended badly."""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Fencepost:
    """with Fencepost("build/release/fencepost", "--maxclients", "50") as server: ... server.port

    It runs in a folder of its own, which goes with it.
    """

    def __init__(self, binary, *flags):
        self.port = free_port()
        self.command = [shutil.which(binary) or binary, "--port", str(self.port), "--bind", "127.0.0.1", *flags]
        self.command[0] = os.path.abspath(self.command[0])

    def __enter__(self):
        self.output = tempfile.TemporaryFile()
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.output,
                                        stderr=subprocess.STDOUT, cwd=self.folder.name)
        deadline = time.monotonic() + 20
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                raise RuntimeError(f"{self.command} does not serve:\n{self.printed()}")
            time.sleep(0.02)
        return self

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def printed(self):
        self.output.seek(0)
        return self.output.read().decode(errors="replace")

    def __exit__(self, kind, error, trace):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()
        if self.process.returncode != 0:
            print(self.printed(), file=sys.stderr)
            if error is None:
                raise RuntimeError(f"the server ended with status {self.process.returncode}")
