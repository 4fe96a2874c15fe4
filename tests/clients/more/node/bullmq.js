// bullmq over ioredis: a queue with real workers.
'use strict';
const assert = require('node:assert/strict');
const { FlowProducer, Queue, QueueEvents, Worker } = require('bullmq');
const { client, eventually, host, key, port, sleep } = require('./check');

client('bullmq', async (check) => {
  const connection = { host, port, maxRetriesPerRequest: null };
  const prefix = key('bull').replace(/:/g, '-');
  const open = [];
  const kept = (thing) => { open.push(thing); return thing; };
  const queue = (name) => kept(new Queue(name, { connection, prefix }));
  const events = (name) => kept(new QueueEvents(name, { connection, prefix }));
  const worker = (name, does, options) => kept(new Worker(name, does, { connection, prefix, ...options }));

  const sums = queue('sums');
  const sums_events = events('sums');
  await sums_events.waitUntilReady();
  const done = [];
  worker('sums', async ({ name, data, attemptsMade }) => {
    if (name === 'fails-once' && attemptsMade === 0) throw new Error('not this time');
    if (name === 'fails') throw new Error('never');
    done.push(name);
    return data.a + data.b;
  });

  await check('does a job and returns its result', async () => {
    const job = await sums.add('add', { a: 1, b: 2 });
    assert.equal(await job.waitUntilFinished(sums_events, 8000), 3);
  });
  await check('does many', async () => {
    const jobs = await sums.addBulk([...Array(50).keys()].map((i) => ({ name: 'many', data: { a: i, b: i } })));
    const results = await Promise.all(jobs.map((job) => job.waitUntilFinished(sums_events, 8000)));
    assert.deepEqual(results, [...Array(50).keys()].map((i) => 2 * i));
  });
  await check('does a job later', async () => {
    const begun = Date.now();
    const job = await sums.add('later', { a: 2, b: 2 }, { delay: 400 });
    assert.equal(await job.waitUntilFinished(sums_events, 8000), 4);
    assert.ok(Date.now() - begun >= 400);
  });
  await check('tries again', async () => {
    const job = await sums.add('fails-once', { a: 3, b: 3 }, { attempts: 2, backoff: { type: 'fixed', delay: 100 } });
    assert.equal(await job.waitUntilFinished(sums_events, 8000), 6);
  });
  await check('keeps what failed for good', async () => {
    const job = await sums.add('fails', {}, { attempts: 2 });
    await assert.rejects(job.waitUntilFinished(sums_events, 8000), /never/);
    assert.equal(await sums.getFailedCount(), 1);
  });
  await check('takes the same job once', async () => {
    const deduplication = { id: 'one', ttl: 5000 };
    const [first, second] = [await sums.add('once', { a: 1, b: 1 }, { deduplication }), await sums.add('once', { a: 1, b: 1 }, { deduplication })];
    assert.equal(first.id, second.id);
  });
  await check('repeats', async () => {
    await sums.upsertJobScheduler('tick', { every: 200 }, { name: 'tick', data: { a: 0, b: 0 } });
    await eventually(() => done.filter((name) => name === 'tick').length >= 3);
    assert.equal(await sums.removeJobScheduler('tick'), true);
  });
  await check('goes by priority', async () => {
    const ranked = queue('ranked');
    for (const priority of [3, 1, 2]) await ranked.add(String(priority), {}, { priority });
    const order = [];
    worker('ranked', async ({ name }) => { order.push(name); });
    await eventually(() => order.length === 3);
    assert.deepEqual(order, ['1', '2', '3']);
  });
  await check('rests and goes on', async () => {
    const rest = queue('rest');
    const did = [];
    worker('rest', async ({ name }) => { did.push(name); });
    await rest.pause();
    await rest.add('a', {});
    await sleep(300);
    assert.equal(did.length, 0);
    await rest.resume();
    await eventually(() => did.length === 1);
  });
  await check('goes no faster than allowed', async () => {
    const slow = queue('slow');
    const times = [];
    await slow.addBulk([1, 2, 3].map((i) => ({ name: String(i), data: {} })));
    worker('slow', async () => { times.push(Date.now()); }, { limiter: { max: 1, duration: 300 } });
    await eventually(() => times.length === 3);
    assert.ok(times[2] - times[0] >= 550, `${times[2] - times[0]} ms`);
  });
  await check('does the children of a flow first', async () => {
    const flow = kept(new FlowProducer({ connection, prefix }));
    queue('family');
    const order = [];
    worker('family', async (job) => {
      order.push(job.name);
      return job.name === 'parent' ? Object.values(await job.getChildrenValues()).sort() : job.name;
    });
    const family_events = events('family');
    await family_events.waitUntilReady();
    const child = (name) => ({ name, queueName: 'family', data: {} });
    const { job } = await flow.add({ ...child('parent'), children: [child('one'), child('two')] });
    assert.deepEqual(await job.waitUntilFinished(family_events, 8000), ['one', 'two']);
    assert.equal(order[2], 'parent');
  });
  await check('finishes what a lost worker began', async () => {
    const lost = queue('lost');
    const stuck = kept(new Worker('lost', null, { connection, prefix, lockDuration: 500 }));
    await lost.add('orphan', {});
    await stuck.getNextJob('a-token-that-nobody-renews');
    const did = [];
    worker('lost', async ({ name }) => { did.push(name); }, { lockDuration: 500, stalledInterval: 300 });
    await eventually(() => did.length === 1);
  });
  await check('counts and cleans', async () => {
    assert.ok((await sums.getJobCounts('completed')).completed > 50);
    await sums.obliterate({ force: true });
    assert.deepEqual(await sums.getJobCounts('completed', 'failed', 'waiting'), { completed: 0, failed: 0, waiting: 0 });
  });
  await Promise.all(open.map((thing) => thing.close()));
});
