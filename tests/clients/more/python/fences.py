#!/usr/bin/python3
"""Locks taken by others' means have fences: redis-py's Lock, and scripts in the manner of redsync and of Redisson."""
import time

import redis
from redis.exceptions import LockError

from check import HOST, PORT, Client, equal, key, raises

server = redis.Redis(HOST, PORT, decode_responses=True)


def fence(name):
    return server.execute_command("FENCE", name)


def is_good(name, number):
    return server.execute_command("FENCE", name, number) == 1


def holders(name):
    """[(owner, fence)] as LOCKINFO shows them."""
    info = server.execute_command("LOCKINFO", name)
    fields = dict(zip(info[::2], info[1::2]))
    return [(holder["owner"], holder["fence"])
            for holder in (dict(zip(each[::2], each[1::2])) for each in fields["holders"])]


def owner_of(lock):
    return lock.local.token.decode()


def the_lock_of_redis_py():
    client, door = Client("redis-py"), key("door")
    alice, bob = (server.lock(door, timeout=5, blocking=False) for _ in range(2))
    numbers = []

    @client.check("FENCE is the number of its hold")
    def _():
        equal(alice.acquire(), True)
        numbers.append(fence(door))
        equal(holders(door), [(owner_of(alice), numbers[0])])

    @client.check("who is refused draws no number")
    def _():
        equal(bob.acquire(), False)
        equal(fence(door), numbers[0])

    @client.check("renewing keeps the number")
    def _():
        alice.extend(10)
        alice.reacquire()
        equal((fence(door), is_good(door, numbers[0])), (numbers[0], True))

    @client.check("the number rises when the lock is handed over")
    def _():
        alice.release()
        equal(bob.acquire(), True)
        numbers.append(fence(door))
        assert numbers[1] > numbers[0], numbers
        equal([is_good(door, number) for number in numbers], [False, True])
        bob.release()

    @client.check("the number rises when a lease lapses")
    def _():
        lapsing = server.lock(door, timeout=0.15, blocking=False)
        equal(lapsing.acquire(), True)
        numbers.append(fence(door))
        time.sleep(0.25)
        equal(alice.acquire(), True)
        assert fence(door) > numbers[2] > numbers[1], numbers
        raises(LockError, lapsing.release)
        equal(holders(door), [(owner_of(alice), fence(door))])
        alice.release()

    return client


ACQUIRE = {
    "EXISTS and SET": "if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end\n"
                      "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])\nreturn 1",
    "SET NX": "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0",
    "SETNX and PEXPIRE": "if redis.call('SETNX', KEYS[1], ARGV[1]) == 0 then return 0 end\n"
                         "return redis.call('PEXPIRE', KEYS[1], ARGV[2])",
    "MSETNX and PEXPIRE": "if redis.call('MSETNX', KEYS[1], ARGV[1]) == 0 then return 0 end\n"
                          "return redis.call('PEXPIRE', KEYS[1], ARGV[2])",
}
EXTEND = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0"
RELEASE = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0"


def scripts_on_strings():
    """redsync and its like: one string for a lock, whose value is the owner."""
    client = Client("redsync-style")
    for manner, script in ACQUIRE.items():
        door = key(manner.replace(" ", "-"))
        acquire, extend, release = (server.register_script(each) for each in (script, EXTEND, RELEASE))

        @client.check(f"FENCE is the number of the hold, and rises ({manner})")
        def _():
            numbers = []
            for owner in ("alice", "bob", "carol"):
                equal(acquire([door], [owner, 5000]), 1)
                numbers.append(fence(door))
                equal(holders(door), [(owner, numbers[-1])])
                equal(acquire([door], ["mallory", 5000]), 0)
                equal(extend([door], [owner, 9000]), 1)
                equal(fence(door), numbers[-1])
                equal(release([door], [owner]), 1)
            assert numbers == sorted(set(numbers)), numbers

    return client


ENTER = """
if redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
  return redis.call('pttl', KEYS[1])
end
redis.call('hincrby', KEYS[1], ARGV[2], 1)
redis.call('pexpire', KEYS[1], ARGV[1])
return nil
"""
LEAVE = """
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return nil end
if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then return 0 end
redis.call('del', KEYS[1])
redis.call('publish', KEYS[1] .. ':freed', 1)
return 1
"""


def scripts_on_hashes():
    """Redisson and its like: one hash for a lock, owner to times entered."""
    client, door = Client("redisson-style"), key("hash")
    enter, leave = server.register_script(ENTER), server.register_script(LEAVE)
    numbers = []

    @client.check("the first to enter draws a number")
    def _():
        equal(enter([door], [5000, "alice"]), None)
        numbers.append(fence(door))
        assert numbers[0] > 0, numbers

    @client.check("who enters again keeps it")
    def _():
        equal(enter([door], [5000, "alice"]), None)
        equal(leave([door], ["alice"]), 0)
        equal(fence(door), numbers[0])

    @client.check("who is refused draws none")
    def _():
        assert enter([door], [5000, "bob"]) > 0
        equal((fence(door), is_good(door, numbers[0])), (numbers[0], True))

    @client.check("the next holder has a greater one")
    def _():
        equal(leave([door], ["alice"]), 1)
        equal(enter([door], [150, "bob"]), None)
        numbers.append(fence(door))
        time.sleep(0.25)
        equal(enter([door], [5000, "carol"]), None)
        numbers.append(fence(door))
        assert numbers == sorted(set(numbers)), numbers
        equal([is_good(door, number) for number in numbers], [False, False, True])
        equal(leave([door], ["carol"]), 1)

    return client


ended = [story() for story in (the_lock_of_redis_py, scripts_on_strings, scripts_on_hashes)]
raise SystemExit(any(client.failed for client in ended))
