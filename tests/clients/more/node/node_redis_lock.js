// node-redis-lock over node-redis 3: its scripts name their values as keys.
'use strict';
const assert = require('node:assert/strict');
const { promisify } = require('node:util');
const redis3 = require('redis3');
const Lock = require('node-redis-lock');
const { client, host, key, port, sleep } = require('./check');

client('node-redis-lock', async (check) => {
  const redis = redis3.createClient({ host, port });
  const ask = (name, ...words) => promisify(redis[name]).apply(redis, words);
  const lock = () => {
    const made = new Lock({ namespace: 'more' }, redis);
    return Object.fromEntries(['acquire', 'renew', 'release'].map((name) => [name, promisify(made[name]).bind(made)]));
  };
  const [alice, bob] = [lock(), lock()];
  const door = key('door');

  await check('acquires', async () => {
    await alice.acquire(door, 30, 'alice');
    assert.equal(await ask('get', `more:${door}`), 'alice');
  });
  await check('is refused while another holds it', () => assert.rejects(bob.acquire(door, 30, 'bob'), /Locked/));
  await check('renews', async () => {
    await alice.renew(door, 60, 'alice');
    assert.ok(await ask('ttl', `more:${door}`) > 30);
  });
  await check('renews nobody else\'s', () => assert.rejects(bob.renew(door, 60, 'bob'), /another value/));
  await check('releases nobody else\'s', () => assert.rejects(bob.release(door, 'bob'), /another value/));
  await check('releases', async () => {
    await alice.release(door, 'alice');
    assert.equal(await ask('exists', `more:${door}`), 0);
  });
  await check('acquires when the lease is over', async () => {
    await alice.acquire(door, 1, 'alice');
    await sleep(1100);
    await bob.acquire(door, 30, 'bob');
    await bob.release(door, 'bob');
  });
  await ask('quit');
});
