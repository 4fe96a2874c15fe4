// rate-limiter-flexible over ioredis and over node-redis 5.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');
const { createClient } = require('redis');
const { BurstyRateLimiter, RateLimiterRedis } = require('rate-limiter-flexible');
const { client, host, key, port, sleep } = require('./check');

// What the limiter says when it does not let through.
const refusal_of = (consumption) => consumption.then(() => assert.fail('let through'), (reason) => reason);

async function limits(check, over, store) {
  const limiter = (options) => new RateLimiterRedis({ ...store, keyPrefix: key(over), ...options });
  const twice = limiter({ points: 2, duration: 1 });

  await check(`counts down (${over})`, async () => {
    assert.equal((await twice.consume('alice')).remainingPoints, 1);
    assert.equal((await twice.consume('alice')).remainingPoints, 0);
  });
  await check(`refuses beyond the limit (${over})`, async () => {
    const { msBeforeNext } = await refusal_of(twice.consume('alice'));
    assert.ok(msBeforeNext > 0 && msBeforeNext <= 1000, `${msBeforeNext} ms`);
  });
  await check(`counts each by itself (${over})`, () => twice.consume('bob'));
  await check(`begins anew when its time is over (${over})`, async () => {
    await sleep(1100);
    await twice.consume('alice');
  });
  await check(`blocks for longer (${over})`, async () => {
    const strict = limiter({ points: 1, duration: 1, blockDuration: 30, keyPrefix: key(`${over}-strict`) });
    await strict.consume('alice');
    const { msBeforeNext } = await refusal_of(strict.consume('alice'));
    assert.ok(msBeforeNext > 20000, `${msBeforeNext} ms`);
  });
  await check(`rewards, reads and forgets (${over})`, async () => {
    assert.equal((await twice.reward('carol', 1)).consumedPoints, -1);
    assert.equal((await twice.get('carol')).remainingPoints, 3);
    assert.equal(await twice.delete('carol'), true);
    assert.equal(await twice.get('carol'), null);
  });
  await check(`takes bursts (${over})`, async () => {
    const slow = limiter({ points: 1, duration: 2, keyPrefix: key(`${over}-slow`) });
    const bursty = new BurstyRateLimiter(slow, limiter({ points: 2, duration: 5, keyPrefix: key(`${over}-burst`) }));
    for (let i = 0; i < 3; i += 1) await bursty.consume('alice');
    await refusal_of(bursty.consume('alice'));
  });
}

client('rate-limiter-flexible', async (check) => {
  const ioredis = new Redis({ host, port, enableOfflineQueue: false });
  await new Promise((ready) => ioredis.once('ready', ready));
  await limits(check, 'ioredis', { storeClient: ioredis });
  await ioredis.quit();

  const node_redis = createClient({ socket: { host, port } });
  await node_redis.connect();
  await limits(check, 'redis', { storeClient: node_redis, useRedisPackage: true });
  await node_redis.quit();
});
