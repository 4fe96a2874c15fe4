// connect-redis, sessions of express, over node-redis 5.
'use strict';
const assert = require('node:assert/strict');
const { promisify } = require('node:util');
const { createClient } = require('redis');
const { RedisStore } = require('connect-redis');
const { client, host, key, port, sleep } = require('./check');

client('connect-redis', async (check) => {
  const redis = createClient({ socket: { host, port } });
  await redis.connect();
  const prefix = key('sess:');
  const store = new RedisStore({ client: redis, prefix, ttl: 30, scanCount: 10 });
  const ask = (name, ...words) => promisify(store[name]).apply(store, words);

  await check('keeps a session', async () => {
    await ask('set', 'alice', { cookie: {}, visits: 1 });
    assert.deepEqual(await ask('get', 'alice'), { cookie: {}, visits: 1 });
    assert.ok(await redis.ttl(`${prefix}alice`) > 25);
  });
  await check('does not know others', async () => assert.equal(await ask('get', 'bob'), null));
  await check('prolongs it', async () => {
    const session = { cookie: { expires: new Date(Date.now() + 90000) } };
    await ask('touch', 'alice', session);
    assert.ok(await redis.ttl(`${prefix}alice`) > 60);
  });
  await check('ends it with its cookie', async () => {
    await ask('set', 'short', { cookie: { expires: new Date(Date.now() + 1000) } });
    await sleep(1200);
    assert.equal(await ask('get', 'short'), null);
  });
  await check('lists and counts them', async () => {
    for (let i = 0; i < 40; i += 1) await ask('set', `s${i}`, { cookie: {}, i });
    assert.equal(await ask('length'), 41);
    assert.ok((await ask('ids')).includes('s7'));
    assert.equal((await ask('all')).length, 41);
  });
  await check('destroys one, and all', async () => {
    await ask('destroy', 'alice');
    assert.equal(await ask('length'), 40);
    await ask('clear');
    assert.equal(await ask('length'), 0);
  });
  await redis.quit();
});
