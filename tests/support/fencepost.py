"""Starts a fencepost of one's own on a free port and ends it; what it printed is shown when it ended badly."""
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


def free_port():
    """Below those that the kernel gives to connections: one of them might take it before the server does."""
    while True:
        port = random.randrange(10000, 32768)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def answers(port):
    """Whether it serves, and is not reading its journal still."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as asking:
            asking.sendall(b"DBSIZE\r\n")
            reply = asking.recv(200)
            return bool(reply) and not reply.startswith(b"-LOADING")
    except OSError:
        return False


def await_service(process, port, printed, seconds=60):
    """Until the server of that process serves; when it does not, what it printed is told."""
    deadline = time.monotonic() + seconds
    while not answers(port):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise RuntimeError(f"{process.args} does not serve:\n{printed()}")
        time.sleep(0.01)


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
        await_service(self.process, self.port, self.printed, seconds=20)
        return self

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


class Kept:
    """A fencepost that is ended and started again, in a folder that stays: its state is what the journal kept.

    with Kept(binary) as server: server.start(); ... server.stop(signal.SIGKILL); server.start(); ...
    """

    def __init__(self, binary, *flags, environment=None):
        self.command = [os.path.abspath(binary), "--bind", "127.0.0.1", *flags]
        self.environment = {**os.environ, **(environment or {})}
        self.process = None

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.log = open(os.path.join(self.folder.name, "log"), "ab+")
        return self

    def __exit__(self, kind, error, trace):
        if self.process:
            self.stop(signal.SIGKILL)
        self.log.close()
        self.folder.cleanup()

    def start(self):
        self.port = free_port()
        self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log, cwd=self.folder.name, env=self.environment)
        await_service(self.process, self.port, self.printed)

    def stop(self, number):
        self.process.send_signal(number)
        self.process.wait(timeout=60)
        self.process = None

    def printed(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")
