// @valkey/valkey-glide (a native core in Rust, RESP3) as a client.
'use strict';
const assert = require('node:assert/strict');
const { Batch, GlideClient, ProtocolVersion, Script, TimeUnit } = require('@valkey/valkey-glide');
const { client, eventually, host, key, port, sleep } = require('./check');

const RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

client('@valkey/valkey-glide', async (check) => {
  const addresses = [{ host, port }];
  const glide = await GlideClient.createClient({ addresses, protocol: ProtocolVersion.RESP3, clientName: 'more' });
  const door = key('door');
  const acquire = (owner, count) => glide.set(door, owner, {
    conditionalSet: 'onlyIfDoesNotExist', expiry: { type: TimeUnit.Milliseconds, count } });

  await check('is ready', async () => assert.equal(await glide.ping(), 'PONG'));
  await check('acquires', async () => assert.equal(await acquire('alice', 5000), 'OK'));
  await check('is refused while another holds it', async () => assert.equal(await acquire('bob', 5000), null));
  await check('sees owner and lease', async () => {
    assert.equal(await glide.get(door), 'alice');
    assert.ok(await glide.pttl(door) > 1000);
  });
  await check('releases by a script, its own lock only', async () => {
    const script = new Script(RELEASE);
    assert.equal(await glide.invokeScript(script, { keys: [door], args: ['bob'] }), 0);
    assert.equal(await glide.invokeScript(script, { keys: [door], args: ['alice'] }), 1);
    script.release();
  });
  await check('takes over when the lease is over', async () => {
    await acquire('alice', 150);
    await sleep(250);
    assert.equal(await acquire('bob', 5000), 'OK');
  });
  await check('runs a batch as a transaction', async () => {
    const batch = new Batch(true).get(door).del([door]).get(door);
    assert.deepEqual(await glide.exec(batch, true), ['bob', 1, null]);
  });
  await check('hears of a release', async () => {
    const heard = [];
    const ear = await GlideClient.createClient({ addresses, protocol: ProtocolVersion.RESP3, pubsubSubscriptions: {
      channelsAndPatterns: { 0: new Set([`${door}:freed`]) }, callback: (message) => heard.push(String(message.message)) } });
    await glide.publish('bob', `${door}:freed`);
    await eventually(() => heard.length === 1);
    assert.deepEqual(heard, ['bob']);
    ear.close();
  });
  await check('sends any command', async () => assert.equal(await glide.customCommand(['EXISTS', door]), 0));
  glide.close();
});
