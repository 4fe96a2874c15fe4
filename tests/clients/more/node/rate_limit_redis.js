// rate-limit-redis, the store of express-rate-limit, over ioredis.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');
const { RedisStore } = require('rate-limit-redis');
const { client, host, key, port, sleep } = require('./check');

client('rate-limit-redis', async (check) => {
  const redis = new Redis({ host, port });
  const store = new RedisStore({ sendCommand: (...words) => redis.call(...words), prefix: key('limit:') });
  await store.init({ windowMs: 600 });

  await check('counts', async () => {
    assert.equal((await store.increment('alice')).totalHits, 1);
    const { totalHits, resetTime } = await store.increment('alice');
    assert.equal(totalHits, 2);
    assert.ok(resetTime > new Date() && resetTime <= new Date(Date.now() + 600));
  });
  await check('looks without counting', async () => {
    assert.equal((await store.get('alice')).totalHits, 2);
    assert.ok(Number.isNaN((await store.get('bob')).totalHits));
  });
  await check('takes one back', async () => {
    await store.decrement('alice');
    assert.equal((await store.get('alice')).totalHits, 1);
  });
  await check('goes on when the server has forgotten its scripts', async () => {
    await redis.script('FLUSH');
    assert.equal((await store.increment('alice')).totalHits, 2);
    assert.equal((await store.get('alice')).totalHits, 2);
  });
  await check('begins anew when the window is over', async () => {
    await sleep(700);
    assert.equal((await store.increment('alice')).totalHits, 1);
  });
  await check('forgets', async () => {
    await store.resetKey('alice');
    assert.equal((await store.increment('alice')).totalHits, 1);
  });
  await redis.quit();
});
