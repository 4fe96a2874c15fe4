// redlock 3 over node-redis 3.
'use strict';
const assert = require('node:assert/strict');
const { promisify } = require('node:util');
const { using } = require('bluebird');
const redis3 = require('redis3');
const Redlock = require('redlock3');
const { client, host, key, port, sleep } = require('./check');

client('redlock3', async (check) => {
  const redis = redis3.createClient({ host, port });
  const get = promisify(redis.get).bind(redis);
  const hasty = new Redlock([redis], { retryCount: 0 });
  const patient = new Redlock([redis], { retryCount: 40, retryDelay: 50 });
  const door = key('door');
  let lock;

  await check('acquires', async () => {
    lock = await hasty.lock(door, 5000);
    assert.equal(await get(door), lock.value);
  });
  await check('is refused while another holds it', () => assert.rejects(hasty.lock(door, 5000)));
  await check('extends', async () => {
    lock = await lock.extend(20000);
    assert.ok(await promisify(redis.pttl).call(redis, door) > 10000);
  });
  await check('releases', async () => {
    await lock.unlock();
    assert.equal(await get(door), null);
  });
  await check('cannot extend what it has released', () => assert.rejects(lock.extend(1000)));
  await check('waits for the lease to end', async () => {
    await hasty.lock(door, 1000);
    await (await patient.lock(door, 2000)).unlock();
  });
  await check('disposes of the lock at the end of its work', async () => {
    await using(hasty.disposer(door, 5000, (error) => assert.fail(error)), () => sleep(50));
    assert.equal(await get(door), null);
  });
  await promisify(redis.quit).call(redis);
});
