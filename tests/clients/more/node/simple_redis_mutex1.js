// simple-redis-mutex 1 over ioredis; its `fifo` mode keeps a line of its own in keys of its own.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');
const { lock } = require('simple-redis-mutex');
const { client, host, key, port, sleep } = require('./check');

client('simple-redis-mutex1', async (check) => {
  const redis = new Redis({ host, port });
  const door = key('door');
  let release;

  await check('acquires', async () => {
    release = await lock(redis, door, { timeoutMillis: 10000 });
  });
  await check('is refused while another holds it', () =>
    assert.rejects(lock(redis, door, { timeoutMillis: 5000, failAfterMillis: 150, retryTimeMillis: 40 })));
  await check('releases', async () => {
    await release();
    await (await lock(redis, door, { timeoutMillis: 5000, failAfterMillis: 5000 }))();
  });
  await check('waits for the lease to end', async () => {
    await lock(redis, door, { timeoutMillis: 250 });
    await (await lock(redis, door, { timeoutMillis: 2000, retryTimeMillis: 20 }))();
  });
  await check('grants in the order of arrival', async () => {
    const fair = { fifo: true, timeoutMillis: 4000, retryTimeMillis: 20 };
    const first = await lock(redis, door, fair);
    const order = [];
    const visit = async (name) => {
      const leave = await lock(redis, door, fair);
      order.push(name);
      await leave();
    };
    const visits = [];
    for (const name of ['bob', 'carol', 'dave']) {
      visits.push(visit(name));
      await sleep(40);
    }
    await first();
    await Promise.all(visits);
    assert.deepEqual(order, ['bob', 'carol', 'dave']);
  });
  await redis.quit();
});
