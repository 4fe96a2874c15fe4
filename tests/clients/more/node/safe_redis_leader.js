// safe-redis-leader over ioredis: one leader, and the next when it is gone.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');
const { createSafeRedisLeader } = require('safe-redis-leader');
const { client, eventually, host, key, port, sleep } = require('./check');

client('safe-redis-leader', async (check) => {
  const redis = new Redis({ host, port });
  const candidate = () => createSafeRedisLeader({ asyncRedis: redis, ttl: 2000, wait: 100, key: key('throne') });
  const [alice, bob] = [await candidate(), await candidate()];
  let bobs_elections = 0;
  bob.on('elected', () => { bobs_elections += 1; });

  await check('elects the first', async () => {
    await alice.elect();
    await eventually(() => alice.isLeader());
  });
  await check('stays elected beyond its lease', async () => {
    await bob.elect();
    await sleep(3000);
    assert.equal(await alice.isLeader(), true);
    assert.equal(bobs_elections, 0);
  });
  await check('hands over when the leader goes', async () => {
    await alice.shutdown();
    await eventually(() => bobs_elections === 1);
  });
  await bob.shutdown();
  await redis.quit();
});
