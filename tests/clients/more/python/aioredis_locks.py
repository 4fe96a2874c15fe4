#!/usr/bin/python3
"""aioredis 1: an asyncio client with a parser of its own."""
import asyncio

import aioredis

from check import URL, Client, equal, key

client = Client("aioredis1")
DOOR = key("door")
RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


async def acquires_and_is_refused(redis):
    equal(await redis.set(DOOR, "alice", pexpire=5000, exist=redis.SET_IF_NOT_EXIST), True)
    assert not await redis.set(DOOR, "bob", pexpire=5000, exist=redis.SET_IF_NOT_EXIST)
    equal(await redis.get(DOOR, encoding="utf-8"), "alice")


async def releases_its_own_only(redis):
    sha = await redis.script_load(f"{RELEASE} -- {DOOR}")
    equal(await redis.evalsha(sha, [DOOR], ["bob"]), 0)
    equal(await redis.evalsha(sha, [DOOR], ["alice"]), 1)


async def takes_over_after_the_lease(redis):
    await redis.set(DOOR, "alice", pexpire=150, exist=redis.SET_IF_NOT_EXIST)
    await asyncio.sleep(0.25)
    equal(await redis.set(DOOR, "bob", pexpire=5000, exist=redis.SET_IF_NOT_EXIST), True)


async def commits(redis):
    transaction = redis.multi_exec()
    transaction.get(DOOR)
    transaction.delete(DOOR)
    equal(await transaction.execute(), [b"bob", 1])


async def waits_for_an_element(redis):
    with await redis as other:
        waiting = asyncio.ensure_future(other.blpop(f"{DOOR}:list", timeout=5))
        await asyncio.sleep(0.2)
        await redis.rpush(f"{DOOR}:list", "one")
        equal(await waiting, [f"{DOOR}:list".encode(), b"one"])


async def hears(redis):
    (channel,) = await redis.subscribe(f"{DOOR}:freed")
    await redis.publish(f"{DOOR}:freed", "bob")
    equal(await asyncio.wait_for(channel.get(), 5), b"bob")
    await redis.unsubscribe(f"{DOOR}:freed")


async def main():
    redis = await aioredis.create_redis_pool(URL, maxsize=4)
    for story in (acquires_and_is_refused, releases_its_own_only, takes_over_after_the_lease, commits,
                  waits_for_an_element, hears):
        await client.check_async(story.__name__.replace("_", " "), asyncio.wait_for(story(redis), 10))
    redis.close()
    await redis.wait_closed()


asyncio.run(main())
client.end()
