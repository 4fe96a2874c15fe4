// @socket.io/redis-adapter: two servers that speak to each other by pub/sub, plain and sharded.
'use strict';
const assert = require('node:assert/strict');
const { createClient } = require('redis');
const { Server } = require('socket.io');
const { createAdapter, createShardedAdapter } = require('@socket.io/redis-adapter');
const { client, eventually, host, key, port } = require('./check');

async function connected() {
  const redis = createClient({ socket: { host, port } });
  await redis.connect();
  return redis;
}

async function story(check, kind, adapter) {
  const clients = [];
  const server = async () => {
    const pair = [await connected(), await connected()];
    clients.push(...pair);
    return new Server({ adapter: adapter(...pair), transports: [] });
  };
  const [one, two] = [await server(), await server()];
  await check(`${kind}: knows how many servers there are`, () => eventually(
    async () => await one.of('/').adapter.serverCount() === 2));
  await check(`${kind}: tells the other server`, async () => {
    const heard = new Promise((done) => two.on('hello', (...words) => done(words)));
    one.serverSideEmit('hello', 'you', 7);
    assert.deepEqual(await heard, ['you', 7]);
  });
  await check(`${kind}: asks the other server`, async () => {
    two.on('ask', (question, answer) => answer(`${question}!`));
    assert.deepEqual(await one.serverSideEmitWithAck('ask', 'who'), ['who!']);
  });
  await check(`${kind}: asks for everybody's sockets and rooms`, async () => {
    assert.deepEqual(await one.fetchSockets(), []);
    one.to('room').emit('x', 1);
    one.in('room').disconnectSockets();
  });
  for (const io of [one, two]) await io.of('/').adapter.close();
  for (const redis of clients) await redis.quit();
}

client('@socket.io/redis-adapter', async (check) => {
  await story(check, 'pub/sub', (pub, sub) => createAdapter(pub, sub, { key: key('io'), requestsTimeout: 3000 }));
  await story(check, 'sharded', (pub, sub) => createShardedAdapter(pub, sub, { channelPrefix: key('sio') }));
});
