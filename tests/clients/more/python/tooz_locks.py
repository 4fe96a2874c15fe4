#!/usr/bin/python3
"""tooz, OpenStack's coordination library, over redis: locks, groups, a leader."""
import logging
import threading
import time

from tooz import coordination

from check import URL, Client, equal, eventually, key, raises

logging.disable(logging.CRITICAL)  # it logs what it answers, too
client = Client("tooz")
alice, bob = (coordination.get_coordinator(f"{URL}?timeout=5", key(name).encode()) for name in ("alice", "bob"))
for each in (alice, bob):
    each.start()
GROUP = key("group").encode()
alices, bobs = (each.get_lock(key("door").encode()) for each in (alice, bob))


@client.check("acquires")
def _():
    equal(alices.acquire(), True)


@client.check("is refused while another holds it")
def _():
    equal(bobs.acquire(blocking=False), False)


@client.check("gives up after a while")
def _():
    begun = time.monotonic()
    equal(bobs.acquire(blocking=0.3), False)
    assert 0.1 <= time.monotonic() - begun < 2


@client.check("renews with its heartbeat")
def _():
    alice.heartbeat()
    equal(bobs.acquire(blocking=False), False)


@client.check("waits for the holder to release")
def _():
    threading.Timer(0.2, alices.release).start()
    equal(bobs.acquire(blocking=5), True)
    equal(bobs.release(), True)


@client.check("breaks the lock of another")
def _():
    equal(alices.acquire(), True)
    equal(bobs.break_(), True)
    equal(bobs.acquire(blocking=False), True)
    equal(alices.release(), False)
    equal(bobs.release(), True)


@client.check("keeps groups")
def _():
    alice.create_group(GROUP).get()
    alice.join_group(GROUP, b"can do this").get()
    bob.join_group(GROUP).get()
    equal(len(bob.get_members(GROUP).get()), 2)
    equal(bob.get_member_capabilities(GROUP, key("alice").encode()).get(), b"can do this")
    raises(coordination.GroupAlreadyExist, lambda: bob.create_group(GROUP).get())


@client.check("tells who leaves")
def _():
    left = []
    alice.watch_leave_group(GROUP, lambda event: left.append(event.member_id))
    alice.run_watchers()
    bob.leave_group(GROUP).get()
    eventually(lambda: alice.run_watchers() is not None and left)
    equal(left, [key("bob").encode()])


@client.check("elects one leader")
def _():
    elected = []
    for each in (alice, bob):
        each.watch_elected_as_leader(GROUP, lambda event: elected.append(event.member_id))
        each.run_watchers()
    equal(elected, [key("alice").encode()])


for each in (alice, bob):
    each.stop()
client.end()
