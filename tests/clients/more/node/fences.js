// Locks that redlock takes have fences; the third argument says which redlock.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');
const { client, host, key, port, sleep } = require('./check');

const ADAPTERS = {
  redlock4: (redis) => {
    const redlock = new (require('redlock'))([redis], { retryCount: 0 });
    return { acquire: (door, ms) => redlock.lock(door, ms), release: (lock) => lock.unlock() };
  },
  redlock5: (redis) => {
    const redlock = new (require('redlock5').default)([redis], { retryCount: 0 });
    redlock.on('error', () => {});
    return { acquire: (door, ms) => redlock.acquire([door], ms), release: (lock) => lock.release() };
  },
};
const which = process.argv[4];

client(which, async (check) => {
  const redis = new Redis({ host, port });
  const { acquire, release } = ADAPTERS[which](redis);
  const door = key('door');
  const fence = () => redis.call('FENCE', door);
  const numbers = [];
  let lock;

  await check('FENCE is the number of its hold', async () => {
    lock = await acquire(door, 5000);
    numbers.push(await fence());
    const info = await redis.call('LOCKINFO', door);
    const [holder] = info[info.indexOf('holders') + 1];
    assert.equal(holder[holder.indexOf('owner') + 1], lock.value);
    assert.equal(holder[holder.indexOf('fence') + 1], numbers[0]);
  });
  await check('who is refused draws no number', async () => {
    await assert.rejects(acquire(door, 5000));
    assert.equal(await fence(), numbers[0]);
  });
  await check('renewing keeps the number', async () => {
    lock = await lock.extend(9000);
    assert.equal(await fence(), numbers[0]);
  });
  await check('the number rises when the lock is handed over', async () => {
    await release(lock);
    await acquire(door, 300);
    numbers.push(await fence());
    assert.ok(numbers[1] > numbers[0], String(numbers));
    assert.equal(await redis.call('FENCE', door, numbers[0]), 0);
    assert.equal(await redis.call('FENCE', door, numbers[1]), 1);
  });
  await check('the number rises when a lease lapses', async () => {
    await sleep(400);
    lock = await acquire(door, 5000);
    numbers.push(await fence());
    assert.ok(numbers[2] > numbers[1], String(numbers));
    await release(lock);
  });
  await redis.quit();
});
