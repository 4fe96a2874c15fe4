#!/usr/bin/python3
"""rq: a worker that forks for each job, and its scheduler."""
import datetime
import logging

import redis
import rq_jobs
from rq import Queue, Retry, Worker
from rq.registry import FailedJobRegistry, ScheduledJobRegistry

from check import HOST, PORT, Client, equal, eventually, key

client = Client("rq")
connection = redis.Redis(HOST, PORT)
queue = Queue(key("work"), connection=connection)


def work(**options):
    worker = Worker([queue], connection=connection)
    return worker.work(burst=True, logging_level=logging.CRITICAL, **options)


@client.check("does a job and keeps its result")
def _():
    job = queue.enqueue(rq_jobs.add, 1, 2)
    work()
    equal((job.get_status(refresh=True), job.result), ("finished", 3))


@client.check("does them in order of need")
def _():
    first = queue.enqueue(rq_jobs.add, 2, 2)
    second = queue.enqueue(rq_jobs.add, 3, 3, depends_on=first)
    equal(second.get_status(), "deferred")
    work()
    eventually(lambda: second.get_status(refresh=True) == "finished")
    equal(second.result, 6)


@client.check("keeps what failed")
def _():
    job = queue.enqueue(rq_jobs.fail)
    work()
    equal(job.get_status(refresh=True), "failed")
    assert "ValueError: never" in job.exc_info
    equal(FailedJobRegistry(queue=queue).get_job_ids(), [job.id])


@client.check("tries again")
def _():
    job = queue.enqueue(rq_jobs.fail_once, key("tries"), retry=Retry(max=2))
    work()
    equal((job.get_status(refresh=True), job.result), ("finished", "at last"))


@client.check("does a job later")
def _():
    job = queue.enqueue_in(datetime.timedelta(seconds=1), rq_jobs.add, 20, 2)
    equal(ScheduledJobRegistry(queue=queue).count, 1)

    def done():
        work(with_scheduler=True)
        return job.get_status(refresh=True) == "finished"

    eventually(done, seconds=15)
    equal(job.result, 22)


@client.check("cancels")
def _():
    job = queue.enqueue(rq_jobs.add, 1, 1)
    job.cancel()
    equal((queue.count, job.get_status()), (0, "canceled"))


@client.check("has no workers left")
def _():
    equal(Worker.count(connection=connection, queue=queue), 0)


client.end()
