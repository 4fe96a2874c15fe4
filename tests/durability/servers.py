"""What the tests beside this share: servers that are ended in all ways and started again on the same folder."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import resp  # noqa: E402
from fencepost import await_service, free_port  # noqa: E402


class Client(resp.Client):
    def error(self, *words):
        """The error that the request is answered with; "" when it is answered otherwise."""
        return self.errors(words)[0]

    def errors(self, *requests):
        """The same of several requests that are sent in one write."""
        self.send(*requests)
        return [self.read_error() for _ in requests]

    def read_error(self):
        try:
            self.read()
        except RuntimeError as error:
            return str(error)
        return ""

    def info(self, section):
        lines = self.ask("INFO", section).splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)


class Server:
    """One run of the server in `folder`, its log in `folder`/log; under a `prefix`, a tracer say, if that is given."""

    def __init__(self, binary, folder, *flags, before=None, wait=True, prefix=()):
        self.port = free_port()
        self.log = Path(folder) / "log"
        self.seen = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*prefix, binary, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", f"{folder}/data", *flags],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, preexec_fn=before)
        if wait:
            await_service(self.process, self.port, self.printed)

    def client(self):
        return Client(self.port)

    def printed(self):
        """By this run."""
        return self.log.read_bytes()[self.seen:].decode(errors="replace")

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=30)

    def end(self):
        """In order; its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=30)


def for_everybody(binary, folder):
    """A copy of the server that any user can run, wherever the tree is; for tests that are root and must not be."""
    os.chmod(folder, 0o755)
    copy = Path(folder) / "fencepost"
    shutil.copy(binary, copy)
    os.chmod(copy, 0o755)
    return str(copy)


def become_nobody():
    """Root may write everywhere; whoever is not root need not change."""
    if os.geteuid() == 0:
        os.setuid(65534)


def start_to_fail(binary, folder, *flags, before=None):
    """A start that must not succeed: its exit code and what it printed."""
    done = subprocess.run([binary, "--port", str(free_port()), "--bind", "127.0.0.1", *flags], cwd=folder, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=30, preexec_fn=before)
    return done.returncode, done.stdout + done.stderr


def run_all(binary, tests):
    """Each in a folder of its own; what main() is to return."""
    failed = 0
    for test in tests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"{test.__name__}: {test(binary, folder) or 'passed'}", flush=True)
            except Exception as error:  # noqa: BLE001
                failed += 1
                log = Path(folder) / "log"
                print(f"{test.__name__} FAILED: {type(error).__name__}: {error}", flush=True)
                print(log.read_text()[-2000:] if log.exists() else "", flush=True)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0
