#!/usr/bin/env python3
"""A holder that was stalled past its lease comes back and writes; the store refuses it by the fence.

    python3 zombie.py [HOST[:PORT]]      the story is told in ../README.md
"""
import os
import sqlite3
import sys
import tempfile
import uuid

import redis


class Accounts:
    """The guarded store: each row remembers the greatest fence that wrote it, and refuses smaller ones."""

    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("CREATE TABLE account (id TEXT PRIMARY KEY, balance INTEGER, fence INTEGER DEFAULT 0)")
        self.db.execute("INSERT INTO account (id, balance) VALUES ('acct:7', 100)")

    def read(self, account):
        return self.db.execute("SELECT balance FROM account WHERE id = ?", [account]).fetchone()[0]

    def write(self, account, balance, fence):
        """True when it was taken. Check and write are one statement: there is no moment between them."""
        done = self.db.execute("UPDATE account SET balance = ?, fence = ? WHERE id = ? AND fence <= ?",
                               [balance, fence, account, fence])
        return done.rowcount == 1


def connect(address):
    host, _, port = address.partition(":")
    # The client must be willing to wait longer than any WAIT that it sends.
    return redis.Redis(host, int(port or 6379), socket_timeout=10)


def play(address, accounts):
    a, b = connect(address), connect(address)
    owner_a, owner_b = f"A-{uuid.uuid4()}", f"B-{uuid.uuid4()}"

    fence_a = a.execute_command("LOCK", "acct:7", owner_a, "PX", 500)
    balance = accounts.read("acct:7")
    print(f"A: has the lock, fence {fence_a}; reads a balance of {balance}")
    print("A: stalls ... (a garbage collection, a suspended machine, a network gone quiet)")

    fence_b = b.execute_command("LOCK", "acct:7", owner_b, "PX", 5000, "WAIT", 5000)
    print(f"B: waits in line, and is granted the lock as A's lease ends: fence {fence_b}")
    taken = accounts.write("acct:7", accounts.read("acct:7") + 50, fence_b)
    print(f"B: writes 150 with fence {fence_b}: {'taken' if taken else 'refused'}")
    b.execute_command("UNLOCK", "acct:7", owner_b)

    taken = accounts.write("acct:7", balance - 10, fence_a)
    outcome = "taken" if taken else "refused, the lock is somebody else's by now"
    print(f"A: wakes and writes 90 with fence {fence_a}: {outcome}")
    a.execute_command("UNLOCK", "acct:7", owner_a)


def main():
    address = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:6379"
    with tempfile.TemporaryDirectory() as folder:
        accounts = Accounts(f"{folder}/accounts.db")
        play(address, accounts)
        balance = accounts.read("acct:7")
        print(f"the balance is {balance}, as {'B' if balance == 150 else 'A'} left it")
        return 0 if balance == 150 else 1


def run(story):
    try:
        sys.exit(story())
    except (ValueError, redis.ConnectionError, redis.ResponseError) as error:
        sys.exit(f"{os.path.basename(sys.argv[0])}: no fencepost at {(sys.argv[1:] or ['127.0.0.1:6379'])[0]}: {error}")


if __name__ == "__main__":
    run(main)
