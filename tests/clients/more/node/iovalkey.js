// iovalkey as a client: what a lock of one's own makes of SET NX, scripts, MULTI and pub/sub.
'use strict';
const assert = require('node:assert/strict');
const Valkey = require('iovalkey');
const { client, eventually, host, key, port, sleep } = require('./check');

const RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

client('iovalkey', async (check) => {
  const valkey = new Valkey({ host, port, connectionName: 'more' });
  const door = key('door');
  valkey.defineCommand('release', { numberOfKeys: 1, lua: `${RELEASE} -- ${door}` });

  await check('is ready', async () => assert.equal(await valkey.ping(), 'PONG'));
  await check('acquires', async () => assert.equal(await valkey.set(door, 'alice', 'PX', 5000, 'NX'), 'OK'));
  await check('is refused while another holds it', async () =>
    assert.equal(await valkey.set(door, 'bob', 'PX', 5000, 'NX'), null));
  await check('releases by a script, its own lock only', async () => {
    assert.equal(await valkey.release(door, 'bob'), 0);
    assert.equal(await valkey.release(door, 'alice'), 1);
  });
  await check('takes over when the lease is over', async () => {
    await valkey.set(door, 'alice', 'PX', 150, 'NX');
    await sleep(250);
    assert.equal(await valkey.set(door, 'bob', 'PX', 5000, 'NX'), 'OK');
  });
  await check('pipelines', async () => {
    const answers = await valkey.pipeline().get(door).incr(`${door}:n`).pttl(door).exec();
    assert.deepEqual(answers.slice(0, 2), [[null, 'bob'], [null, 1]]);
  });
  await check('watches and commits', async () => {
    await valkey.watch(door);
    assert.deepEqual(await valkey.multi().del(door).exec(), [[null, 1]]);
  });
  await check('is told that what it watches has changed', async () => {
    await valkey.watch(door);
    const other = valkey.duplicate();
    await other.set(door, 'carol');
    assert.equal(await valkey.multi().set(door, 'bob').exec(), null);
    await other.quit();
  });
  await check('hears of a release', async () => {
    const ear = valkey.duplicate();
    const heard = [];
    ear.on('message', (channel, text) => heard.push([channel, text]));
    await ear.subscribe(`${door}:freed`);
    await valkey.publish(`${door}:freed`, 'bob');
    await eventually(() => heard.length === 1);
    assert.deepEqual(heard, [[`${door}:freed`, 'bob']]);
    await ear.quit();
  });
  await check('scans', async () => {
    const found = [];
    for await (const keys of valkey.scanStream({ match: `${door}*` })) found.push(...keys);
    assert.deepEqual(found.sort(), [door, `${door}:n`]);
  });
  await valkey.quit();
});
