// @sesamecare-oss/redlock over ioredis.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');
const { Redlock } = require('@sesamecare-oss/redlock');
const { client, host, key, port, sleep } = require('./check');

client('@sesamecare-oss/redlock', async (check) => {
  const redis = new Redis({ host, port });
  const patient = new Redlock([redis], { retryCount: 40, retryDelay: 50, retryJitter: 10 });
  const hasty = new Redlock([redis], { retryCount: 0 });
  const [door, window] = [key('door'), key('window')];
  let lock;

  await check('acquires', async () => {
    lock = await hasty.acquire([door], 5000);
    assert.equal(await redis.get(door), lock.value);
  });
  await check('is refused while another holds it', () => assert.rejects(hasty.acquire([door], 5000)));
  await check('extends', async () => {
    lock = await lock.extend(20000);
    assert.ok(await redis.pttl(door) > 10000);
  });
  await check('releases, once', async () => {
    await lock.release();
    assert.equal(await redis.get(door), null);
  });
  await check('waits for the holder to release', async () => {
    const first = await hasty.acquire([door], 5000);
    const second = patient.acquire([door], 5000);
    await sleep(150);
    await first.release();
    await (await second).release();
  });
  await check('waits for the lease to end', async () => {
    await hasty.acquire([door], 1000);
    await (await patient.acquire([door], 2000)).release();
  });
  await check('locks two keys together', async () => {
    const both = await hasty.acquire([door, window], 5000);
    await assert.rejects(hasty.acquire([window], 5000));
    await both.release();
    assert.equal(await redis.exists(door, window), 0);
  });
  await check('renews while its work lasts', async () => {
    await hasty.using([door], 2000, { automaticExtensionThreshold: 1000 }, async (signal) => {
      await sleep(3000);
      assert.equal(signal.aborted, false);
      await assert.rejects(hasty.acquire([door], 500));
    });
    assert.equal(await redis.exists(door), 0);
  });
  await redis.quit();
});
