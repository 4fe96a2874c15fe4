#!/usr/bin/python3
"""limits (under flask-limiter, slowapi and others): its three strategies over redis, by scripts of its own."""
import time

from limits import RateLimitItemPerMinute, RateLimitItemPerSecond, storage, strategies

from check import URL, Client, equal, key

client = Client("limits")
store = storage.storage_from_string(URL)
WHO = key("alice")


@client.check("reaches its store")
def _():
    equal(store.check(), True)


for name in ("FixedWindowRateLimiter", "FixedWindowElasticExpiryRateLimiter", "MovingWindowRateLimiter"):
    limiter = getattr(strategies, name)(store)

    @client.check(f"lets through and refuses ({name})")
    def _():
        twice = RateLimitItemPerMinute(2)
        equal([limiter.hit(twice, WHO, name) for _ in range(3)], [True, True, False])
        equal(limiter.test(twice, WHO, name), False)
        reset, remaining = limiter.get_window_stats(twice, WHO, name)
        equal(remaining, 0)
        assert time.time() < reset < time.time() + 61, reset

    @client.check(f"begins anew when its time is over ({name})")
    def _():
        once = RateLimitItemPerSecond(1)
        equal([limiter.hit(once, WHO, name, "s") for _ in range(2)], [True, False])
        time.sleep(1.1)
        equal(limiter.hit(once, WHO, name, "s"), True)

    @client.check(f"forgets ({name})")
    def _():
        once = RateLimitItemPerMinute(1)
        limiter.hit(once, WHO, name, "c")
        limiter.clear(once, WHO, name, "c")
        equal(limiter.hit(once, WHO, name, "c"), True)


@client.check("forgets everything")
def _():
    assert store.reset() > 0
    equal(strategies.FixedWindowRateLimiter(store).hit(RateLimitItemPerMinute(1), WHO), True)


client.end()
