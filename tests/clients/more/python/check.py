"""What the scripts share: one PASS or FAIL line for each behaviour of a client, and an end of 1 when any failed."""
import os
import sys
import time

HOST = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1"
PORT = int(sys.argv[2]) if len(sys.argv) > 2 else 6379
URL = f"redis://{HOST}:{PORT}"
_run = f"{os.getpid()}-{int(time.time())}"


def key(name):
    return f"more:{_run}:{name}"


class Client:
    """client = Client("a-name"); @client.check("a behaviour") runs the function below it at once; client.end()"""

    def __init__(self, name):
        self.name = name
        self.failed = 0

    def check(self, behaviour):
        def run(does):
            try:
                does()
                self.passes(behaviour)
            except Exception as error:
                self.fails(behaviour, error)
        return run

    async def check_async(self, behaviour, awaited):
        try:
            await awaited
            self.passes(behaviour)
        except Exception as error:
            self.fails(behaviour, error)

    def passes(self, behaviour):
        print(f"PASS {self.name} {behaviour}", flush=True)

    def fails(self, behaviour, error):
        self.failed += 1
        reason = " ".join(f"{type(error).__name__} {error}".split())[:300]
        print(f"FAIL {self.name} {behaviour}: {reason}", flush=True)

    def end(self):
        sys.exit(self.failed > 0)


def equal(seen, wanted):
    if seen != wanted:
        raise AssertionError(f"{seen!r} is not {wanted!r}")


def raises(kind, does):
    try:
        does()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


def eventually(holds, seconds=8):
    """Until holds() is true; what a client does in the background takes a moment."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"not so after {seconds} s")
        time.sleep(0.02)
