// node-resque over ioredis: a worker, the scheduler and the plugins that lock.
'use strict';
const assert = require('node:assert/strict');
const { Plugins, Queue, Scheduler, Worker } = require('node-resque');
const { client, eventually, host, key, port } = require('./check');

client('node-resque', async (check) => {
  const connection = { pkg: 'ioredis', host, port, database: 0, namespace: key('resque') };
  const done = [];
  const jobs = {
    add: { perform: async (a, b) => { done.push(a + b); } },
    fails: { perform: async () => { throw new Error('never'); } },
    once: { plugins: [Plugins.QueueLock], perform: async (word) => { done.push(word); } },
    again: { plugins: [Plugins.Retry], pluginOptions: { Retry: { retryLimit: 3, retryDelay: 10 } },
      perform: async (word) => { done.push(word); if (done.filter((each) => each === word).length < 2) throw new Error('not yet'); } },
  };
  const queue = new Queue({ connection }, jobs);
  const scheduler = new Scheduler({ connection, timeout: 100 });
  const worker = new Worker({ connection, queues: ['work'], timeout: 50 }, jobs);
  for (const part of [queue, scheduler, worker]) {
    part.on('error', () => {});
    await part.connect();
  }

  await check('takes the same job once', async () => {
    assert.equal(await queue.enqueue('work', 'once', ['door']), true);
    assert.notEqual(await queue.enqueue('work', 'once', ['door']), true);
    assert.equal(await queue.length('work'), 1);
  });
  await check('works', async () => {
    await worker.start();
    await queue.enqueue('work', 'add', [1, 2]);
    await eventually(() => done.includes(3) && done.includes('door'));
  });
  await check('keeps what failed', async () => {
    await queue.enqueue('work', 'fails', []);
    await eventually(async () => await queue.failedCount() === 1);
    assert.equal((await queue.failed(0, -1))[0].error, 'never');
  });
  await check('has a leader among the schedulers', async () => {
    await scheduler.start();
    await eventually(() => scheduler.leader);
  });
  await check('does a job later', async () => {
    await queue.enqueueIn(300, 'work', 'add', [20, 2]);
    assert.equal(done.includes(22), false);
    await eventually(() => done.includes(22));
  });
  await check('tries again', async () => {
    await queue.enqueue('work', 'again', ['window']);
    await eventually(() => done.filter((word) => word === 'window').length === 2);
  });
  await check('counts', async () => {
    const { processed } = await queue.stats();
    assert.ok(Number(processed) >= 4, processed);
    assert.equal(Object.keys(await queue.workers()).length, 1);
  });
  for (const part of [worker, scheduler, queue]) await part.end();
});
