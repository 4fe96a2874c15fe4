#!/usr/bin/python3
"""dogpile.cache with distributed_lock: of those who miss a value, one makes it."""
import threading
import time

from dogpile.cache import make_region
from dogpile.cache.api import NO_VALUE

from check import HOST, PORT, Client, equal, key

client = Client("dogpile.cache")


def region():
    return make_region(key_mangler=key).configure(
        "dogpile.cache.redis", expiration_time=30,
        arguments={"host": HOST, "port": PORT, "distributed_lock": True, "lock_timeout": 5, "lock_sleep": 0.02,
                   "thread_local_lock": False, "redis_expiration_time": 60})


here, there = region(), region()


@client.check("keeps and forgets a value")
def _():
    here.set("colour", {"red": 1})
    equal(there.get("colour"), {"red": 1})
    there.delete("colour")
    equal(here.get("colour"), NO_VALUE)


@client.check("keeps many")
def _():
    here.set_multi({"a": 1, "b": 2})
    equal(there.get_multi(["a", "b", "c"]), [1, 2, NO_VALUE])


@client.check("locks between processes")
def _():
    alice, bob = here.backend.get_mutex("door"), there.backend.get_mutex("door")
    equal(alice.acquire(), True)
    equal(bob.acquire(wait=False), False)
    alice.release()
    equal(bob.acquire(wait=False), True)
    bob.release()


@client.check("lets one make the value")
def _():
    made = []

    def make():
        made.append(1)
        time.sleep(0.3)
        return "made once"

    seen = []
    both = [threading.Thread(target=lambda r=r: seen.append(r.get_or_create("costly", make))) for r in (here, there)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    equal((len(made), seen), (1, ["made once"] * 2))


client.end()
