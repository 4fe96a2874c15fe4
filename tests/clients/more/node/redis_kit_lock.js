// @redis-kit/lock over node-redis 5.
'use strict';
const assert = require('node:assert/strict');
const { createClient } = require('redis');
const { Redlock } = require('@redis-kit/lock');
const { client, host, key, port, sleep } = require('./check');

client('@redis-kit/lock', async (check) => {
  const redis = createClient({ socket: { host, port } });
  await redis.connect();
  const hasty = new Redlock([redis], { maxRetryAttempts: 0 });
  const patient = new Redlock([redis], { maxRetryAttempts: 40, retryDelayMs: 50 });
  const [door, window] = [key('door'), key('window')];
  let lock;

  await check('acquires', async () => assert.ok(lock = await hasty.acquire(door, 5000)));
  await check('is refused while another holds it', async () => assert.equal(await hasty.acquire(door, 5000), null));
  await check('extends', async () => {
    assert.equal(await lock.extend(20000), true);
    assert.ok(await redis.pTTL(door) > 10000);
  });
  await check('releases', async () => {
    assert.equal(await lock.release(), true);
    assert.equal(await redis.exists(door), 0);
  });
  await check('waits for the lease to end', async () => {
    await hasty.acquire(door, 1000);
    const next = await patient.acquire(door, 2000);
    assert.equal(await next.release(), true);
  });
  await check('locks two keys together', async () => {
    const both = await hasty.acquire([door, window], 5000);
    assert.equal(await hasty.acquire(window, 500), null);
    await both.release();
    assert.equal(await redis.exists([door, window]), 0);
  });
  await check('renews while its work lasts', async () => {
    await hasty.withLock(door, 1500, async () => {
      await sleep(2500);
      assert.equal(await redis.exists(door), 1);
    }, { extensionThresholdMs: 700 });
    assert.equal(await redis.exists(door), 0);
  });
  await redis.quit();
});
