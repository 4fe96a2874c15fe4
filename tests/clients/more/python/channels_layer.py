#!/usr/bin/python3
"""channels-redis, the channel layers of Django: messages and groups over sorted sets, and over pub/sub."""
import asyncio

from channels.exceptions import ChannelFull
from channels_redis.core import RedisChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

from check import URL, Client, equal, key

client = Client("channels-redis")


async def send_and_receive(layer):
    channel = await layer.new_channel()
    await layer.send(channel, {"type": "hello", "n": 1})
    equal(await asyncio.wait_for(layer.receive(channel), 5), {"type": "hello", "n": 1})


async def waits(layer):
    channel = await layer.new_channel()
    waiting = asyncio.create_task(layer.receive(channel))
    await asyncio.sleep(0.3)
    await layer.send(channel, {"type": "late"})
    equal(await asyncio.wait_for(waiting, 5), {"type": "late"})


async def groups(layer):
    one, two, group = await layer.new_channel(), await layer.new_channel(), key("group").replace(":", ".")
    await layer.group_add(group, one)
    await layer.group_add(group, two)
    await layer.group_send(group, {"type": "all"})
    for channel in (one, two):
        equal(await asyncio.wait_for(layer.receive(channel), 5), {"type": "all"})
    await layer.group_discard(group, one)
    await layer.group_send(group, {"type": "rest"})
    equal(await asyncio.wait_for(layer.receive(two), 5), {"type": "rest"})


async def refuses_beyond_capacity(layer):
    channel = key("full").replace(":", ".")
    for n in range(3):
        await layer.send(channel, {"n": n})
    try:
        await layer.send(channel, {"n": 3})
    except ChannelFull:
        return
    raise AssertionError("the fourth message was taken")


async def in_order(layer):
    channel = key("line").replace(":", ".")
    for n in range(3):
        await layer.send(channel, {"n": n})
    equal([(await asyncio.wait_for(layer.receive(channel), 5))["n"] for _ in range(3)], [0, 1, 2])


def run(story, make):
    async def whole():
        layer = make()
        await story(layer)
        await layer.flush()
    asyncio.run(whole())


def core():
    return RedisChannelLayer(hosts=[URL], prefix=key("asgi"), capacity=3, expiry=10)


def pubsub():
    return RedisPubSubChannelLayer(hosts=[URL], prefix=key("pubsub"))


for name, story, make in [("sends and receives", send_and_receive, core), ("waits for a message", waits, core),
                          ("reaches a group", groups, core), ("keeps the order", in_order, core),
                          ("refuses beyond its capacity", refuses_beyond_capacity, core),
                          ("sends and receives (pub/sub)", send_and_receive, pubsub),
                          ("waits for a message (pub/sub)", waits, pubsub), ("reaches a group (pub/sub)", groups, pubsub)]:
    client.check(name)(lambda: run(story, make))
client.end()
