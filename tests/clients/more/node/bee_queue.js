// bee-queue over node-redis 3.
'use strict';
const assert = require('node:assert/strict');
const Bee = require('bee-queue');
const { client, eventually, host, key, port } = require('./check');

client('bee-queue', async (check) => {
  const open = [];
  const queue = (name, options) => {
    open.push(new Bee(name, { redis: { host, port }, prefix: key('bee'), activateDelayedJobs: true, ...options }));
    return open.at(-1);
  };
  const ended = (job) => new Promise((done, fail) => job.on('succeeded', done).on('failed', fail));
  const sums = queue('sums');
  let failures = 0;
  sums.process(async ({ data }) => {
    if (data.fails && failures++ === 0) throw new Error('not this time');
    if (data.always) throw new Error('never');
    return data.a + data.b;
  });
  await sums.ready();

  await check('does a job and returns its result', async () => {
    const job = sums.createJob({ a: 1, b: 2 });
    const result = ended(job);
    await job.save();
    assert.equal(await result, 3);
  });
  await check('does many', async () => {
    const jobs = [...Array(50).keys()].map((i) => sums.createJob({ a: i, b: i }));
    const results = Promise.all(jobs.map(ended));
    assert.equal((await sums.saveAll(jobs)).size, 0);
    assert.deepEqual(await results, [...Array(50).keys()].map((i) => 2 * i));
  });
  await check('does a job later', async () => {
    const begun = Date.now();
    const job = sums.createJob({ a: 2, b: 2 }).delayUntil(begun + 400);
    const result = ended(job);
    await job.save();
    assert.equal(await result, 4);
    assert.ok(Date.now() - begun >= 400);
  });
  await check('tries again', async () => {
    const job = sums.createJob({ a: 3, b: 3, fails: true }).retries(2).backoff('fixed', 100);
    const result = ended(job);
    await job.save();
    assert.equal(await result, 6);
    assert.equal(failures, 2);
  });
  await check('keeps what failed for good', async () => {
    const job = sums.createJob({ always: true });
    const result = ended(job);
    await job.save();
    await assert.rejects(result, /never/);
    assert.equal((await sums.checkHealth()).failed, 1);
  });
  await check('finishes what a lost worker began', async () => {
    const lost = queue('lost', { stallInterval: 300 });
    let begun = 0;
    lost.process(() => { begun += 1; return new Promise(() => {}); });
    await lost.createJob({}).save();
    await eventually(() => begun === 1);
    await lost.close(1).catch(() => {});
    const next = queue('lost', { stallInterval: 300 });
    let done = 0;
    next.process(async () => { done += 1; });
    await eventually(async () => { await next.checkStalledJobs(); return done === 1; });
  });
  await check('forgets everything', async () => {
    await sums.destroy();
    assert.equal((await sums.checkHealth()).succeeded, 0);
  });
  await Promise.all(open.map((each) => each.close(1000).catch(() => {})));
});
