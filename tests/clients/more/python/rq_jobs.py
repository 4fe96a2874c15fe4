"""The work that rq_worker.py puts in its queues: rq imports it by name."""
from rq import get_current_job


def add(a, b):
    return a + b


def fail():
    raise ValueError("never")


def fail_once(key):
    if get_current_job().connection.incr(key) == 1:
        raise ValueError("not this time")
    return "at last"
