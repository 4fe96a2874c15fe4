#!/usr/bin/env python3
"""A program that locks with redis-py's own Lock, and has the fence for one more call.

    python3 unchanged.py [HOST:PORT]        the story is told in ../README.md
"""
import sys
import tempfile

from redis.exceptions import LockError

from zombie import Accounts, connect, run


def fence_of(lock):
    """The number of this hold, None when it is over. First the number, then whether the hold still stands: the other
    way round its lease could end in between, and the number would be the next holder's."""
    fence = lock.redis.execute_command("FENCE", lock.name)
    return fence if lock.owned() else None


def release(lock):
    try:
        lock.release()
    except LockError:
        pass  # the lease has ended, and with it the hold


def play(address, accounts):
    lock_a = connect(address).lock("acct:7", timeout=0.5)
    lock_b = connect(address).lock("acct:7", timeout=5, blocking_timeout=5)

    lock_a.acquire()
    fence_a = fence_of(lock_a)
    balance = accounts.read("acct:7")
    print(f"A: has the lock, as ever, and asks for its fence: {fence_a}; reads a balance of {balance}")
    print("A: stalls ...")

    lock_b.acquire()
    fence_b = fence_of(lock_b)
    print(f"B: tries until A's lease ends, and asks for its fence: {fence_b}")
    taken = accounts.write("acct:7", accounts.read("acct:7") + 50, fence_b)
    print(f"B: writes 150 with fence {fence_b}: {'taken' if taken else 'refused'}")
    release(lock_b)

    taken = accounts.write("acct:7", balance - 10, fence_a)
    outcome = "taken" if taken else "refused, the lock is somebody else's by now"
    print(f"A: wakes and writes 90 with fence {fence_a}: {outcome}")
    release(lock_a)


def main():
    address = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:6379"
    with tempfile.TemporaryDirectory() as folder:
        accounts = Accounts(f"{folder}/accounts.db")
        play(address, accounts)
        balance = accounts.read("acct:7")
        print(f"the balance is {balance}, as {'B' if balance == 150 else 'A'} left it")
        return 0 if balance == 150 else 1


if __name__ == "__main__":
    run(main)
