// bull, bullmq's predecessor, over ioredis: lists with blocking pops, a lock a job.
'use strict';
const assert = require('node:assert/strict');
const Bull = require('bull');
const { client, eventually, host, key, port, sleep } = require('./check');

client('bull', async (check) => {
  const prefix = key('bull').replace(/:/g, '-');
  const open = [];
  const queue = (name, options) => {
    open.push(new Bull(name, { redis: { host, port }, prefix, ...options }));
    return open.at(-1);
  };
  const sums = queue('sums');
  const done = [];
  sums.process('*', async ({ name, data, attemptsMade }) => {
    if (name === 'fails-once' && attemptsMade === 0) throw new Error('not this time');
    if (name === 'fails') throw new Error('never');
    done.push(name);
    return data.a + data.b;
  });

  await check('does a job and returns its result', async () => {
    const job = await sums.add('add', { a: 1, b: 2 });
    assert.equal(await job.finished(), 3);
  });
  await check('does many', async () => {
    const jobs = await sums.addBulk([...Array(50).keys()].map((i) => ({ name: 'many', data: { a: i, b: i } })));
    const results = await Promise.all(jobs.map((job) => job.finished()));
    assert.deepEqual(results, [...Array(50).keys()].map((i) => 2 * i));
  });
  await check('does a job later', async () => {
    const begun = Date.now();
    const job = await sums.add('later', { a: 2, b: 2 }, { delay: 400 });
    assert.equal(await job.finished(), 4);
    assert.ok(Date.now() - begun >= 400);
  });
  await check('tries again', async () => {
    const job = await sums.add('fails-once', { a: 3, b: 3 }, { attempts: 2, backoff: 100 });
    assert.equal(await job.finished(), 6);
  });
  await check('keeps what failed for good', async () => {
    const job = await sums.add('fails', {});
    await assert.rejects(job.finished(), /never/);
    assert.equal(await sums.getFailedCount(), 1);
  });
  await check('repeats', async () => {
    await sums.add('tick', { a: 0, b: 0 }, { repeat: { every: 200 } });
    await eventually(() => done.filter((name) => name === 'tick').length >= 3);
    await sums.removeRepeatable('tick', { every: 200 });
  });
  await check('goes by priority', async () => {
    const ranked = queue('ranked');
    for (const priority of [3, 1, 2]) await ranked.add({ priority }, { priority });
    const order = [];
    ranked.process(async ({ data }) => { order.push(data.priority); });
    await eventually(() => order.length === 3);
    assert.deepEqual(order, [1, 2, 3]);
  });
  await check('rests and goes on', async () => {
    const rest = queue('rest');
    const did = [];
    rest.process(async ({ data }) => { did.push(data); });
    await rest.pause();
    await rest.add({ a: 1 });
    await sleep(300);
    assert.equal(did.length, 0);
    await rest.resume();
    await eventually(() => did.length === 1);
  });
  await check('goes no faster than allowed', async () => {
    const slow = queue('slow', { limiter: { max: 1, duration: 300 } });
    const times = [];
    slow.process(async () => { times.push(Date.now()); });
    for (let i = 0; i < 3; i += 1) await slow.add({ i });
    await eventually(() => times.length === 3);
    assert.ok(times[2] - times[0] >= 550, `${times[2] - times[0]} ms`);
  });
  await check('tells the progress of a job elsewhere', async () => {
    const long = queue('long');
    const seen = [];
    queue('long').on('global:progress', (id, progress) => seen.push(Number(progress)));
    await sleep(200);
    long.process(async (job) => { await job.progress(40); });
    await (await long.add({})).finished();
    await eventually(() => seen.length === 1);
    assert.deepEqual(seen, [40]);
  });
  await check('counts and cleans', async () => {
    assert.ok((await sums.getJobCounts()).completed > 50);
    await sums.obliterate({ force: true });
    assert.equal((await sums.getJobCounts()).completed, 0);
  });
  await Promise.all(open.map((each) => each.close()));
});
